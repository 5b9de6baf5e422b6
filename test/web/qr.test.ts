import assert from "node:assert/strict";
import { describe, test } from "node:test";
import decodeQR from "qr/decode.js";
import { otpauthUri } from "../../src/crypto/totp.ts";
import { qrCode } from "../../src/people/authenticators/totp/authenticator_app.pages.ts";

/** Draws the picture as a camera sees it, from the SVG alone: white, with each run of the path in black. */
function drawn(svg: string, scale = 4) {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x = "", y = "", length = ""] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { width, height: width, data };
}

describe("a QR code", () => {
  const uri = otpauthUri("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", {
    issuer: "Ünïcode & Söhne",
    account: "a.person.with.a.long.name+and.more@mail.department.example.com",
  });

  test("MF-1 the QR code for authenticator apps contains exactly the given link", async () => {
    assert.equal(decodeQR(drawn(String(await qrCode(await uri, "QR code")))), await uri);
  });

  test("the QR code is an image with a text label, without style or script, and in black on white", async () => {
    const svg = String(await qrCode(await uri, 'For "you" <b>'));
    assert.match(svg, /^<svg class="qr" role="img" aria-label="For &quot;you&quot; &lt;b&gt;"/);
    assert.doesNotMatch(svg, /style|script|<b>|xlink/);
    assert.deepEqual(
      [...svg.matchAll(/fill="([^"]*)"/g)].map(([, fill]) => fill),
      ["#fff", "#000"],
    );
    assert.ok(svg.length < 20_000, `${svg.length} bytes`);
  });

  test("the QR code has a white border of four modules", async () => {
    const svg = String(await qrCode("otpauth://totp/x", "QR code"));
    const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
      assert.ok(Number(x) >= 4 && Number(y) >= 4 && Number(y) < size - 4);
      assert.ok(Number(x) + Number(length) <= size - 4);
    }
  });
});
