import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { newRecoveryCodes, readRecoveryCode, shownRecoveryCode } from "../../src/crypto/recovery_codes.ts";
import { matchTotp, newTotpSecret, otpauthUri } from "../../src/crypto/totp.ts";

/** The secret of RFC 6238 appendix B, the text `12345678901234567890` in base32. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1000);

/** Returns the code of a step, computed only from RFC 4226 section 5.3. */
function codeOf(step: number, key: string | Uint8Array = "12345678901234567890"): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

describe("a code of an authenticator app", () => {
  /** RFC 6238 appendix B, SHA-1; the last six of its eight digits. */
  const vectors = [
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ] as const;
  for (const [seconds, code] of vectors) {
    test(`MF-2 the code at second ${seconds} is that of RFC 6238`, async () => {
      assert.equal(codeOf(Math.floor(seconds / 30)), code);
      assert.deepEqual(await matchTotp(secret, code, at(seconds)), { step: Math.floor(seconds / 30) });
    });
  }

  const step = 66_666_666;
  const steps: readonly [number, { step: number } | { late_by: number } | undefined][] = [
    [-11, undefined],
    [-10, { late_by: 10 }],
    [-2, { late_by: 2 }],
    [-1, { step: step - 1 }],
    [0, { step }],
    [1, { step: step + 1 }],
    [2, undefined],
    [10, undefined],
  ];
  for (const [off, match] of steps) {
    test(`MF-2, MF-3 a code of ${off} steps from now is ${JSON.stringify(match) ?? "wrong"}`, async () => {
      for (const second of [0, 29.999]) {
        assert.deepEqual(await matchTotp(secret, codeOf(step + off), at(step * 30 + second)), match);
      }
    });
  }

  test("MF-2 if two time steps have the same code, the later one counts", async () => {
    // Found by search, because the codes of two steps are equal in one of a million cases.
    const near = 67_507_239;
    assert.equal(codeOf(near), codeOf(near + 2));
    assert.deepEqual(await matchTotp(secret, codeOf(near), at((near + 1) * 30)), { step: near + 2 });
    const far = 67_495_131;
    assert.equal(codeOf(far), codeOf(far + 5));
    assert.deepEqual(await matchTotp(secret, codeOf(far), at((far + 5) * 30)), { step: far + 5 });
  });

  test("spaces in a code are ignored, and any other text is wrong", async () => {
    const code = codeOf(step);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}\n`;
    assert.deepEqual(await matchTotp(secret, spaced, at(step * 30)), { step });
    const arabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    for (const text of ["", code.slice(1), `0${code}`, `-${code}`, arabic, "12345e", code + " ".repeat(40)]) {
      assert.equal(await matchTotp(secret, text, at(step * 30)), undefined, text);
    }
  });

  test("a code is checked without an error even if the clock was never set", async () => {
    assert.deepEqual(await matchTotp(secret, codeOf(0), at(0)), { step: 0 });
    assert.equal(await matchTotp(secret, codeOf(20), at(-3600)), undefined);
  });

  test("MF-1 the secret of an authenticator app has 160 random bits", async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, newTotpSecret));
    for (const made of secrets) assert.match(made, /^[A-Z2-7]{32}$/);
    assert.equal(new Set(secrets).size, 50);
    const [made = ""] = secrets;
    const bits = [...made].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter));
    const text = bits.map((value) => value.toString(2).padStart(5, "0")).join("");
    const key = Buffer.from(text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
    assert.equal(key.length, 20);
    assert.deepEqual(await matchTotp(made, codeOf(step, key), at(step * 30)), { step });
  });

  test("MF-1 the link for authenticator apps names the server and the account, both escaped", async () => {
    const uri = new URL(await otpauthUri(secret, { issuer: "Ann: & Co", account: "a+b@example.com" }));
    assert.equal(uri.protocol, "otpauth:");
    assert.equal(uri.host, "totp");
    assert.equal(decodeURIComponent(uri.pathname), "/Ann & Co:a+b@example.com");
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      issuer: "Ann & Co",
      secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });
});

describe("recovery codes", () => {
  test("MF-6 a set has 10 recovery codes of 4 × 4 characters, each with a separate selector", () => {
    const sets = Array.from({ length: 200 }, newRecoveryCodes);
    for (const codes of sets) {
      assert.equal(codes.length, 10);
      assert.equal(new Set(codes.map(({ selector }) => selector)).size, 10);
      for (const code of codes) {
        const text = shownRecoveryCode(code);
        assert.match(text, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
        assert.equal(text.slice(0, 4), code.selector);
        assert.deepEqual(readRecoveryCode(text), code);
      }
    }
    const all = sets.flat();
    assert.equal(new Set(all.map(({ secret }) => secret)).size, 2000);
    // Each of the 32 characters occurs at each of the 12 places, so the secret has 60 bits.
    for (let place = 0; place < 12; place++) {
      assert.equal(new Set(all.map(({ secret }) => secret[place])).size, 32, `place ${place}`);
    }
  });

  test("MF-6 a recovery code is accepted however users type spaces, hyphens and case", () => {
    const code = { selector: "7K2M", secret: "QX9D4TRB0N1H" };
    for (const text of [
      "7K2M-QX9D-4TRB-0N1H",
      "7k2mqx9d4trb0n1h",
      " 7K2M QX9D 4TRB 0N1H\n",
      "7K2M-QX9D-4TRB-ONIH",
      "7K2M-QX9D-4TRB-onlh",
    ]) {
      assert.deepEqual(readRecoveryCode(text), code, text);
    }
    for (const text of [
      "",
      "7K2M-QX9D-4TRB-0N1",
      "7K2M-QX9D-4TRB-0N1HH",
      "7K2M-QX9D-4TRB-0N1U",
      "7K2M_QX9D_4TRB_0N1H",
      "7K2MQX9D4TRB0N1H".padEnd(65),
    ]) {
      assert.equal(readRecoveryCode(text), undefined, text);
    }
  });
});
