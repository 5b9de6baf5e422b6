/** Valid DER encodings of ECDSA signatures, compared with the signatures that OpenSSL creates and accepts. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isDerEcdsaSignature } from "../../src/crypto/passkeys.ts";

const bytes = (hex: string) => Buffer.from(hex, "hex");

describe("the check for a DER-encoded ECDSA signature", () => {
  test("accepts OpenSSL's signatures in every length", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const lengths = new Set<number>();
    for (let round = 0; round < 400; round += 1) {
      const signature = sign("sha256", Buffer.of(round & 255, round >> 8), privateKey);
      lengths.add(signature.length);
      assert.ok(isDerEcdsaSignature(signature), signature.toString("hex"));
    }
    assert.ok(lengths.has(70) && lengths.has(71) && lengths.has(72), [...lengths].join());
  });

  test("accepts every signature that OpenSSL accepts", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const data = Buffer.from("signed");
    const position = fc.integer({ min: 0, max: 71 });
    fc.assert(
      fc.property(
        position,
        fc.integer({ min: 1, max: 255 }),
        fc.integer({ min: 0, max: 2 }),
        (at, flip, more) => {
          const signature = Buffer.concat([sign("sha256", data, privateKey), Buffer.alloc(more)]);
          signature[at] = (signature[at] ?? 0) ^ flip;
          const taken = verify("sha256", data, publicKey, signature);
          assert.ok(!taken || isDerEcdsaSignature(signature));
        },
      ),
    );
  });

  const refused: readonly [string, string][] = [
    ["nothing", ""],
    ["another tag", "3106020101020101"],
    ["a length that is too short", "3005020101020101"],
    ["a length that is too long", "3007020101020101"],
    ["a length in two bytes", "308106020101020101"],
    ["bytes behind its end", "300602010102010100"],
    ["bytes behind the second integer", "300702010102010100"],
    ["one integer", "3003020101"],
    ["an integer of no bytes", "30050200020101"],
    ["zero", "3006020100020101"],
    ["a negative integer", "3006020180020101"],
    ["an integer with a zero too much", "300702020001020101"],
    ["an integer of 34 bytes", `30270222${"01".repeat(34)}020101`],
    ["another tag of the second integer", "3006020101030101"],
  ];
  for (const [what, hex] of refused) {
    test(`rejects a signature with ${what}`, () => {
      assert.ok(!isDerEcdsaSignature(bytes(hex)));
    });
  }

  test("accepts two positive integers in their shortest form", () => {
    assert.ok(isDerEcdsaSignature(bytes("3006020101020101")));
    assert.ok(isDerEcdsaSignature(bytes("300702020080020101")));
  });
});
