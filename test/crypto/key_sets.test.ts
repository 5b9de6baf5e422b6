import assert from "node:assert/strict";
import { createPrivateKey, createSign, createVerify, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, test } from "node:test";
import { calculateJwkThumbprint } from "jose";
import { makeKeyPair } from "../../src/crypto/key_pairs.ts";
import { mostClientKeys, mostKeySetBytes, readKeySet } from "../../src/crypto/key_sets.ts";
import { readPublicJwk, readPublicKey } from "../../src/crypto/public_keys.ts";
import { reason } from "../../src/errors/field_errors.ts";
import { keyAlgorithms } from "../../src/records/names/names.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const [p256, p384, p521] = ["P-256", "P-384", "P-521"].map((namedCurve) =>
  generateKeyPairSync("ec", { namedCurve }),
);
const ed25519 = generateKeyPairSync("ed25519");
const jwkOf = (key: KeyObject | undefined) => key?.export({ format: "jwk" }) as Record<string, unknown>;

function errorsOf(set: unknown) {
  const read = readKeySet(set);
  assert.ok("errors" in read, JSON.stringify(set));
  return read.errors;
}

function keysOf(set: unknown) {
  const read = readKeySet(set);
  assert.ok(!("errors" in read), JSON.stringify(read));
  return read;
}

describe("the key set of a client", () => {
  test("accepts RSA keys and keys of four curves, and lists the algorithms of each", () => {
    const pairs = { rsa, p256, p384, p521, ed25519 };
    const keys = Object.entries(pairs).map(([kid, pair]) => ({ kid, use: "sig", ...jwkOf(pair?.publicKey) }));
    const read = keysOf({ keys, extra: 1 });
    assert.deepEqual(
      read.map(({ kid, algorithms }) => [kid, algorithms.join(" ")]),
      [
        ["rsa", "RS256 RS384 RS512 PS256 PS384 PS512"],
        ["p256", "ES256"],
        ["p384", "ES384"],
        ["p521", "ES512"],
        ["ed25519", "EdDSA Ed25519"],
      ],
    );
    for (const [index, pair] of Object.values(pairs).entries()) {
      assert.ok(pair !== undefined && read[index]?.key.equals(pair.publicKey));
    }
  });

  test("a key's alg limits it to that algorithm, and an encryption key is ignored", () => {
    const key = jwkOf(rsa.publicKey);
    assert.deepEqual(keysOf({ keys: [{ ...key, alg: "PS256" }] })[0]?.algorithms, ["PS256"]);
    assert.deepEqual(keysOf({ keys: [{ ...key, use: "enc", alg: "RSA-OAEP" }] }), []);
    for (const alg of ["ES256", "HS256", "none", 1]) {
      const [error] = errorsOf({ keys: [{ ...key, alg }] });
      assert.deepEqual([error?.path, error?.code], ["/keys/0", "not_algorithm_of_key"]);
    }
  });

  test("PR-36: each private JWK parameter is refused by its name, and never quoted", () => {
    for (const { privateKey } of [rsa, p256, ed25519].filter((pair) => pair !== undefined)) {
      const jwk = jwkOf(privateKey);
      const errors = errorsOf({
        keys: [
          { kid: "public", ...jwkOf(rsa.publicKey) },
          { kid: "private", ...jwk },
        ],
      });
      const secrets = Object.keys(jwk).filter((name) => !["kty", "crv", "x", "y", "n", "e"].includes(name));
      assert.ok(secrets.includes("d"));
      assert.deepEqual(
        new Set(errors.map(({ path }) => path)),
        new Set(secrets.map((name) => `/keys/1/${name}`)),
      );
      assert.ok(errors.every(({ code }) => code === "private_key"));
      assert.ok(!JSON.stringify(errors).includes(String(jwk.d)));
    }
    assert.deepEqual(errorsOf({ keys: [{ kty: "oct", k: "c2VjcmV0" }] }), [
      { path: "/keys/0/k", ...reason("private_key") },
    ]);
  });

  test("PR-36: a key that is too short, invalid or of an unsupported type is refused by its position", () => {
    const short = jwkOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);
    const wrong: [unknown, string][] = [
      [short, "key_too_short"],
      [jwkOf(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey), "unsupported_client_key"],
      [jwkOf(generateKeyPairSync("x25519").publicKey), "unsupported_client_key"],
      [jwkOf(generateKeyPairSync("ed448").publicKey), "unsupported_client_key"],
      [{ ...jwkOf(p256?.publicKey), crv: "P-384" }, "unsupported_client_key"],
      [{ kty: "RSA" }, "unsupported_client_key"],
      [{}, "unsupported_client_key"],
      ["key", "not_jwk"],
      [null, "not_jwk"],
    ];
    for (const [jwk, code] of wrong) {
      assert.deepEqual(
        errorsOf({ keys: [jwk] }).map((error) => [error.path, error.code]),
        [["/keys/0", code]],
        JSON.stringify(jwk),
      );
    }
  });

  test("several keys need distinct kids, and a key set must be an object with a short list of keys", () => {
    const key = jwkOf(p256?.publicKey);
    const at = (set: unknown) => errorsOf(set).map(({ path, code }) => [path, code]);
    assert.equal(keysOf({ keys: [key] })[0]?.kid, undefined);
    assert.deepEqual(keysOf({ keys: [] }), []);
    assert.deepEqual(at({ keys: [key, { ...key, kid: "b" }] }), [["/keys/0/kid", "key_id_missing"]]);
    assert.deepEqual(at({ keys: [{ ...key, kid: 1 }] }), [["/keys/0/kid", "not_string"]]);
    const twice = { keys: [1, 2].map(() => ({ ...key, kid: "a" })) };
    assert.deepEqual(at(twice), [["/keys/1/kid", "key_id_of_earlier_key"]]);
    const keys = Array.from({ length: mostClientKeys + 1 }, (_, index) => ({ ...key, kid: `k${index}` }));
    assert.equal(keysOf({ keys: keys.slice(1) }).length, mostClientKeys);
    assert.deepEqual(at({ keys }), [["/keys", "too_many_keys"]]);
    assert.deepEqual(at({ keys: [{ ...key, x5c: "x".repeat(mostKeySetBytes) }] }), [["", "too_many_bytes"]]);
    for (const set of [{}, { keys: {} }, [], null, "set"]) assert.deepEqual(at(set), [["", "not_key_set"]]);
  });
});

