import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  accessTokenSignature,
  credentialPrefix,
  equalBytes,
  findSignature,
  newCredential,
  newSecretKey,
  prefixOf,
  readSecretKey,
  signatureOf,
} from "../../src/crypto/credentials.ts";
import { codePoint } from "../support/code_point.ts";
import { listed } from "../support/listed.ts";

const now = new Date("2030-01-02T03:04:05.678Z");
const jti = "01dcf2a1-3b4c-7d5e-8f60-718293a4b5c6";
const jtiTime = 0x01dcf2a13b4c;

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const jwtWith = (payload: string) =>
  `${base64url('{"alg":"RS256"}')}.${base64url(payload)}.${base64url("proof")}`;
const isGone = (signature: Buffer | undefined, original: Buffer) => !signature?.equals(original);

describe("credentials", () => {
  test("a credential is its prefix, its creation time in milliseconds and 32 random bytes", () => {
    for (const prefix of Object.values(credentialPrefix)) {
      const credential = newCredential(prefix, now);
      assert.match(credential, /^p[a-z]{2}_[A-Za-z0-9_-]{51}$/);
      assert.ok(credential.startsWith(prefix));
      const bytes = Buffer.from(credential.slice(prefix.length), "base64url");
      assert.equal(bytes.length, 38);
      assert.equal(bytes.readUIntBE(0, 6), now.getTime());
    }
    const many = Array.from({ length: 1000 }, () => newCredential("pac_", now).slice(-40));
    assert.equal(new Set(many).size, 1000);
  });

  test("H-5: the stored signature is the time and 208 bits of SHA-256, and contains no part of the credential", () => {
    const credential = newCredential(credentialPrefix.code, now);
    const signature = signatureOf(credential, now.getTime());
    assert.equal(signature.length, 32);
    assert.equal(signature.readUIntBE(0, 6), now.getTime());
    assert.deepEqual(signature.subarray(6), createHash("sha256").update(credential).digest().subarray(0, 26));
    assert.deepEqual(findSignature(credentialPrefix.code, credential), signature);
  });

  test("signatures sort by the creation time of their credentials", () => {
    const times = [0, 255, 256, 65_536, 2 ** 32, 2 ** 41].map((ms) => new Date(ms));
    const signatures = times.map(
      (time) => findSignature("pac_", newCredential("pac_", time)) ?? Buffer.alloc(0),
    );
    assert.deepEqual(signatures.toSorted(Buffer.compare), signatures);
  });

  test("T-11: a truncated, extended, re-cased or padded credential has no signature, or a different one", () => {
    const credential = newCredential("prt_", now);
    const signature = signatureOf(credential, now.getTime());
    for (const wrong of ["", "prt_", credential.slice(0, -1), credential.slice(1), credential.slice(4)]) {
      assert.equal(findSignature("prt_", wrong), undefined);
    }
    for (const wrong of [
      `${credential}A`,
      `${credential}=`,
      ` ${credential}`,
      `${credential}\n`,
      `${credential}\0`,
    ]) {
      assert.equal(findSignature("prt_", wrong), undefined);
    }
    assert.equal(findSignature("prt_", credential.toUpperCase()), undefined);
    assert.equal(findSignature("pac_", credential), undefined, "a refresh token is not a code");
    assert.ok(isGone(findSignature("prt_", `prt_${credential.slice(4).toLowerCase()}`), signature));
    assert.ok(isGone(findSignature("prt_", `prt_${credential.slice(4).toUpperCase()}`), signature));
  });

  test("T-11: a last character with unused bits set has no signature, and all others have different ones", () => {
    const credential = newCredential("prt_", now);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const found = [...alphabet].flatMap(
      (last) => findSignature("prt_", credential.slice(0, -1) + last)?.toString("hex") ?? [],
    );
    assert.equal(found.length, 16);
    assert.equal(new Set(found).size, 16);
  });

  test("T-11: base64 with + and / is not read as base64url", () => {
    const body = `${"A".repeat(8)}-_${"A".repeat(41)}`;
    assert.ok(findSignature("pac_", `pac_${body}`));
    assert.equal(findSignature("pac_", `pac_${body.replace("-", "+")}`), undefined);
    assert.equal(findSignature("pac_", `pac_${body.replace("_", "/")}`), undefined);
  });

  test("T-11: changing any one character changes or removes the signature, and no text throws", () => {
    const credential = newCredential("pac_", now);
    const signature = signatureOf(credential, now.getTime());
    const anyCharacter = fc.string({ unit: codePoint, minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(fc.nat(credential.length - 1), anyCharacter, (at, character) => {
        const changed = credential.slice(0, at) + character + credential.slice(at + 1);
        assert.equal(isGone(findSignature("pac_", changed), signature), changed !== credential);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        assert.equal(findSignature("pac_", text), undefined);
        findSignature("pac_", `pac_${text.padEnd(51, "A").slice(0, 51)}`);
      }),
    );
  });
});

describe("access token signatures", () => {
  test("the signature of an access token is the time of its jti and the hash of the whole token", () => {
    const token = jwtWith(JSON.stringify({ iss: "https://example.com", jti }));
    assert.deepEqual(accessTokenSignature(token), signatureOf(token, jtiTime));
    assert.equal(accessTokenSignature(token)?.readUIntBE(0, 6), jtiTime);
  });

  test("two tokens with the same jti have different signatures", () => {
    const one = jwtWith(JSON.stringify({ jti, scope: "a" }));
    const other = jwtWith(JSON.stringify({ jti, scope: "b" }));
    assert.notDeepEqual(accessTokenSignature(one), accessTokenSignature(other));
  });

  test("T-11: a truncated, extended, padded or non-canonical token has no signature", () => {
    const token = jwtWith(JSON.stringify({ jti }));
    const [header, payload, proof] = token.split(".");
    assert.ok(accessTokenSignature(token));
    const wrong = [
      ...listed`
      .. ${header}.${payload} ${header}.${payload}. .${payload}.${proof} ${header}..${proof} ${token}.
      ${token}.${proof} ${token}= ${header}.${payload}!.${proof}
    `,
      "",
      `${token}\n`,
      ` ${token}`,
    ];
    for (const text of wrong) assert.equal(accessTokenSignature(text), undefined, JSON.stringify(text));
  });

  test("a token whose payload has no lower-case UUIDv7 as jti has no signature", () => {
    const payloads = [
      ...listed`
      { null 7 "text" [{"jti":"${jti}"}] {} {"jti":7} {"jti":null} {"jti":["${jti}"]}
      {"__proto__":{"jti":"${jti}"}} {"jti":"${jti}\\n"}
    `,
      "",
      `{"jti":"${jti.toUpperCase()}"}`,
      `{"jti":"${jti.replace("-7", "-4")}"}`,
      `{"jti":"${jti.replaceAll("-", "")}"}`,
    ];
    for (const payload of payloads) assert.equal(accessTokenSignature(jwtWith(payload)), undefined, payload);
  });

  test("a token over 8192 characters is not parsed", () => {
    const padded = (length: number) => jwtWith(JSON.stringify({ jti, x: "x".repeat(length) }));
    const fits = padded(6000);
    assert.ok(fits.length < 8192 && accessTokenSignature(fits));
    const tooLong = padded(6200);
    assert.ok(tooLong.length > 8192);
    assert.equal(accessTokenSignature(tooLong), undefined);
  });

  test("no token and no payload makes the signature throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.json(), (text, payload) => {
        assert.equal(accessTokenSignature(text), undefined);
        assert.equal(accessTokenSignature(jwtWith(text)), undefined);
        assert.equal(accessTokenSignature(jwtWith(payload)), undefined);
      }),
    );
  });
});

