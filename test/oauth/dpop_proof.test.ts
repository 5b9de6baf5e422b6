import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import { currentNonce, normalizedHtu, readProof } from "../../src/oauth/dpop/proof.ts";
import { proveSender } from "../../src/oauth/dpop/sender.ts";
import type { RefusalKind } from "../../src/oauth/refusals/refuse.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import { issuer, type TestServer, testClock, testServer } from "../support/authorization_server.ts";
import { databasesInForm, describeInForm, openStoreAt } from "../support/databases.ts";
import { aProof, aProofKey, dpopOn, type ProofKey, tokenUrl, userinfoUrl } from "../support/dpop.ts";
import { codeParameters, endpointRequest, origin } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { withoutConversions } from "../support/without_conversions.ts";
import { aClientFixture, refusal, withSettings } from "./client_fixture.ts";
import { compact } from "./machine.ts";

const clock = testClock();
const key = aProofKey();
const request = { method: "POST", path: "/oauth/token", dpop: undefined };
const at = (access_token?: string) => ({ ...request, ...(access_token !== undefined && { access_token }) });

const read = (proof: string, access_token?: string) => readProof(proof, at(access_token), issuer);

type Given = Parameters<typeof aProof>[2];
const signed = (input?: Given, by: ProofKey = key) => aProof({ clock }, by, input);

async function refused(proof: string, kind: RefusalKind, access_token?: string): Promise<void> {
  await assert.rejects(read(proof, access_token), { kind });
}

