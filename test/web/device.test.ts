import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deviceOf } from "../../src/people/core/notices/device.view.ts";
import { assertLinear } from "../support/growth.ts";

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

describe("the browser and system named by a User-Agent", () => {
  for (const [user_agent, browser, system] of [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36`, "Chrome", "Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36 Edg/142.0.0.0`, "Edge", "Windows"],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Safari/537.36 OPR/120.0`, "Opera", "ChromeOS"],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${blink} Mobile Safari/537.36`, "Chrome", "Android"],
    [
      `Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      "Samsung Internet",
      "Android",
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`,
      "Safari",
      "macOS",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webkit} Version/26.0 Mobile/15E148 Safari/604.1`,
      "Safari",
      "iPhone",
    ],
    [`Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) ${webkit} CriOS/142.0 Mobile/15E148`, "Chrome", "iPad"],
    ["curl/8.14.1", "curl", undefined],
    ["<script>Firefox</script>", undefined, undefined],
    ["", undefined, undefined],
    [null, undefined, undefined],
  ] as const) {
    test(`${browser ?? "an unknown browser"} on ${system ?? "an unknown system"} is recognized in ${user_agent?.slice(0, 40)}`, () => {
      assert.deepEqual(deviceOf(user_agent), { browser, system });
    });
  }

  test("the time to recognize a User-Agent grows only linearly with its length", () => {
    for (const piece of ["Version/1 ", "Version/1.", "Mac OS X ", "x"]) {
      assertLinear((size) => deviceOf(piece.repeat(size)), 5_000, piece);
    }
  });
});
