import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, hash, randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import { SealError, sealer } from "../../src/crypto/sealing.ts";
import {
  generateSigningKey,
  type KeyRing,
  openKeyRing,
  type SigningKeyRecord,
} from "../../src/crypto/signing_keys.ts";
import { UnavailableError } from "../../src/errors.ts";
import { signingKeyRecord, testSealer } from "./signing_key_records.ts";

const at = (day: number) => new Date(Date.UTC(2030, 0, day));

describe("stored signing keys", () => {
  let oldest: SigningKeyRecord;
  let current: SigningKeyRecord;
  let next: SigningKeyRecord;
  let ring: KeyRing;

  before(async () => {
    [oldest, current, next] = await Promise.all([
      signingKeyRecord({ activates_at: at(1), retires_at: at(10), expires_at: at(12) }),
      signingKeyRecord({ activates_at: at(10), retires_at: at(20), expires_at: at(22) }),
      signingKeyRecord({ activates_at: at(20) }),
    ]);
    ring = await openKeyRing([current, oldest, next], testSealer);
  });

  test("D-5: a key record contains no plaintext private key, and decrypts to the one of its public key", () => {
    const text = JSON.stringify(current);
    assert.doesNotMatch(text, /PRIVATE|BEGIN|"d"/);
    assert.match(current.private_key_sealed, /^v1\./);
    const pem = testSealer.open("signing_key", current.private_key_sealed, current.id);
    assert.match(pem, /^-----BEGIN PRIVATE KEY-----\n/);
    assert.equal(createPublicKey(pem).export({ format: "jwk" }).n, current.public_jwk.n);
  });

  test("D-5: an encrypted key copied into another record does not decrypt", async () => {
    const moved = { ...current, private_key_sealed: next.private_key_sealed };
    await assert.rejects(openKeyRing([moved], testSealer), SealError);
  });

  test("D-5: a key encrypted under an older secret key loads while that secret key is listed, and prevents startup afterwards", async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const made = await generateSigningKey(sealer([first]), current.id);
    const record = { ...current, ...made };
    const rotated = await openKeyRing([record], sealer([second, first]));
    assert.equal(rotated.signingKey(at(15)).kid, made.kid);
    await assert.rejects(openKeyRing([record], sealer([second])), /signing_key.*missing/);
  });

  test("design 6.21: if one signing key cannot be decrypted, none is loaded", async () => {
    const broken = { ...next, private_key_sealed: `${next.private_key_sealed.slice(0, -8)}AAAAAAAA` };
    await assert.rejects(openKeyRing([current, broken], testSealer), SealError);
  });

  test("the kid is the RFC 7638 thumbprint of the public key", () => {
    const { n, e } = current.public_jwk;
    assert.equal(current.kid, hash("sha256", `{"e":"${e}","kty":"RSA","n":"${n}"}`, "base64url"));
  });

  test("a key that does not match its kid is refused, and so are two keys with the same kid", async () => {
    await assert.rejects(openKeyRing([{ ...current, kid: next.kid }], testSealer), /kid/);
    await assert.rejects(openKeyRing([current, current], testSealer), /same kid/);
  });

  test("D-3: the key set contains only public parameters, RSA of 2048 bits or more, unique kids, newest first", () => {
    const { keys } = ring.jwks(at(11));
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      [next.kid, current.kid, oldest.kid],
    );
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).toSorted(), ["alg", "e", "kid", "kty", "n", "use"]);
      assert.equal(key.kty, "RSA");
      assert.equal(key.use, "sig");
      assert.equal(key.alg, "RS256");
      assert.equal(key.e, "AQAB");
      assert.ok(Buffer.from(String(key.n), "base64url").length >= 256);
    }
  });

  test("D-3: an RSA key under 2048 bits, or a key of another type, is neither created nor loaded", async () => {
    await assert.rejects(generateSigningKey(testSealer, "id", { bits: 1024 }), RangeError);
    for (const { privateKey } of [
      generateKeyPairSync("rsa", { modulusLength: 1024 }),
      generateKeyPairSync("ec", { namedCurve: "P-256" }),
    ]) {
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      const record = { ...current, private_key_sealed: testSealer.seal("signing_key", pem, current.id) };
      await assert.rejects(openKeyRing([record], testSealer), /RSA key of 2048 bits/);
    }
  });

  test("D-4: a key is published before it signs, signs until it is retired, and stays until its tokens expire", () => {
    const kids = (day: number) => ring.published(at(day)).map(({ kid }) => kid);
    assert.equal(ring.signingKey(at(1)).kid, oldest.kid);
    assert.equal(ring.signingKey(at(9)).kid, oldest.kid);
    assert.equal(ring.signingKey(at(10)).kid, current.kid);
    assert.equal(ring.signingKey(at(19)).kid, current.kid);
    assert.equal(ring.signingKey(at(20)).kid, next.kid);
    assert.deepEqual(kids(5), [next.kid, current.kid, oldest.kid]);
    assert.deepEqual(kids(12), [next.kid, current.kid]);
    assert.deepEqual(kids(22), [next.kid]);
  });

  test("D-4: of two active keys the newer signs, whatever the order of the records", async () => {
    const overlapping = [
      { ...oldest, retires_at: null, expires_at: null },
      { ...current, retires_at: null, expires_at: null },
    ];
    for (const records of [overlapping, overlapping.toReversed()]) {
      assert.equal((await openKeyRing(records, testSealer)).signingKey(at(15)).kid, current.kid);
    }
    const twins = overlapping.map((record) => ({ ...record, activates_at: at(1), created_at: at(1) }));
    const [one, other] = await Promise.all(
      [twins, twins.toReversed()].map((list) => openKeyRing(list, testSealer)),
    );
    assert.equal(one?.signingKey(at(2)).kid, other?.signingKey(at(2)).kid);
  });

  test("D-4: if no key is active, the next one signs, else the last one, but never an unpublished one", async () => {
    assert.equal(
      ring.signingKey(new Date(0)).kid,
      oldest.kid,
      "before the first activation the earliest signs",
    );
    const gap = await openKeyRing([oldest, { ...next, activates_at: at(15) }], testSealer);
    assert.equal(gap.signingKey(at(11)).kid, next.kid);
    const ended = await openKeyRing([oldest], testSealer);
    assert.equal(ended.signingKey(at(11)).kid, oldest.kid);
    assert.throws(() => ended.signingKey(at(12)), /no RS256 signing key/);
  });

  test("F-31: without any signing key the server loads, and requests fail as if the database were unavailable", async () => {
    const empty = await openKeyRing([], testSealer);
    for (const ask of [() => empty.jwks(at(1)), () => empty.signingKey(at(1))]) {
      assert.throws(
        ask,
        (error) => error instanceof UnavailableError && /no .*signing key/.test(error.message),
      );
    }
  });

  test("a key is found by its exact kid even after it is no longer published", () => {
    assert.equal(ring.find(oldest.kid)?.public_jwk.n, oldest.public_jwk.n);
    for (const kid of ["", "__proto__", oldest.kid.toLowerCase(), oldest.kid.slice(0, -1)]) {
      assert.equal(ring.find(kid), undefined);
    }
  });
});
