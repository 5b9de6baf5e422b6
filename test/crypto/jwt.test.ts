import assert from "node:assert/strict";
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { signJwt, verifyJwt } from "../../src/crypto/jwt.ts";
import { leftHalfHash } from "../../src/crypto/signing_algorithms.ts";
import { type KeyRing, openKeyRing, type SigningKey } from "../../src/crypto/signing_keys.ts";
import { codePoint } from "../support/code_point.ts";
import { signingKeyRecord, testSealer } from "./signing_key_records.ts";

const issuer = "https://id.example.com";
const now = new Date("2030-01-01T00:00:00Z");
const seconds = now.getTime() / 1000;
const claims = {
  iss: issuer,
  sub: "ada",
  aud: ["api", issuer],
  iat: seconds,
  exp: seconds + 900,
  name: "Ada ✓",
};

const encoded = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Returns a token with any header and payload, signed with RS256 by any key. */
function forge(header: unknown, payload: unknown, privateKey: KeyObject): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
}

describe("signing and verifying JWTs", () => {
  let ring: KeyRing;
  let key: SigningKey;
  let privateKey: KeyObject;
  let token: string;
  const attacker = generateKeyPairSync("rsa", { modulusLength: 2048 });

  before(async () => {
    const record = await signingKeyRecord();
    privateKey = createPrivateKey(testSealer.open("signing_key", record.private_key_sealed, record.id));
    ring = await openKeyRing([record], testSealer);
    key = ring.signingKey(now);
    token = await signJwt(key, "at+jwt", claims);
  });

  const check = (text: string, options: Partial<Parameters<typeof verifyJwt>[2]> = {}) =>
    verifyJwt(text, ring, { typ: "at+jwt", issuer, now, ...options });

  test("a token signed here verifies here, and in jose with only the published key set", async () => {
    assert.deepEqual(await check(token), claims);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(ring.jwks(now)), {
      issuer,
      audience: "api",
      typ: "at+jwt",
      algorithms: ["RS256"],
      currentDate: now,
    });
    assert.deepEqual(payload, claims);
    assert.deepEqual(protectedHeader, { alg: "RS256", typ: "at+jwt", kid: key.kid });
  });

  test("any JSON object survives signing unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()), async (extra) => {
        const payload = JSON.parse(JSON.stringify({ ...extra, iss: issuer, exp: seconds + 1, nbf: seconds }));
        const signed = await signJwt(key, "JWT", payload);
        assert.equal(JSON.stringify(await check(signed, { typ: "JWT" })), JSON.stringify(payload));
      }),
      { numRuns: 30 },
    );
  });

  test("I-4: alg none is refused, with and without a valid signature", async () => {
    for (const alg of ["none", "None", "NONE", "nOnE", ""]) {
      const input = `${encoded({ alg, typ: "at+jwt", kid: key.kid })}.${encoded(claims)}`;
      assert.equal(await check(`${input}.`), undefined);
      assert.equal(await check(`${input}.${token.split(".")[2]}`), undefined);
    }
    const [header, payload] = token.split(".");
    assert.equal(await check(`${header}.${payload}.`), undefined);
    assert.equal(await check(`${header}.${payload}`), undefined);
  });

  test("I-4: HS256 with our public key as the secret is refused", async () => {
    const secrets = [
      key.publicKey.export({ type: "spki", format: "pem" }),
      key.publicKey.export({ type: "spki", format: "der" }),
      JSON.stringify(ring.jwks(now).keys[0]),
    ];
    for (const secret of secrets) {
      const input = `${encoded({ alg: "HS256", typ: "at+jwt", kid: key.kid })}.${encoded(claims)}`;
      assert.equal(
        await check(`${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`),
        undefined,
      );
    }
  });

  test("I-4: a token signed by a foreign key is refused under our kid, its own kid or none", async () => {
    for (const kid of [key.kid, "other", "__proto__", undefined, 7]) {
      assert.equal(
        await check(forge({ alg: "RS256", typ: "at+jwt", kid }, claims, attacker.privateKey)),
        undefined,
      );
    }
  });

  test("I-4: a key that the token's header contains or links to is never used", async () => {
    const jwk = attacker.publicKey.export({ format: "jwk" });
    for (const extra of [
      { jwk },
      { jku: "https://attacker.example/jwks.json" },
      { x5u: "https://attacker.example/cert.pem" },
      { x5c: ["AAAA"] },
      { crit: ["b64"], b64: true },
    ]) {
      const header = { alg: "RS256", typ: "at+jwt", kid: key.kid, ...extra };
      assert.equal(await check(forge(header, claims, attacker.privateKey)), undefined);
      assert.equal(
        await check(forge(header, claims, privateKey)),
        undefined,
        "not even beside our own signature",
      );
    }
  });

  test("I-4: other RSA algorithms are refused, even with a signature by our own key", async () => {
    for (const alg of ["RS384", "RS512", "PS256"]) {
      assert.equal(await check(forge({ alg, typ: "at+jwt", kid: key.kid }, claims, privateKey)), undefined);
    }
  });

  test("I-4: an edited payload is refused", async () => {
    const [header, , signature] = token.split(".");
    for (const edited of [{ ...claims, sub: "mallory" }, { ...claims, exp: claims.exp + 1 }, {}]) {
      assert.equal(await check(`${header}.${encoded(edited)}.${signature}`), undefined);
    }
  });

  test("I-4: a token with any one character changed is refused, and no text throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.string({ unit: codePoint, maxLength: 1 }),
        async (at, character) => {
          const changed = token.slice(0, at) + character + token.slice(at + 1);
          assert.equal((await check(changed)) === undefined, changed !== token);
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: codePoint }),
        fc.json(),
        fc.json(),
        async (text, header, payload) => {
          assert.equal(await check(text), undefined);
          assert.equal(await check(`${encoded(header)}.${encoded(payload)}.${encoded(text)}`), undefined);
          assert.equal(
            await check(forge({ alg: "RS256", typ: "at+jwt", kid: key.kid }, payload, privateKey)),
            undefined,
          );
        },
      ),
    );
  });

  test("T-11: a token with unused bits set at the end of its signature is refused", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const sameBytes = [...alphabet]
      .map((last) => token.slice(0, -1) + last)
      .filter((text) => Buffer.from(text.split(".")[2] ?? "", "base64url").equals(signatureBytes()));
    assert.equal(sameBytes.length, 16);
    for (const text of sameBytes) assert.equal((await check(text)) !== undefined, text === token);
    for (const text of [`${token}=`, `${token}\n`, ` ${token}`, `${token}.`])
      assert.equal(await check(text), undefined);
  });

  const signatureBytes = () => Buffer.from(token.split(".")[2] ?? "", "base64url");

  test("I-5: an ID token is not an access token, and vice versa", async () => {
    const idToken = await signJwt(key, "JWT", claims);
    assert.equal(decodeProtectedHeader(idToken).typ, "JWT");
    assert.deepEqual(await check(idToken, { typ: "JWT" }), claims);
    assert.equal(await check(idToken), undefined);
    assert.equal(await check(token, { typ: "JWT" }), undefined);
    for (const typ of [undefined, "AT+JWT", "application/at+jwt", ""]) {
      assert.equal(await check(forge({ alg: "RS256", typ, kid: key.kid }, claims, privateKey)), undefined);
    }
  });

  test("issuer and audience are compared exactly", async () => {
    assert.equal(await check(token, { issuer: `${issuer}/` }), undefined);
    assert.ok(await check(token, { audience: "api" }));
    assert.ok(await check(token, { audience: issuer }));
    assert.equal(await check(token, { audience: "API" }), undefined);
    const without = await signJwt(key, "at+jwt", { iss: issuer, exp: claims.exp });
    assert.equal(await check(without, { audience: "api" }), undefined);
  });

  test("a token is valid up to its exp and invalid from then on, and a token without exp is invalid", async () => {
    assert.ok(await check(token, { now: new Date(claims.exp * 1000 - 1) }));
    assert.equal(await check(token, { now: new Date(claims.exp * 1000) }), undefined);
    for (const exp of [undefined, null, String(claims.exp), Number.MAX_VALUE * 2]) {
      assert.equal(await check(await signJwt(key, "at+jwt", { ...claims, exp })), undefined);
      assert.equal(
        await check(await signJwt(key, "at+jwt", { ...claims, exp }), { allowExpired: true }),
        undefined,
      );
    }
  });

  test("allowExpired ignores the expiry, and no other check", async () => {
    const late = { now: new Date((claims.exp + 1e6) * 1000), allowExpired: true };
    assert.deepEqual(await check(token, late), claims);
    assert.equal(await check(token, { ...late, issuer: "https://other.example" }), undefined);
    assert.equal(await check(token, { ...late, audience: "other" }), undefined);
    assert.equal(await check(token, { ...late, typ: "JWT" }), undefined);
    assert.equal(await check(`${token.slice(0, -6)}AAAAAA`, late), undefined);
  });

  test("a token over 8192 characters is not parsed", async () => {
    assert.ok(await check(await signJwt(key, "at+jwt", { ...claims, x: "x".repeat(5000) })));
    assert.equal(await check(await signJwt(key, "at+jwt", { ...claims, x: "x".repeat(6000) })), undefined);
  });
});

describe("at_hash", () => {
  test("O-1: at_hash matches the examples of OpenID Connect Core, appendix A", () => {
    assert.equal(
      leftHalfHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y", "RS256"),
      "77QmUPtjPfzWtF2AnpK9RQ",
    );
    assert.equal(
      leftHalfHash("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk", "RS256"),
      "LDktKdoQak3Pk0cnXxCltA",
    );
  });
});
