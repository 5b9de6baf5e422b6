import assert from "node:assert/strict";
import { createPrivateKey, createSign, createVerify, generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { calculateJwkThumbprint } from "jose";
import { makeKeyPair } from "../../src/crypto/key_pairs.ts";
import { readPublicJwk, readPublicKey } from "../../src/crypto/public_keys.ts";
import { reason } from "../../src/errors/field_errors.ts";
import { keyAlgorithms } from "../../src/records/names.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const curves = ["P-256", "P-384", "P-521"].map((namedCurve) => generateKeyPairSync("ec", { namedCurve }));
const jwkOf = (key: KeyObject) => key.export({ format: "jwk" }) as Record<string, unknown>;

test("H-13: a JWK and a PEM of one key are read as the same key, with its RFC 7638 thumbprint", async () => {
  for (const { publicKey } of [rsa, ...curves]) {
    const jwk = jwkOf(publicKey);
    const read = readPublicJwk({ ...jwk, kid: "any", use: "sig", alg: "none", extra: 1 });
    assert.ok(!("code" in read));
    assert.deepEqual(read, readPublicKey(publicKey.export({ type: "spki", format: "pem" }).toString()));
    assert.equal(read.thumbprint, await calculateJwkThumbprint(jwk, "sha256"));
  }
});

test("a private or symmetric JWK is refused by that name, and anything else that is no key without being quoted", () => {
  for (const { privateKey } of [rsa, ...curves]) {
    const jwk = jwkOf(privateKey);
    assert.deepEqual(readPublicJwk(jwk), reason("private_key"));
  }
  assert.deepEqual(readPublicJwk({ kty: "oct", k: "c2VjcmV0" }), reason("private_key"));
  const [p256] = curves;
  const point = jwkOf(p256?.publicKey as KeyObject);
  const notOnCurve = { ...point, x: point.y, y: point.x };
  const wrong = [
    {},
    { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    { kty: "EC", crv: "P-256" },
    { ...point, crv: "P-384" },
    notOnCurve,
    { kty: "RSA", n: 1, e: "AQAB" },
    { kty: "RSA", n: "", e: "" },
    { kty: "RSA", n: "not base64url!", e: "AQAB" },
  ];
  for (const jwk of wrong) {
    const read = readPublicJwk(jwk);
    assert.ok("code" in read, JSON.stringify(jwk));
    assert.ok(!JSON.stringify(read).includes(String(point.x)));
  }
});

test("an RSA key that is too short, too long, or whose exponent signs everything is refused", () => {
  const { n } = jwkOf(rsa.publicKey);
  const short = jwkOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);
  assert.deepEqual(readPublicJwk(short), reason("key_too_short", { bits: 2048, actual: 1024 }));
  const long = { kty: "RSA", n: Buffer.alloc(1025, 0xff).toString("base64url"), e: "AQAB" };
  assert.deepEqual(readPublicJwk(long), reason("key_too_long", { bits: 8192, actual: 8200 }));
  assert.deepEqual(readPublicJwk({ kty: "RSA", n, e: "AQ" }), reason("unusual_exponent"));
  assert.deepEqual(readPublicJwk({ kty: "RSA", n, e: "Ag" }), reason("unusual_exponent"));
});

test("G-11: an RSA key has a public exponent from 65537 to 2^32 (security finding 23)", () => {
  const { n } = jwkOf(rsa.publicKey);
  for (const publicExponent of [3, 17, 257]) {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    assert.deepEqual(readPublicKey(pem), reason("unusual_exponent"), String(publicExponent));
    assert.deepEqual(readPublicJwk(jwkOf(publicKey)), reason("unusual_exponent"));
  }
  // With one as long as the modulus, a signature is as slow to verify as to make.
  for (const e of ["AQAAAAE", n])
    assert.deepEqual(readPublicJwk({ kty: "RSA", n, e }), reason("unusual_exponent"));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "_____w" })));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "AQAB" })));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "AQAD" })));
});

test("a pair is made for each of the six algorithms, and its halves belong together", async () => {
  for (const algorithm of keyAlgorithms) {
    const { facts, private_key_pem } = await makeKeyPair(algorithm);
    assert.ok(facts.algorithms.includes(algorithm), algorithm);
    const digest = `sha${algorithm.slice(2)}`;
    const signature = createSign(digest).update("text").sign(createPrivateKey(private_key_pem));
    assert.ok(createVerify(digest).update("text").verify(facts.public_key_pem, signature), algorithm);
  }
  for (const algorithm of ["HS256", "none", "ES256K", "__proto__", "RS1"]) {
    await assert.rejects(makeKeyPair(algorithm), TypeError);
  }
});