const curves = ["P-256", "P-384", "P-521"].map((namedCurve) => generateKeyPairSync("ec", { namedCurve }));
const jwkOfOfPublic_Keys = (key: KeyObject) => key.export({ format: "jwk" }) as Record<string, unknown>;

test("H-13: a JWK and a PEM of one key are read as the same key with its RFC 7638 thumbprint", async () => {
  for (const { publicKey } of [rsa, ...curves]) {
    const jwk = jwkOfOfPublic_Keys(publicKey);
    const read = readPublicJwk({ ...jwk, kid: "any", use: "sig", alg: "none", extra: 1 });
    assert.ok(!("code" in read));
    assert.deepEqual(read, readPublicKey(publicKey.export({ type: "spki", format: "pem" }).toString()));
    assert.equal(read.thumbprint, await calculateJwkThumbprint(jwk, "sha256"));
  }
});

test("a private or symmetric JWK is refused as private, and no other invalid key is quoted", () => {
  for (const { privateKey } of [rsa, ...curves]) {
    const jwk = jwkOfOfPublic_Keys(privateKey);
    assert.deepEqual(readPublicJwk(jwk), reason("private_key"));
  }
  assert.deepEqual(readPublicJwk({ kty: "oct", k: "c2VjcmV0" }), reason("private_key"));
  const [p256] = curves;
  const point = jwkOfOfPublic_Keys(p256?.publicKey as KeyObject);
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

test("an RSA key that is too short, too long, or has the exponent 1 or 2 is refused", () => {
  const { n } = jwkOfOfPublic_Keys(rsa.publicKey);
  const short = jwkOfOfPublic_Keys(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey);
  assert.deepEqual(readPublicJwk(short), reason("key_too_short", { bits: 2048, actual: 1024 }));
  const long = { kty: "RSA", n: Buffer.alloc(1025, 0xff).toString("base64url"), e: "AQAB" };
  assert.deepEqual(readPublicJwk(long), reason("key_too_long", { bits: 8192, actual: 8200 }));
  assert.deepEqual(readPublicJwk({ kty: "RSA", n, e: "AQ" }), reason("unusual_exponent"));
  assert.deepEqual(readPublicJwk({ kty: "RSA", n, e: "Ag" }), reason("unusual_exponent"));
});

test("G-11: an RSA key needs a public exponent from 65537 to 2^32 (security finding 23)", () => {
  const { n } = jwkOfOfPublic_Keys(rsa.publicKey);
  for (const publicExponent of [3, 17, 257]) {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    assert.deepEqual(readPublicKey(pem), reason("unusual_exponent"), String(publicExponent));
    assert.deepEqual(readPublicJwk(jwkOfOfPublic_Keys(publicKey)), reason("unusual_exponent"));
  }
  // If the exponent has the length of the modulus, verifying a signature is as slow as creating one.
  for (const e of ["AQAAAAE", n])
    assert.deepEqual(readPublicJwk({ kty: "RSA", n, e }), reason("unusual_exponent"));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "_____w" })));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "AQAB" })));
  assert.ok(!("code" in readPublicJwk({ kty: "RSA", n, e: "AQAD" })));
});

test("a key pair can be generated for each of the six algorithms, and its halves match", async () => {
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
