import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { type ChallengeUse, newChallenge, readChallenge } from "../../src/crypto/passkey_challenge.ts";
import { sealer } from "../../src/crypto/sealing.ts";

const key = randomBytes(32);
const keys = sealer([key]);
const at = new Date("2030-01-01T00:00:00Z");
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const use: ChallengeUse = { purpose: "sign_in", holder: "pot_cookie" };

describe("a challenge for a passkey", () => {
  test("PK-2 a challenge holds 32 random bytes and is read within five minutes", () => {
    const challenge = newChallenge(use, keys, at);
    assert.match(challenge, /^[A-Za-z0-9_-]{94}$/);
    const read = readChallenge(challenge, use, keys, later(299));
    assert.ok(read && read !== "expired");
    assert.deepEqual(read.expires_at, later(300));
    assert.equal(read.mark.length, 32);
    const other = newChallenge(use, keys, at);
    assert.notEqual(challenge.slice(0, 40), other.slice(0, 40));
    const other_read = readChallenge(other, use, keys, at);
    assert.ok(other_read && other_read !== "expired");
    assert.notDeepEqual(read.mark, other_read.mark);
  });

  test("PK-2 after five minutes it has expired, and a clock that went back lengthens none", () => {
    const challenge = newChallenge(use, keys, at);
    assert.equal(readChallenge(challenge, use, keys, later(300)), "expired");
    assert.equal(readChallenge(challenge, use, keys, later(-1)), "expired");
  });

  test("PK-3 a challenge is for one purpose and one browser", () => {
    const challenge = newChallenge(use, keys, at);
    for (const other of [
      { ...use, purpose: "sudo" },
      { ...use, purpose: "register" },
      { ...use, purpose: "second_factor" },
      { ...use, holder: "pot_other" },
      { ...use, holder: "" },
    ] as const) {
      assert.equal(readChallenge(challenge, other, keys, at), undefined);
    }
    const quoted = newChallenge({ purpose: "sign_in", holder: 'a","b' }, keys, at);
    assert.equal(readChallenge(quoted, { purpose: "sign_in", holder: "a" }, keys, at), undefined);
  });

  test("PK-3 nobody else makes a challenge, and no character of one can be changed", () => {
    const challenge = newChallenge(use, keys, at);
    assert.equal(readChallenge(newChallenge(use, sealer([randomBytes(32)]), at), use, keys, at), undefined);
    for (let index = 0; index < challenge.length; index++) {
      const letter = challenge[index] === "A" ? "B" : "A";
      const altered = challenge.slice(0, index) + letter + challenge.slice(index + 1);
      assert.equal(readChallenge(altered, use, keys, at), undefined, String(index));
    }
    for (const text of ["", "A", challenge.slice(1), `${challenge}A`, `${challenge}=`, "x".repeat(10_000)]) {
      assert.equal(readChallenge(text, use, keys, at), undefined);
    }
  });

  test("a challenge outlives a change of the secret key", () => {
    const changed = sealer([randomBytes(32), key]);
    const read = readChallenge(newChallenge(use, keys, at), use, changed, at);
    assert.ok(read && read !== "expired");
  });
});
