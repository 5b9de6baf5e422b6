/** The FAPI 2.0 Security Profile: its restrictions and surprising details. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { rulesFor } from "../../src/oauth/core/rules_for.ts";
import { tokenAlgorithm } from "../../src/oauth/resources/audience.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { SigningAlgorithm } from "../../src/records/names/names.ts";
import { addKey, issuer, serverOn } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { aProof, aProofKey, userinfoUrl } from "../support/dpop.ts";
import {
  ask,
  authorizeAndConsent,
  authorizeParameters,
  codeParameters,
  credentialsOf,
  endpointRequest,
  origin,
  redeem,
  redirected,
} from "../support/flows.ts";
import { authorizationOutcomes } from "./authorization_outcomes.ts";
import { aClientFixture, claimsAt, refusal, rejected, withSettings } from "./client_fixture.ts";
import { aFapiClient, switchedOn } from "./fapi2_fixture.ts";

/** Returns the header of a JWT without verifying it. */
const headerOf = (jwt = "") =>
  JSON.parse(Buffer.from(jwt.split(".")[0] ?? "", "base64url").toString()) as Record<string, unknown>;

const client = (what: RegExp) => refusal("invalid_client", what);

describeInForm("FAPI 2.0", (database) => {
  const as = serverOn(database, switchedOn);
  before(async () => {
    await addKey("ES256", { ...as, seal: as.server.sealer });
  });

  test("PR-57: a client with PAR, signed assertions and DPoP signs a user in, and every JWT is signed by ES256", async () => {
    const fixture = await aFapiClient(as);
    const answer = await fixture.answered({ nonce: "n" });
    assert.deepEqual([answer.get("state"), answer.get("iss")], ["s", issuer]);
    const tokens = await fixture.exchange(String(answer.get("code")));
    assert.equal(tokens.token_type, "DPoP");
    assert.equal(headerOf(tokens.access_token).alg, "ES256");
    assert.equal(headerOf(tokens.id_token).alg, "ES256");
    const dpop = await aProof(as, fixture.key, { method: "GET", url: userinfoUrl, ...tokens });
    const claims = await claimsAt(as, `dPoP ${tokens.access_token}`, dpop);
    assert.equal(claims.sub, fixture.who.user.id, "the name of the scheme has no case");
  });

  test("PR-57: tokens for an API use the API's algorithm if the profile allows it, and never RS256", async () => {
    const { app } = await aFapiClient(as);
    const rules = rulesFor(app, as.server);
    const signedBy = (access_token_signing_alg: SigningAlgorithm | null) =>
      tokenAlgorithm([{ access_token_signing_alg, identifier: "https://api.example" } as never], rules);
    assert.deepEqual(
      ["RS256", "PS256", "EdDSA", null].map((name) => signedBy(name as SigningAlgorithm)),
      ["ES256", "PS256", "EdDSA", "ES256"],
    );
  });

  test("PR-57: a request without PAR, DPoP, code_challenge or a confidential client is refused", async () => {
    const fixture = await aFapiClient(as);
    const unpushed = await ask(as, fixture.who, authorizeParameters(fixture.app));
    assert.equal(redirected(unpushed).get("error"), "invalid_request");
    assert.equal(redirected(unpushed).get("iss"), issuer);
    const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };
    await rejected(fixture.push(unchallenged), "invalid_request", /PKCE|code_challenge/);
    await rejected(fixture.push({ code_challenge_method: "plain" }), "invalid_request");
    const code = await fixture.code();
    await rejected(
      fixture.exchange(code, {}, { proof: undefined }),
      "invalid_dpop_proof",
      /requires a DPoP proof/,
    );
    await fixture.exchange(code);
    const machine = { grant_type: "client_credentials", scope: "orders:read" };
    await rejected(fixture.redeem(machine, { proof: undefined }), "invalid_dpop_proof");
    assert.equal((await fixture.redeem(machine)).token_type, "DPoP");

    const secretive = await anApp(as.store, { profile: "fapi2" });
    const authorization = await credentialsOf(as, secretive);
    await assert.rejects(
      token(endpointRequest({ grant_type: "client_credentials" }, authorization), as.server),
      client(/authentication failed/),
    );
    const open = await anApp(as.store, { profile: "fapi2", public: true });
    await assert.rejects(
      token(endpointRequest({ grant_type: "refresh_token", client_id: open.client_id }), as.server),
      client(/authentication failed/),
    );
  });

  test("PR-57: a redirect URI must be https and not loopback, even if it was registered before", async () => {
    const uris = ["http://127.0.0.1/cb", "https://localhost/cb", "https://127.0.0.1/cb", "com.example:/cb"];
    const fixture = await aFapiClient(as, { app: { app_type: "native", redirect_uris: uris } });
    for (const redirect_uri of uris)
      await rejected(fixture.push({ redirect_uri }), "invalid_request", /requires an https/);
    await rejected(
      (await aFapiClient(as)).push({ redirect_uri: "https://app.example/other" }),
      "invalid_request",
      /not registered/,
    );
  });

  test("PR-57: codes are valid for at most 60 seconds, whatever the setting says", async () => {
    const slow = withSettings(as, { authorization_code_ttl: 600 });
    const fixture = await aFapiClient(slow);
    const [good, late] = [await fixture.code(), await fixture.code()];
    as.clock.advance(59);
    await fixture.exchange(good);
    as.clock.advance(1);
    await rejected(fixture.exchange(late), "invalid_grant", /expired/);
  });

  test("PR-57, PR-59: client assertions signed by RS256 are refused under every name, PS256 and EdDSA are accepted", async () => {
    const machine = { grant_type: "client_credentials", scope: "orders:read" };
    for (const algorithm of ["PS256", "EdDSA", "Ed25519"]) {
      const fixture = await aFapiClient(as, { algorithm });
      assert.equal((await fixture.redeem(machine)).token_type, "DPoP", algorithm);
    }
    for (const algorithm of ["RS256", "PS384", "ES384"]) {
      const fixture = await aFapiClient(as, { algorithm });
      await assert.rejects(
        fixture.redeem(machine),
        client(/may use only PS256 or ES256 or EdDSA or Ed25519/),
      );
      await assert.rejects(fixture.push(), client(/may use only/));
    }
    const fixture = await aFapiClient(as);
    for (const [of, jwt] of Object.entries(await unsigned(fixture)))
      await assert.rejects(fixture.redeem({ ...machine, client_assertion: jwt }), client(/./), of);
  });

  /** Returns the error for an unsigned assertion. */
  async function unsigned(fixture: Awaited<ReturnType<typeof aFapiClient>>) {
    const [, claims] = (await fixture.assertion()).split(".");
    const header = Buffer.from('{"alg":"none","kid":"k1"}').toString("base64url");
    const signed = await fixture.assertion();
    return { none: `${header}.${claims}.`, stripped: `${signed.slice(0, signed.lastIndexOf("."))}.` };
  }

  test("PR-36: an app's token_endpoint_auth_signing_alg is enforced, with and without a profile", async () => {
    const machine = { grant_type: "client_credentials", scope: "orders:read" };
    for (const profile of ["fapi2", null] as const) {
      const app = { profile, token_endpoint_auth_signing_alg: "PS256" } as const;
      const pushes = await aFapiClient(as, { algorithm: "PS256", app });
      await pushes.redeem(machine);
      await assert.rejects(
        pushes.redeem(machine, { header: { alg: "RS256" } }),
        client(/may use only PS256/),
      );
      const other = await aFapiClient(as, { algorithm: "ES256", app });
      await assert.rejects(other.redeem(machine), client(/may use only PS256/));
    }
  });

  test("PR-57: DPoP proofs signed by RS256 are refused at the token endpoint, at pushes and at resources", async () => {
    const fixture = await aFapiClient(as);
    const weak = aProofKey("RS256");
    const refused = refusal("invalid_dpop_proof", /signed with one of PS256, ES256, EdDSA, Ed25519/);
    const machine = { grant_type: "client_credentials", scope: "orders:read" };
    await assert.rejects(fixture.redeem(machine, { proof: aProof(as, weak) }), refused);
    const url = `${issuer}/oauth/par`;
    await assert.rejects(fixture.push({}, { proof: aProof(as, weak, { url }) }), refused);
    // The same RSA key signs with PS256 when the token is issued, and with RS256 when it is used.
    const strong = { ...weak, alg: "PS256" };
    const tokens = await fixture.exchange(await boundTo(strong, fixture), {}, { proof: aProof(as, strong) });
    const shown = (key: typeof weak) => async () => {
      const dpop = await aProof(as, key, { method: "GET", url: userinfoUrl, ...tokens });
      return claimsAt(as, `DPoP ${tokens.access_token}`, dpop);
    };
    await assert.rejects(shown(weak)(), refused);
    assert.equal((await shown(strong)()).sub, fixture.who.user.id);
  });

  async function boundTo(
    key: ReturnType<typeof aProofKey>,
    fixture: Awaited<ReturnType<typeof aFapiClient>>,
  ) {
    const { request_uri } = await fixture.push(
      {},
      { proof: aProof(as, key, { url: `${issuer}/oauth/par` }) },
    );
    const { client_id } = fixture.app;
    return String((await authorizeAndConsent(as, fixture.who, { client_id, request_uri })).get("code"));
  }

  test("PR-57, PR-33: assertions must have the issuer as audience, whatever the app's record allows", async () => {
    const app = { client_assertion_audience: "issuer_or_token_endpoint" } as const;
    const fixture = await aFapiClient(as, { app });
    const machine = { grant_type: "client_credentials", scope: "orders:read" };
    for (const aud of [
      `${issuer}/oauth/token`,
      `${issuer}/oauth/par`,
      `${issuer}/`,
      [issuer],
      [issuer, "https://other.example"],
      "https://other.example",
      undefined,
    ])
      await assert.rejects(fixture.redeem(machine, { claims: { aud } }), client(/aud must be/));
    await fixture.redeem(machine, { claims: { aud: issuer } });
  });

  test("PR-58: a refresh token does not change, even if the response was lost, and another client cannot use it", async () => {
    const fixture = await aFapiClient(as, { app: { refresh_token_rotation: true } });
    const { refresh_token, access_token } = await fixture.exchange(await fixture.code());
    const lost = await fixture.refresh(refresh_token);
    assert.equal(lost.refresh_token, undefined, "it stays what it was");
    as.clock.advance(30);
    const again = await fixture.refresh(refresh_token);
    assert.notEqual(again.access_token, lost.access_token);
    assert.notEqual(again.access_token, access_token);
    assert.equal(headerOf(again.access_token).alg, "ES256");
    as.clock.advance(3600);
    await fixture.refresh(refresh_token);
    await rejected((await aFapiClient(as)).refresh(refresh_token), "invalid_grant");
  });
});