describe("the validation of a DPoP proof", () => {
  for (const alg of proofAlgorithms) {
    test(`PR-46: a proof signed by ${alg} is read, and identifies its key by the thumbprint`, async () => {
      const own = aProofKey(alg);
      const { jkt, jti } = await read(await signed({ claims: { jti: "j-1" } }, own));
      assert.deepEqual([jkt, jti], [own.thumbprint, "j-1"]);
    });
  }

  test("PR-46: a request must have exactly one DPoP header with one proof", async () => {
    const proof = await signed();
    await refused(`${proof}, ${await signed()}`, "dpop_repeated");
    await refused(`${proof},`, "dpop_repeated");
    for (const text of ["", " ", "x", "a.b", `${proof}.`, `DPoP ${proof}`, proof.slice(0, -1), `${proof}A`]) {
      await assert.rejects(read(text), { code: "invalid_dpop_proof" }, JSON.stringify(text));
    }
    await refused("", "dpop_not_jwt");
    await refused("a".repeat(9000), "dpop_not_jwt");
    await refused(compact("[]", {}), "dpop_not_jwt");
  });

  test("PR-46: a JWT of another type is not accepted as a proof", async () => {
    for (const typ of [
      undefined,
      "JWT",
      "at+jwt",
      "DPOP+JWT ",
      "client-authentication+jwt",
      "logout+jwt",
      7,
    ]) {
      await refused(await signed({ header: { typ } }), "dpop_typ");
    }
  });

  test("PR-46: the algorithm must be asymmetric and one of those supported", async () => {
    const claims = { jti: "j", htm: "POST", htu: tokenUrl, iat: 0 };
    for (const alg of ["none", "HS256", "RS1", "ES256K", "RS512", undefined, 7, "__proto__", "constructor"]) {
      await refused(compact({ typ: "dpop+jwt", alg, jwk: key.jwk }, claims), "dpop_alg");
    }
    await refused(await signed({}, aProofKey("ES384")), "dpop_alg");
    // No library signs an extension that it does not know.
    const unknown = { typ: "dpop+jwt", alg: "ES256", jwk: key.jwk, crit: ["exp"], exp: 1 };
    await refused(compact(unknown, claims), "dpop_crit");
  });

  test("PR-46: a jwk with a private or symmetric parameter is refused, whatever its value", async () => {
    for (const name of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) {
      for (const value of ["AQAB", "", null]) {
        await refused(await signed({ header: { jwk: { ...key.jwk, [name]: value } } }), "dpop_jwk_private");
      }
    }
    const jwk = key.privateKey.export({ format: "jwk" });
    await refused(await signed({ header: { jwk } }), "dpop_jwk_private");
    await refused(
      compact({ typ: "dpop+jwt", alg: "ES256", jwk: { kty: "oct", k: "AAAA" } }, {}),
      "dpop_jwk_private",
    );
  });

  test("PR-46: a jwk that is invalid or does not match the algorithm is refused", async () => {
    const rsa = aProofKey("RS256");
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" });
    const weak = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 });
    const off = { ...key.jwk, y: key.jwk.x };
    for (const jwk of [undefined, null, "x", [], {}, { kty: "EC" }, { kty: 7 }, off, rsa.jwk]) {
      await refused(compact({ typ: "dpop+jwt", alg: "ES256", jwk }, {}), "dpop_jwk");
    }
    // Verifying would be as slow as signing, and any caller may send such a key.
    const slow = { ...rsa.jwk, e: rsa.jwk.n };
    const long = { ...rsa.jwk, e: "AQAAAAE" };
    for (const jwk of [
      key.jwk,
      short,
      slow,
      long,
      weak.publicKey.export({ format: "jwk" }),
      aProofKey("EdDSA").jwk,
    ]) {
      for (const alg of ["RS256", "PS256"])
        await refused(compact({ typ: "dpop+jwt", alg, jwk }, {}), "dpop_jwk");
    }
  });

  test("PR-46: the signature must be by the key in the proof and the algorithm that the proof names", async () => {
    const other = aProofKey();
    await refused(await signed({ header: { jwk: other.jwk } }), "dpop_unverified");
    const [header, claims, signature] = (await signed()).split(".");
    const [, others] = (await signed({ claims: { jti: "other" } })).split(".");
    await refused(`${header}.${others}.${signature}`, "dpop_unverified");
    await refused(`${header}.${claims}.`, "dpop_unverified");
    const rsa = aProofKey("RS256");
    const text = await signed({}, rsa);
    const asPs = text.replace(
      /^[^.]+/,
      compact({ typ: "dpop+jwt", alg: "PS256", jwk: rsa.jwk }, {}).split(".")[0] ?? "",
    );
    await refused(asPs, "dpop_unverified");
  });

  test("PR-46: htm, htu, jti and iat must be present and valid", async () => {
    const wrong: readonly (readonly [string, readonly unknown[], RefusalKind])[] = [
      ["htm", [undefined, "GET", "post", ["POST"], 7], "dpop_htm"],
      ["htu", [undefined, "", 7, ["x"], `${issuer}/oauth/userinfo`, `${issuer}/oauth/token/`], "dpop_htu"],
      ["jti", [undefined, "", 7, "j".repeat(257), ["j"]], "dpop_jti"],
      ["iat", [undefined, "1", null, true], "dpop_iat"],
      ["nonce", [7, null, ["n"]], "dpop_nonce_malformed"],
    ];
    for (const [name, values, kind] of wrong) {
      for (const value of values) await refused(await signed({ claims: { [name]: value } }), kind);
    }
    assert.equal((await read(await signed({ claims: { jti: "j".repeat(256) } }))).jti.length, 256);
  });

  test("H-1, PR-46: a value that cannot be converted to text is refused, in any field", async () => {
    const refuses = async (proof: string, what: string) =>
      assert.rejects(read(proof, "token"), { code: "invalid_dpop_proof" }, what);
    for (const value of withoutConversions) {
      for (const name of ["typ", "alg", "jwk", "crit", "b64"])
        await refuses(compact({ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk, [name]: value }, {}), name);
      for (const name of ["kty", "crv", "x", "y", "n", "e", "alg", "use", "kid", "key_ops", "ext"]) {
        const jwk = { ...key.jwk, [name]: value };
        await refuses(compact({ typ: "dpop+jwt", alg: "ES256", jwk }, {}), `jwk.${name}`);
      }
      for (const name of ["htm", "htu", "jti", "iat", "nonce", "ath"])
        await refuses(await signed({ access_token: "token", claims: { [name]: value } }), name);
    }
  });

  test("PR-46: at a resource, ath must be the hash of the token sent with the proof", async () => {
    const token = "eyJ.some.token";
    await read(await signed({ access_token: token }), token);
    await refused(await signed(), "dpop_ath_missing", token);
    for (const ath of [sha256Base64url("another"), `${sha256Base64url(token)}=`, token, 7, null]) {
      await refused(await signed({ claims: { ath } }), "dpop_ath", token);
    }
    assert.ok(await read(await signed({ claims: { ath: "whatever" } })), "the token endpoint asks for none");
  });

  test("PR-46: unknown fields of a proof are ignored", async () => {
    const header = {
      jku: "https://evil.example/jwks",
      x5u: "https://evil.example/",
      kid: "../../etc/passwd",
    };
    const { jkt } = await read(await signed({ header, claims: { sub: "x", exp: 1 } }));
    assert.equal(jkt, key.thumbprint);
    const jwk = { ...key.jwk, alg: "RS256", use: "enc", kid: "k", ext: true };
    assert.equal((await read(await signed({ header: { jwk } }))).jkt, key.thumbprint);
  });

  test("PR-53: a wrong htu is explained only if the proof's signature is valid", async () => {
    const htu = "https://proxy.internal/oauth/token";
    await assert.rejects(read(await signed({ claims: { htu } })), ({ evidence, description }: never) => {
      const [piece] = (evidence as () => { received: string; expected: string }[])();
      assert.deepEqual([piece?.received, piece?.expected], [htu, tokenUrl]);
      assert.match(description, new RegExp(`must be ${tokenUrl}$`));
      return true;
    });
    const unsigned = await new SignJWT({ htu })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: aProofKey().jwk })
      .sign(key.privateKey);
    await refused(unsigned, "dpop_unverified");
  });
});

