import assert from "node:assert/strict";
import { generateKeyPairSync, hash } from "node:crypto";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { signJwt, verifyJwt } from "../../src/crypto/jwt.ts";
import {
  isSigningAlgorithm,
  leftHalfHash,
  publicJwkOf,
  type SigningAlgorithm,
  signingAlgorithms,
} from "../../src/crypto/signing_algorithms.ts";
import { generateSigningKey, type KeyRing, openKeyRing } from "../../src/crypto/signing_keys.ts";
import { signingAlgorithms as algorithmsOfRecords } from "../../src/records/names/names.ts";
import { signingKeyRecord, testSealer } from "./signing_key_records.ts";

const issuer = "https://id.example.com";
const now = new Date("2030-01-01T00:00:00Z");
const seconds = now.getTime() / 1000;
const claims = { iss: issuer, sub: "ada", aud: "api", iat: seconds, exp: seconds + 900 };

async function recordOf(algorithm: SigningAlgorithm, changes: object = {}) {
  const record = await signingKeyRecord(changes);
  return { ...record, ...(await generateSigningKey(testSealer, record.id, { algorithm })) };
}

describe("signing algorithms", () => {
  let ring: KeyRing;

  before(async () => {
    ring = await openKeyRing(await Promise.all(signingAlgorithms.map((name) => recordOf(name))), testSealer);
  });

  test("PR-54: key records and signing keys support the same algorithms, RS256 first", () => {
    assert.deepEqual(algorithmsOfRecords, signingAlgorithms);
    assert.equal(signingAlgorithms[0], "RS256");
    for (const name of ["none", "HS256", "ES384", "toString", ""])
      assert.equal(isSigningAlgorithm(name), false);
  });

  for (const algorithm of signingAlgorithms) {
    test(`PR-54: a signature with ${algorithm} is verified here, and by jose with only the published key set`, async () => {
      const key = ring.signingKey(now, algorithm);
      for (const typ of ["at+jwt", "JWT"] as const) {
        const token = await signJwt(key, typ, claims);
        assert.deepEqual(decodeProtectedHeader(token), { alg: algorithm, typ, kid: key.kid });
        const keys = createLocalJWKSet(ring.jwks(now));
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          typ,
          algorithms: [algorithm],
          currentDate: now,
        });
        assert.deepEqual(payload, claims);
        assert.deepEqual(await verifyJwt(token, ring, { typ, issuer, now }), claims);
      }
    });

    test(`${algorithm} signs where it costs less: on the event loop or in the thread pool`, async () => {
      const signature = ring.signingKey(now, algorithm).sign("input");
      assert.equal(signature instanceof Promise, ["RS256", "PS256"].includes(algorithm));
      assert.match(await signature, /^[A-Za-z0-9_-]{86,}$/);
    });

    test(`PR-55: a ${algorithm} token that names the alg or kid of another algorithm is rejected`, async () => {
      const token = await signJwt(ring.signingKey(now, algorithm), "at+jwt", claims);
      const [, payload = "", signature = ""] = token.split(".");
      for (const other of [...signingAlgorithms, "none", "HS256", "Ed25519"].filter(
        (name) => name !== algorithm,
      )) {
        const kids = signingAlgorithms.map((name) => ring.signingKey(now, name).kid);
        for (const kid of kids) {
          const header = Buffer.from(JSON.stringify({ alg: other, typ: "at+jwt", kid })).toString(
            "base64url",
          );
          const forged = `${header}.${payload}.${signature}`;
          assert.equal(
            await verifyJwt(forged, ring, { typ: "at+jwt", issuer, now }),
            undefined,
            `${other} ${kid}`,
          );
        }
      }
    });
  }

  test("PR-55: each published key has kid, use, alg and the public parameters of its type, and nothing else", () => {
    const { keys } = ring.jwks(now);
    const members = { RS256: ["n", "e"], PS256: ["n", "e"], ES256: ["crv", "x", "y"], EdDSA: ["crv", "x"] };
    assert.deepEqual(new Set(keys.map(({ alg }) => alg)), new Set(signingAlgorithms));
    for (const key of keys)
      assert.deepEqual(Object.keys(key), ["kty", "kid", "use", "alg", ...members[key.alg]]);
  });

  test("PR-54: RS256 signs by default, and an algorithm without a key is an error that names it", async () => {
    assert.equal(ring.signingKey(now).algorithm, "RS256");
    assert.deepEqual(ring.algorithms(now), [...signingAlgorithms]);
    const alone = await openKeyRing([await recordOf("RS256")], testSealer);
    assert.deepEqual(alone.algorithms(now), ["RS256"]);
    assert.throws(() => alone.signingKey(now, "ES256"), /no ES256 signing key/);
  });

  test("PR-55: keys of each algorithm are rotated separately", async () => {
    const day = 86_400_000;
    const before = { activates_at: new Date(now.getTime() - day) };
    const retired = { ...before, retires_at: now, expires_at: new Date(now.getTime() + day) };
    const [rsa, oldCurve, newCurve] = await Promise.all([
      recordOf("RS256", before),
      recordOf("ES256", retired),
      recordOf("ES256", { activates_at: now }),
    ]);
    const rotated = await openKeyRing([rsa, oldCurve, newCurve], testSealer);
    const earlier = new Date(now.getTime() - 1);
    assert.equal(rotated.signingKey(earlier, "ES256").kid, oldCurve.kid);
    assert.equal(rotated.signingKey(now, "ES256").kid, newCurve.kid);
    assert.equal(rotated.signingKey(now).kid, rsa.kid);
  });

  test("PR-55: a key that does not match its algorithm is not loaded", async () => {
    for (const algorithm of signingAlgorithms) {
      for (const other of signingAlgorithms) {
        const record = { ...(await recordOf(algorithm)), algorithm: other };
        const fits =
          algorithm === other ||
          (algorithm.endsWith("S256") && other.endsWith("S256") && algorithm[0] !== "E" && other[0] !== "E");
        const opening = openKeyRing([record], testSealer);
        if (fits) assert.ok(await opening);
        else await assert.rejects(opening, /is not a[n]? .*key of/);
      }
    }
  });

  test("PR-55: at_hash is the left half of SHA-256, or of SHA-512 for Ed25519", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        for (const algorithm of signingAlgorithms) {
          const [name, characters] = algorithm === "EdDSA" ? ["sha512", 64] : ["sha256", 32];
          const half = Buffer.from(hash(String(name), value, "hex").slice(0, Number(characters)), "hex");
          assert.equal(leftHalfHash(value, algorithm), half.toString("base64url"));
        }
      }),
    );
  });

  test("keys of unsupported types are not published", () => {
    const others = [generateKeyPairSync("ec", { namedCurve: "P-384" }), generateKeyPairSync("ed448")];
    for (const { publicKey } of others) assert.throws(() => publicJwkOf(publicKey), TypeError);
  });
});