/** A request without PKCE. */
const unchallenged = { code_challenge: undefined, code_challenge_method: undefined };

describeInForm("OAuth 2.1 profile", (database) => {
  const as = serverOn(database);

  /**
   * Returns two clients under the profile: the server enables it for the first, and the app's record for the
   * second.
   */
  const held = async (overrides: object = {}) => [
    await aClientFixture(withSettings(as, { profiles: ["oauth21"] }), overrides),
    await aClientFixture(as, { profile: "oauth21", ...overrides }),
  ];

  test("design 6.24: under the profile a confidential client must use PKCE, and otherwise it need not", async () => {
    for (const fixture of await held({ first_party: true })) {
      const scenario = { as: fixture.test, who: fixture.who, app: fixture.app };
      const answer = await authorizationOutcomes(() => scenario).refusedWith("invalid_request", unchallenged);
      assert.match(String(answer.get("error_description")), /PKCE/);
      await fixture.flow();
    }
    const free = await aClientFixture(as, { first_party: true });
    const code = await free.code(unchallenged);
    assert.ok(await free.exchange(code, { code_verifier: undefined }));
  });

  test("A-14: a confidential app is refused without PKCE if it requires PKCE, and otherwise is not", async () => {
    const fixture = await aClientFixture(as, { first_party: true, require_pkce: true });
    const scenario = { as: fixture.test, who: fixture.who, app: fixture.app };
    const answer = await authorizationOutcomes(() => scenario).refusedWith("invalid_request", unchallenged);
    assert.match(String(answer.get("error_description")), /PKCE/);
    await fixture.flow();
    const free = await aClientFixture(as, { first_party: true, require_pkce: false });
    assert.ok(await free.exchange(await free.code(unchallenged), { code_verifier: undefined }));
  });

  test("design 6.24: a token request may omit redirect_uri, and one that is sent must match", async () => {
    for (const fixture of await held()) {
      assert.ok(await fixture.exchange(await fixture.code(), { redirect_uri: undefined }));
      const wrong = { redirect_uri: "https://app.example/other" };
      await rejected(
        fixture.exchange(await fixture.code(), wrong),
        "invalid_grant",
        /redirect_uri does not match/,
      );
      const other = { redirect_uri: undefined, code_verifier: "x".repeat(43) };
      await rejected(fixture.exchange(await fixture.code(), other), "invalid_grant");
    }
    const free = await aClientFixture(as);
    await rejected(
      free.exchange(await free.code(), { redirect_uri: undefined }),
      "invalid_request",
      /redirect_uri is missing/,
    );
  });

  test("design 6.24: redirect URIs match exactly except for a loopback port, and a token in the query is refused", async () => {
    const redirect_uris = ["http://127.0.0.1/cb", "http://localhost/cb", "https://app.example/cb"];
    const overrides = { redirect_uris, app_type: "native", public: true, refresh_token_rotation: false };
    for (const fixture of await held(overrides)) {
      const code = (redirect_uri: string) => fixture.code({ redirect_uri });
      await code("http://127.0.0.1:49152/cb");
      for (const near of ["http://localhost:49152/cb", "https://app.example/cb/", "https://APP.example/cb"])
        await rejected(code(near), "invalid_request", /not registered/);
      // A public client's refresh tokens rotate, whatever the app's record says.
      const tokens = await redeem(fixture.test, fixture.app, undefined, {
        ...codeParameters(fixture.app, await fixture.code({ scope: "openid offline_access" })),
      });
      const next = await fixture.refresh(String(tokens.refresh_token));
      assert.notEqual(next.refresh_token, tokens.refresh_token);
      const bare = { method: "GET", authorization: undefined, dpop: undefined, params: undefined, origin };
      await rejected(userinfo(bare, fixture.test.server), "invalid_token");
    }
  });
});
