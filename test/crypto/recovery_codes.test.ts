import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newRecoveryCodes, readRecoveryCode, shownRecoveryCode } from "../../src/crypto/recovery_codes.ts";

describe("recovery codes", () => {
  test("MF-6 a set has 10 codes of 4 × 4 characters, each with a selector of its own", () => {
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
    // Each of the 32 characters at each of the 12 places of the secret: 60 bits.
    for (let place = 0; place < 12; place++) {
      assert.equal(new Set(all.map(({ secret }) => secret[place])).size, 32, `place ${place}`);
    }
  });

  test("MF-6 a code is read as people type it", () => {
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