describe("the URL in a DPoP proof (htu)", () => {
  const { host } = new URL(issuer);
  const same = [
    ...listed`
    HTTPS://${host}/oauth/token https://${host}:443/oauth/token ${tokenUrl}?a=b ${tokenUrl}? ${tokenUrl}#part
    ${issuer}/oauth/./token ${issuer}/oauth/x/../token ${issuer}/x/%2e%2E/oauth/token
    ${issuer}/%6Fauth/toke%6e
  `,
    tokenUrl,
    `https://${host.toUpperCase()}/oauth/token`,
  ];
  for (const htu of same) {
    test(`PR-47: ${htu} is accepted for the token endpoint`, async () => {
      assert.equal(normalizedHtu(htu), tokenUrl);
      assert.ok(await read(await signed({ claims: { htu } })));
    });
  }

  const others = [
    ...listed`
    http://${host}/oauth/token https://${host}:8443/oauth/token https://${host}./oauth/token
    https://evil.example/oauth/token https://${host}@evil.example/oauth/token
    https://evil.example@${host}/oauth/token https://a:b@${host}/oauth/token ${issuer}//oauth/token
    ${issuer}/oauth/Token ${issuer}/oauth/token/ ${issuer}/oauth%2Ftoken ${issuer}/oauth/token%20
    ${issuer}\\oauth\\token https:/oauth/token https:${host}/oauth/token //${host}/oauth/token /oauth/token
    oauth/token urn:x:y javascript:${tokenUrl} https:// https://[::1/oauth/token ${tokenUrl}\u0000
    https://${host}／oauth/token
  `,
    ` ${tokenUrl}`,
    `${tokenUrl} `,
    `${issuer}/oauth/tok\nen`,
  ];
  for (const htu of others) {
    test(`PR-47: ${JSON.stringify(htu)} is refused for the token endpoint`, async () => {
      await refused(await signed({ claims: { htu } }), "dpop_htu");
    });
  }

  test("PR-47: percent-encoding in htu may be in either case, and unreserved characters may be encoded", () => {
    assert.equal(normalizedHtu(`${issuer}/a%c3%A9/%7Eb`), `${issuer}/a%C3%A9/~b`);
    assert.notEqual(normalizedHtu(`${issuer}/a%2Fb`), normalizedHtu(`${issuer}/a/b`));
  });
});