describe("comparing secrets", () => {
  test("C-11: equality is byte equality, whatever the lengths", () => {
    assert.ok(equalBytes("", ""));
    assert.ok(equalBytes("sécret", Buffer.from("sécret")));
    assert.ok(equalBytes(new Uint8Array([1, 2]), Buffer.from([1, 2])));
    for (const [a, b] of [
      ["secret", "Secret"],
      ["secret", "secret "],
      ["secret", "secret\0"],
      ["secret", ""],
      ["\u00e9", "e\u0301"],
    ] as const) {
      assert.equal(equalBytes(a, b), false);
      assert.equal(equalBytes(b, Buffer.from(a)), false);
    }
  });

  test("C-11: ill-formed Unicode equals neither the replacement character nor different ill-formed text", () => {
    assert.equal(equalBytes("a\ud800", "a\ufffd"), false);
    assert.equal(equalBytes("a\ufffd", "a\ud800"), false);
    assert.equal(equalBytes("a\ud800", "a\ud801"), false);
    assert.equal(equalBytes("a\ud800", Buffer.from("a\ufffd")), false);
  });

  test("C-11: the comparison of any two byte strings gives the result of Buffer.compare", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3, max: 2 }),
        fc.uint8Array({ maxLength: 3, max: 2 }),
        (a, b) => {
          assert.equal(equalBytes(a, b), Buffer.compare(a, b) === 0);
        },
      ),
    );
  });
});

