import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { localRedirect } from "../../src/http/same_origin.ts";
import { codePoint } from "../support/code_point.ts";

const base_url = "https://id.example";
const home = { location: "/", url: "/" };

describe("L-3: redirect stays within this server", () => {
  for (const [redirect, url] of [
    ["/", "/"],
    ["/account?tab=1#top", "/account?tab=1#top"],
    ["https://id.example/", "/"],
    [
      "https://id.example/oauth/authorize?a=%2F%2Fevil.example&b=+",
      "/oauth/authorize?a=%2F%2Fevil.example&b=+",
    ],
    [
      "/oauth/authorize?redirect_uri=https://app.example//cb",
      "/oauth/authorize?redirect_uri=https://app.example//cb",
    ],
  ] as const) {
    test(`L-3: ${redirect} is followed unchanged`, () => {
      assert.deepEqual(localRedirect(redirect, base_url), { location: redirect, url });
    });
  }

  for (const redirect of [
    undefined,
    "",
    "account",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/ /evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "https://evil.example/",
    "HTTPS://ID.EXAMPLE/",
    "https://id.example",
    "https://id.example:8443/",
    "https://id.example.evil.example/",
    "https://id.example@evil.example/",
    "https://ada@id.example/",
    "https://ada:secret@id.example/",
    "https://id.example//evil.example",
    "https://id.example/.//evil.example",
    "https:/evil.example",
    "https:evil.example",
    "http://id.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/caf\u00e9",
    "/\u2028",
    "/a\r\nset-cookie: x=y",
    "/\0",
    "//id.example/",
    "?a=b",
    "#a",
    "*",
  ]) {
    test(`L-3: ${JSON.stringify(redirect)} leads to the home page`, () => {
      assert.deepEqual(localRedirect(redirect, base_url), home);
    });
  }

  test("L-3: an address on another port is another origin, and leads to the home page", () => {
    assert.deepEqual(localRedirect("http://localhost:3000/a", "http://localhost:3000"), {
      location: "http://localhost:3000/a",
      url: "/a",
    });
    assert.deepEqual(localRedirect("http://localhost:30001/a", "http://localhost:3000"), home);
    assert.deepEqual(localRedirect("http://localhost:3000@evil.example/", "http://localhost:3000"), home);
  });

  test("L-3: any redirect that is followed stays on this origin and cannot break the header", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      "//",
      ".",
      "..",
      "@",
      ":",
      "?",
      "#",
      "%2f",
      "%5c",
      "\t",
      "\n",
      "\r",
      " ",
      "evil.example",
      "https:",
      "https://id.example",
      "id.example",
      "a",
      "\u3002",
      "\uff0f",
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
      fc.string({ unit: codePoint }),
    );
    fc.assert(
      fc.property(text, (redirect) => {
        const { location, url } = localRedirect(redirect, base_url);
        assert.match(location, /^[\x21-\x7e]+$/);
        const read = new URL(location, "https://id.example/login");
        assert.equal(read.origin, base_url);
        assert.ok(!read.pathname.startsWith("//"));
        assert.ok(url.startsWith("/") && location.endsWith(url));
      }),
      { numRuns: 1000 },
    );
  });
});
