import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { openUnder, type Purpose, SealError, sealer, sealUnder } from "../../src/crypto/sealing.ts";
import { codePoint } from "../support/code_point.ts";

const oldKey = randomBytes(32);
const newKey = randomBytes(48);
const purposes: Purpose[] = ["signing_key", "linked_account", "form", "cookie", "ephemera"];

/** Yields every text that differs from `sealed` in one character of its alphabet. */
function* oneCharacterOff(sealed: string) {
  for (let at = 0; at < sealed.length; at++) {
    yield `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
  }
}

describe("encryption of stored values", () => {
  const { seal, open, mac, macIs, isSealedUnderFirst } = sealer([oldKey]);

  test("an encrypted value decrypts to the same text, for every text and record", () => {
    const text = fc.string({ unit: codePoint });
    fc.assert(
      fc.property(fc.constantFrom(...purposes), text, text, (purpose, plaintext, aad) => {
        const sealed = seal(purpose, plaintext, aad);
        assert.match(sealed, /^v1\.[0-9a-f]{16}\.[A-Za-z0-9_-]{38,}$/);
        assert.equal(open(purpose, sealed, aad), plaintext);
      }),
    );
  });

  test("D-5: a value decrypts only for its own record and purpose", () => {
    const sealed = seal("linked_account", "upstream token", "record-1");
    assert.throws(() => open("linked_account", sealed, "record-2"), SealError);
    assert.throws(() => open("linked_account", sealed, ""), SealError);
    for (const purpose of purposes.filter((other) => other !== "linked_account")) {
      assert.throws(() => open(purpose, sealed, "record-1"), { name: "SealError", purpose });
    }
  });

  test("D-5: a change of any one character of an encrypted value is detected, and the error reveals no content", () => {
    const sealed = seal("signing_key", "attack at dawn", "id");
    for (const altered of [...oneCharacterOff(sealed), sealed.slice(0, -1), `${sealed}A`, `${sealed}=`, ""]) {
      assert.throws(
        () => open("signing_key", altered, "id"),
        (error) =>
          error instanceof SealError &&
          error.message.includes("signing_key") &&
          !error.message.includes("attack") &&
          !error.message.includes(sealed.slice(20)),
      );
    }
  });

  test("random bytes never decrypt", () => {
    const id = seal("cookie", "", "").split(".")[1];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.string({ unit: codePoint }), (bytes, text) => {
        const body = Buffer.from(bytes).toString("base64url");
        assert.throws(() => open("cookie", text, ""), SealError);
        assert.throws(() => open("cookie", `v1.${id}.${body}`, ""), SealError);
        assert.equal(openUnder("secret", "info", text), undefined);
        assert.equal(openUnder("secret", "info", `v1.${body}`), undefined);
      }),
    );
  });

  test("encrypting the same text twice gives different values", () => {
    assert.notEqual(seal("form", "same", "id"), seal("form", "same", "id"));
  });

  test("text that is not well-formed Unicode is refused", () => {
    assert.throws(() => seal("form", "a\ud800", "id"), TypeError);
  });

  test("H-6: after a rotation the first key encrypts, old values decrypt, and those to re-encrypt are identified", () => {
    const rotated = sealer([newKey, oldKey]);
    const before = seal("linked_account", "token", "id");
    assert.ok(isSealedUnderFirst(before));
    assert.equal(rotated.open("linked_account", before, "id"), "token");
    assert.equal(rotated.isSealedUnderFirst(before), false);

    const after = rotated.seal("linked_account", "token", "id");
    assert.ok(rotated.isSealedUnderFirst(after));
    assert.equal(sealer([newKey]).open("linked_account", after, "id"), "token");
    assert.throws(() => open("linked_account", after, "id"), /linked_account.*missing/);
    assert.throws(() => sealer([newKey]).open("linked_account", before, "id"), /linked_account.*missing/);
  });

  test("H-12: encryption without a key or with a short one is refused", () => {
    assert.throws(() => sealer([]), TypeError);
    assert.throws(() => sealer([oldKey, randomBytes(31)]), TypeError);
  });

  test("C-11: a MAC is valid only for its text and purpose, under any of the current keys", () => {
    const rotated = sealer([newKey, oldKey]);
    const proof = mac("form", "text");
    assert.match(proof, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(macIs("form", "text", proof));
    assert.ok(rotated.macIs("form", "text", proof));
    assert.notEqual(rotated.mac("form", "text"), proof);
    assert.equal(macIs("form", "text", rotated.mac("form", "text")), false);
    assert.equal(macIs("cookie", "text", proof), false);
    assert.equal(macIs("form", "text2", proof), false);
    for (const wrong of ["", `${proof}=`, ` ${proof}`, proof.slice(0, -1), ...oneCharacterOff(proof)]) {
      assert.equal(macIs("form", "text", wrong), false);
    }
  });
});

describe("encryption with a key derived from a credential", () => {
  test("design 6.9: only the credential from which the key was derived decrypts the value", () => {
    const sealed = sealUnder("prt_presented", "replayable answer", '{"access_token":"a"}');
    assert.ok(!sealed.includes("prt_presented"));
    assert.equal(openUnder("prt_presented", "replayable answer", sealed), '{"access_token":"a"}');
    for (const other of ["prt_Presented", "prt_presented ", "prt_presente", ""]) {
      assert.equal(openUnder(other, "replayable answer", sealed), undefined);
    }
    assert.equal(openUnder("prt_presented", "another use", sealed), undefined);
  });

  test("an altered value does not decrypt", () => {
    const sealed = sealUnder("secret", "info", "content");
    for (const altered of [...oneCharacterOff(sealed), sealed.slice(0, -1), `${sealed}A`, "", "v1."]) {
      assert.equal(openUnder("secret", "info", altered), undefined);
    }
  });

  test("a value encrypted under a credential decrypts to the same text", () => {
    const text = fc.string({ unit: codePoint });
    fc.assert(
      fc.property(text, text, text, (secret, info, plaintext) => {
        assert.equal(openUnder(secret, info, sealUnder(secret, info, plaintext)), plaintext);
      }),
    );
  });
});