describe("nonces and clock differences of proofs", () => {
  let plain: TestServer;
  before(async () => {
    const [sqlite] = databasesInForm;
    assert.ok(sqlite);
    plain = await testServer(await sqlite.open());
  });

  const at = (dpop_nonce: "off" | "clock" | "always") => withSettings(plain, { ...dpopOn, dpop_nonce });
  const confirmed = async (scenario: TestServer, skew: number, nonce?: unknown) => {
    const iat = Math.floor(scenario.clock.now().getTime() / 1000) + skew;
    const header = await aProof(scenario, key, { claims: { iat, nonce } });
    return proveSender({ method: "POST", path: "/oauth/token", dpop: header }, scenario.server);
  };

  test("PR-48: a clock difference of up to a minute is accepted in either direction", async () => {
    for (const policy of ["off", "clock"] as const) {
      for (const skew of [0, 10, -10, 60, -60]) assert.ok(await confirmed(at(policy), skew));
      const code = policy === "off" ? "invalid_dpop_proof" : "use_dpop_nonce";
      for (const skew of [62, -62, 3600, -1e9, 1e15]) {
        const reported = new RegExp(skew > 0 ? "ahead of" : "behind");
        await assert.rejects(confirmed(at(policy), skew), refusal(code, reported));
      }
    }
  });

  test("PR-48: a client with a wrong clock succeeds at the first retry if it uses the nonce", async () => {
    const scenario = at("clock");
    await assert.rejects(confirmed(scenario, -3600), refusal("use_dpop_nonce"));
    assert.ok(await confirmed(scenario, -3600, currentNonce(scenario.server)));
    await assert.rejects(confirmed(scenario, -3600, "x"), refusal("use_dpop_nonce"));
    await assert.rejects(
      confirmed(at("off"), -3600, currentNonce(scenario.server)),
      refusal("invalid_dpop_proof"),
    );
  });

  test("PR-48: a nonce not issued by this server is always refused, and the current one accepted", async () => {
    for (const policy of ["off", "clock", "always"] as const) {
      const scenario = at(policy);
      for (const nonce of ["", "of another server"])
        await assert.rejects(confirmed(scenario, 0, nonce), refusal("use_dpop_nonce", /unknown or expired/));
      assert.ok(await confirmed(scenario, 0, currentNonce(scenario.server)), policy);
    }
  });

  test("PR-48: if each proof needs a nonce, a proof without one is refused", async () => {
    const scenario = at("always");
    await assert.rejects(confirmed(scenario, 0), refusal("use_dpop_nonce", /must have a nonce/));
    await assert.rejects(confirmed(scenario, 0, "x"), refusal("use_dpop_nonce", /unknown or expired/));
    assert.ok(await confirmed(scenario, 0, currentNonce(scenario.server)));
  });

  test("PR-48: a nonce is valid in every process with the same key, for at most five minutes", async () => {
    const scenario = at("always");
    const other = withSettings(await testServer(plain.store), { ...dpopOn, dpop_nonce: "always" });
    const nonce = currentNonce(scenario.server);
    assert.ok(await confirmed(other, 0, nonce));
    other.clock.advance(301);
    await assert.rejects(confirmed(other, 0, nonce), refusal("use_dpop_nonce"));
    assert.notEqual(currentNonce(other.server), nonce);
    assert.ok(await confirmed(other, 0, currentNonce(other.server)));
    const foreign = { ...other, server: { ...other.server, issuer: "https://other.example" } };
    assert.notEqual(currentNonce(foreign.server), currentNonce(other.server));
  });
});

describeInForm("the reuse of one proof", (database) => {
  test("PR-48: if a proof is sent to two servers in parallel, one accepts it, also after a restart", async () => {
    const address = await database.tables();
    const [one, two] = [await openStoreAt(address), await openStoreAt(address)];
    const scenarios = [await testServer(one, dpopOn), await testServer(two, dpopOn)];
    const [scenario] = scenarios;
    assert.ok(scenario);
    const fixture = await aClientFixture(scenario, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
    });
    const requested = { grant_type: "client_credentials", scope: "orders:read" };
    const used = await aProof(scenario, key, { url: tokenUrl });
    const request = { ...endpointRequest(requested, fixture.authorization), dpop: used };
    const many = Array.from({ length: 20 }, (_, index) => scenarios[index % 2] ?? scenario);
    const answers = await Promise.allSettled(many.map(({ server }) => token(request, server)));
    const input = answers.filter(({ status }) => status === "fulfilled");
    assert.equal(input.length, 1);
    for (const answer of answers) {
      if (answer.status === "rejected") refusal("invalid_dpop_proof", /already used/)(answer.reason);
    }
    await one.close();
    await two.close();
    const again = await testServer(await openStoreAt(address), dpopOn);
    await assert.rejects(token(request, again.server), refusal("invalid_dpop_proof", /already used/));
  });

  test("PR-48: if a proof is sent to a resource in parallel, exactly one request is accepted", async () => {
    const scenario = await testServer(await database.open(), dpopOn);
    const fixture = await aClientFixture(scenario);
    const form = codeParameters(fixture.app, await fixture.code());
    const bound = await token(
      { ...endpointRequest(form, fixture.authorization), dpop: await aProof(scenario, key) },
      scenario.server,
    );
    const { access_token } = bound;
    const proof = await aProof(scenario, key, { method: "GET", url: userinfoUrl, access_token });
    const authorization = `DPoP ${access_token}`;
    const request = { method: "GET", authorization, dpop: proof, params: undefined, origin };
    const requested = Array.from({ length: 12 }, () => userinfo(request, scenario.server));
    const answers = await Promise.allSettled(requested);
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
  });
});