describe("visible prefixes", () => {
  test("design 6.19: the visible prefix has at most 12 characters, and at most a quarter of the secret", () => {
    assert.equal(prefixOf(""), "");
    assert.equal(prefixOf("abc"), "");
    assert.equal(prefixOf("abcdefgh"), "ab");
    assert.equal(prefixOf("x".repeat(47)), "x".repeat(11));
    assert.equal(prefixOf(newCredential(credentialPrefix.client_secret, now)).length, 12);
    assert.equal(prefixOf("x".repeat(500)).length, 12);
  });

  test("the visible prefix never ends within a character", () => {
    assert.equal(prefixOf("\u{1f511}".repeat(8)), "\u{1f511}\u{1f511}");
  });
});

describe("secret keys", () => {
  test("a new secret key reads as its 32 bytes in hex, base64 and base64url", () => {
    const text = newSecretKey();
    const bytes = Buffer.from(text, "base64");
    assert.equal(bytes.length, 32);
    assert.notEqual(newSecretKey(), text);
    for (const spelling of [text, `${text}\n`, bytes.toString("base64url"), bytes.toString("hex")]) {
      assert.deepEqual(readSecretKey(spelling), bytes);
    }
    assert.deepEqual(readSecretKey(bytes.toString("hex").toUpperCase()), bytes);
  });

  test("a secret key longer than 32 bytes is used whole", () => {
    const bytes = Buffer.from(Array.from({ length: 48 }, (_, i) => (i * 37) % 251));
    assert.deepEqual(readSecretKey(bytes.toString("base64")), bytes);
  });

  test("H-12: a secret key that is short, malformed or too regular to be random is refused without being quoted", () => {
    const good = newSecretKey();
    const wrong = [
      "",
      "hunter2",
      "change me, change me, change me, change me!",
      good.slice(0, 40),
      good.slice(0, -2),
      `${good}=`,
      `${good.slice(0, 20)} ${good.slice(20)}`,
      "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718",
      `${Buffer.from(good, "base64").toString("hex")}a`,
      Buffer.alloc(32).toString("base64"),
      Buffer.alloc(32, 0xff).toString("hex"),
      Buffer.from("1234567".repeat(5)).toString("base64"),
      Buffer.from("correct horse ".repeat(3)).toString("base64"),
      "0123456789abcdef".repeat(4),
      Buffer.from("seven1s".repeat(5).replace(/..$/, "ns")).toString("base64"),
    ];
    for (const text of wrong) {
      assert.throws(
        () => readSecretKey(text),
        (error) => error instanceof TypeError && (text === "" || !error.message.includes(text)),
        JSON.stringify(text),
      );
    }
  });

  test("any 32 or more random bytes are accepted as a key, and an invalid text throws only a TypeError", () => {
    for (let i = 0; i < 500; i++) readSecretKey(newSecretKey());
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        assert.throws(() => readSecretKey(text), TypeError);
      }),
    );
  });
});
