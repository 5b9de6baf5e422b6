import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import type { TokenResponse } from "../../src/oauth/core/authorization.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { issuer, type TestServer, testServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { aProof, aProofKey, dpopOn, type ProofKey, userinfoUrl } from "../support/dpop.ts";
import {
  ask,
  authorizeParameters,
  codeParameters,
  endpointRequest,
  origin,
  type Parameters,
  redirected,
} from "../support/flows.ts";
import {
  aClientFixture,
  type ClientFixture,
  claimsOf,
  refusal,
  rejected,
  withSettings,
} from "./client_fixture.ts";
import { aMachine, jwtBearer, switchedOn } from "./machine.ts";

const key = aProofKey();
const other = aProofKey("EdDSA");
const cnf = { jkt: key.thumbprint };

/** One kind of grant; each call of `fresh` creates a grant and the parameters that redeem it. */
interface Redeemable {
  readonly name: string;
  fresh(scenario: TestServer): Promise<{ authorization: string | undefined; parameters: Parameters }>;
}

const ofClient = ({ app, authorization }: ClientFixture, parameters: Parameters) => ({
  authorization,
  parameters: { client_id: authorization === undefined ? app.client_id : undefined, ...parameters },
});

const grants: readonly Redeemable[] = [
  ...[false, true].flatMap((isPublic): Redeemable[] => [
    {
      name: `a code of a ${isPublic ? "public" : "confidential"} client`,
      async fresh(scenario) {
        const fixture = await aClientFixture(scenario, { public: isPublic });
        return ofClient(fixture, codeParameters(fixture.app, await fixture.code()));
      },
    },
    {
      name: `a refresh token of a ${isPublic ? "public" : "confidential"} client`,
      async fresh(scenario) {
        const fixture = await aClientFixture(scenario, { public: isPublic });
        const { refresh_token } = await fixture.flow();
        return ofClient(fixture, { grant_type: "refresh_token", refresh_token });
      },
    },
  ]),
  {
    name: "client credentials",
    async fresh(scenario) {
      const fixture = await aClientFixture(scenario, {
        allowed_grants: ["client_credentials"],
        allowed_scopes: ["orders:read"],
      });
      return ofClient(fixture, { grant_type: "client_credentials", scope: "orders:read" });
    },
  },
  {
    name: "an assertion of a service account",
    async fresh(scenario) {
      const machine = await aMachine(scenario, { account: { allowed_scopes: ["orders:read"] } });
      const assertion = await machine.assertion();
      return {
        authorization: undefined,
        parameters: { grant_type: jwtBearer, assertion, scope: "orders:read" },
      };
    },
  },
];

describeInForm("access tokens bound to a DPoP key", (database) => {
  let scenario: TestServer;
  before(async () => {
    scenario = withSettings(await testServer(await database.open()), { ...dpopOn, ...switchedOn });
  });

  const proof = (by: ProofKey = key, overrides?: Given) => aProof(scenario, by, overrides);

  const redeem = async (
    { authorization, parameters }: Awaited<ReturnType<Redeemable["fresh"]>>,
    dpop: string | undefined,
    at = scenario,
  ): Promise<TokenResponse> => token({ ...endpointRequest(parameters, authorization), dpop }, at.server);

  const rowOf = async ({ access_token }: TokenResponse) =>
    scenario.store.find("oauth_tokens", { id: String(claimsOf(access_token).jti) });

  const isUsable = async (answer: TokenResponse) => (await rowOf(answer))?.revoked === false;

  const requestUserinfo = (scheme: string, access_token: string, dpop?: string) =>
    userinfo(
      { method: "GET", authorization: `${scheme} ${access_token}`, dpop, params: undefined, origin },
      scenario.server,
    );
  const userinfoProof = (access_token: string, by: ProofKey = key, overrides: Given = {}) =>
    proof(by, { method: "GET", url: userinfoUrl, access_token, ...overrides });

  for (const grant of grants) {
    test(`PR-49, PR-52: with a proof, ${grant.name} issues a token bound to its key`, async () => {
      const answer = await redeem(await grant.fresh(scenario), await proof());
      assert.equal(answer.token_type, "DPoP");
      assert.deepEqual(claimsOf(answer.access_token).cnf, cnf);
      assert.deepEqual((await rowOf(answer))?.cnf, cnf);
    });

    test(`PR-52: without a proof, ${grant.name} issues a bearer token`, async () => {
      const answer = await redeem(await grant.fresh(scenario), undefined);
      assert.equal(answer.token_type, "Bearer");
      assert.equal("cnf" in claimsOf(answer.access_token), false);
      assert.equal((await rowOf(answer))?.cnf, null);
    });

    test(`PR-50, PR-52: an invalid proof is refused and not ignored, and does not use up ${grant.name}`, async () => {
      const dependencies = await grant.fresh(scenario);
      const faulty = [
        "",
        "x",
        await proof(key, { method: "GET" }),
        await proof(key, { url: userinfoUrl }),
        await proof(key, { header: { typ: "JWT" } }),
        await proof(key, { claims: { jti: undefined } }),
        `${await proof()}, ${await proof()}`,
      ];
      for (const each of faulty) {
        await rejected(redeem(dependencies, each), "invalid_dpop_proof");
      }
      assert.equal((await redeem(dependencies, await proof())).token_type, "DPoP");
    });

    test(`PR-48: a proof works once, and its second use does not use up ${grant.name}`, async () => {
      const used = await proof();
      await redeem(await grant.fresh(scenario), used);
      const dependencies = await grant.fresh(scenario);
      await rejected(redeem(dependencies, used), "invalid_dpop_proof", /already used/);
      assert.equal((await redeem(dependencies, await proof())).token_type, "DPoP");
    });

    test(`PR-32: if DPoP is disabled, the header is ignored, and ${grant.name} works as before`, async () => {
      const off = withSettings(scenario, { extra_features: [] });
      const answer = await redeem(await grant.fresh(scenario), "no proof at all", off);
      assert.equal(answer.token_type, "Bearer");
      assert.equal("cnf" in claimsOf(answer.access_token), false);
    });
  }

  test("PR-48: the same jti may be used with another key, and again once its proof has expired", async () => {
    const grant = grants.find(({ name }) => name === "client credentials") as Redeemable;
    const overrides = { claims: { jti: "the same" } };
    await redeem(await grant.fresh(scenario), await proof(key, overrides));
    await rejected(redeem(await grant.fresh(scenario), await proof(key, overrides)), "invalid_dpop_proof");
    assert.ok(await redeem(await grant.fresh(scenario), await proof(other, overrides)));
    const later = await testServer(scenario.store, scenario.server.settings);
    later.clock.advance(200);
    const renewed = await aProof(later, key, overrides);
    assert.ok(await redeem(await grant.fresh(later), renewed, later));
  });

  test("PR-48: the proof of a request that is refused for another reason can be used again", async () => {
    const fixture = await aClientFixture(scenario, { public: true });
    const code = await fixture.code();
    const used = await proof();
    const wrong = ofClient(fixture, codeParameters(fixture.app, "pac_wrong"));
    await rejected(redeem(wrong, used), "invalid_grant");
    assert.ok(await redeem(ofClient(fixture, codeParameters(fixture.app, code)), used));
  });

  test("PR-49: introspection shows key and type of a bound access token, and neither for a refresh token", async () => {
    const fixture = await aClientFixture(scenario);
    const dependencies = ofClient(fixture, codeParameters(fixture.app, await fixture.code()));
    const answer = await redeem(dependencies, await proof());
    const reported = (await fixture.introspect(answer.access_token)) as Record<string, unknown>;
    assert.deepEqual([reported.active, reported.token_type, reported.cnf], [true, "DPoP", cnf]);
    const refresh = (await fixture.introspect(answer.refresh_token ?? "")) as Record<string, unknown>;
    assert.deepEqual([refresh.active, refresh.token_type, "cnf" in refresh], [true, "refresh_token", false]);
  });

  describe("at userinfo", () => {
    let fixture: ClientFixture;
    let bound: string;
    let unbound: string;
    before(async () => {
      fixture = await aClientFixture(scenario);
      const dependencies = ofClient(fixture, codeParameters(fixture.app, await fixture.code()));
      bound = (await redeem(dependencies, await proof())).access_token;
      unbound = (await fixture.flow()).access_token;
    });

    test("PR-49: a bound token is accepted with a proof, under the scheme DPoP in any case", async () => {
      for (const scheme of ["DPoP", "dpop", "DPOP"]) {
        const { sub } = await requestUserinfo(scheme, bound, await userinfoProof(bound));
        assert.equal(sub, fixture.user.id);
      }
    });

    test("PR-50: a bound token is refused as a bearer token, with or without a proof", async () => {
      for (const dpop of [undefined, await userinfoProof(bound)]) {
        await assert.rejects(requestUserinfo("Bearer", bound, dpop), (error: unknown) => {
          assert.equal((error as { status: number }).status, 401);
          return refusal("invalid_token", /bound to a key/)(error);
        });
      }
      const request = { method: "POST", authorization: undefined, dpop: undefined, origin };
      const { params } = endpointRequest({ access_token: bound });
      await rejected(userinfo({ ...request, params }, scenario.server), "invalid_token");
      await rejected(requestUserinfo("DPoP", bound), "invalid_token", /and a proof/);
    });

    test("PR-50: the proof must use the token's key, and a bearer token must be sent as Bearer", async () => {
      const foreign = await userinfoProof(bound, other);
      await rejected(requestUserinfo("DPoP", bound, foreign), "invalid_token", /not signed with the key/);
      const own = await userinfoProof(unbound);
      await rejected(requestUserinfo("DPoP", unbound, own), "invalid_token", /Bearer scheme/);
      assert.ok(await requestUserinfo("Bearer", unbound, await userinfoProof(unbound)));
      await rejected(requestUserinfo("Bearer", unbound, "x"), "invalid_dpop_proof");
    });

    test("PR-46, PR-47: the proof must be for this token, method and URL, and works once", async () => {
      const faulty = [
        await userinfoProof(unbound),
        await userinfoProof(bound, key, { method: "POST" }),
        await userinfoProof(bound, key, { url: `${issuer}/oauth/token` }),
        await proof(key, { method: "GET", url: userinfoUrl }),
      ];
      for (const each of faulty) {
        await assert.rejects(requestUserinfo("DPoP", bound, each), (error: unknown) => {
          assert.equal((error as { status: number }).status, 401);
          return refusal("invalid_dpop_proof")(error);
        });
      }
      const once = await userinfoProof(bound);
      assert.ok(await requestUserinfo("DPoP", bound, once));
      await rejected(requestUserinfo("DPoP", bound, once), "invalid_dpop_proof", /already used/);
    });

    test("PR-50: a bound token still needs a proof after the feature is disabled", async () => {
      const off = withSettings(scenario, { extra_features: [] });
      const request = { method: "GET", dpop: undefined, params: undefined, origin };
      const bearer = userinfo({ ...request, authorization: `Bearer ${bound}` }, off.server);
      await rejected(bearer, "invalid_token");
    });
  });

  describe("when refreshed", () => {
    const refresh = (
      fixture: ClientFixture,
      refresh_token: string | undefined,
      dpop?: string,
      at = scenario,
    ) => redeem(ofClient(fixture, { grant_type: "refresh_token", refresh_token }), dpop, at);
    const flow = async (fixture: ClientFixture, at = scenario) =>
      redeem(ofClient(fixture, codeParameters(fixture.app, await fixture.code())), await proof(), at);

    const staying: Readonly<Record<string, Partial<OAuthApp>>> = {
      "a public client": { public: true },
      "a confidential client that asks for it": { dpop_bound_refresh_tokens: true },
    };
    for (const [whose, fields] of Object.entries(staying)) {
      test(`PR-50: the refresh token of ${whose} remains bound to its key`, async () => {
        const fixture = await aClientFixture(scenario, fields);
        const first = await flow(fixture);
        const { refresh_token } = first;
        await rejected(
          refresh(fixture, refresh_token, await proof(other)),
          "invalid_grant",
          /not signed with the key/,
        );
        await rejected(refresh(fixture, refresh_token), "invalid_dpop_proof", /requires a DPoP proof/);
        const next = await refresh(fixture, refresh_token, await proof());
        assert.deepEqual([next.token_type, claimsOf(next.access_token).cnf], ["DPoP", cnf]);
        await rejected(refresh(fixture, next.refresh_token), "invalid_dpop_proof");
        assert.equal(await isUsable(next), true, "no refusal ended the family");
      });
    }

    for (const refresh_token_rotation of [true, false]) {
      const how = refresh_token_rotation ? "with" : "without";
      test(`PR-50: a confidential client may change its key ${how} rotation, but not go without one`, async () => {
        const fixture = await aClientFixture(scenario, { refresh_token_rotation });
        const first = await flow(fixture);
        const { refresh_token } = first;
        await rejected(refresh(fixture, refresh_token), "invalid_dpop_proof", /requires a DPoP proof/);
        await rejected(refresh(fixture, refresh_token, "x"), "invalid_dpop_proof");
        const next = await refresh(fixture, refresh_token, await proof(other));
        assert.deepEqual(claimsOf(next.access_token).cnf, { jkt: other.thumbprint });
        assert.deepEqual((await rowOf(next))?.cnf, { jkt: other.thumbprint });
        const later = next.refresh_token ?? refresh_token;
        await rejected(refresh(fixture, later), "invalid_dpop_proof", /requires a DPoP proof/);
        // Earlier tokens stay bound to the earlier key.
        if (!refresh_token_rotation) {
          const moved = await userinfoProof(first.access_token, other);
          await rejected(requestUserinfo("DPoP", first.access_token, moved), "invalid_token");
        }
        assert.deepEqual(claimsOf((await refresh(fixture, later, await proof())).access_token).cnf, cnf);
      });
    }

    test("PR-50: in the reuse window, a client that changed its key must use the new key again", async () => {
      const open = withSettings(scenario, { refresh_reuse_window: 30 });
      const fixture = await aClientFixture(open);
      const first = await flow(fixture, open);
      const next = await refresh(fixture, first.refresh_token, await proof(other), open);
      const again = (dpop?: string) => refresh(fixture, first.refresh_token, dpop, open);
      await rejected(again(await proof()), "invalid_grant", /not signed with the key/);
      await rejected(again(), "invalid_dpop_proof");
      assert.deepEqual(await again(await proof(other)), next);
      assert.equal(await isUsable(next), true);
    });

    test("PR-50: an unbound token family is bound from the first refresh with a proof", async () => {
      const fixture = await aClientFixture(scenario, { public: true });
      const { refresh_token } = await fixture.flow();
      const bound = await refresh(fixture, refresh_token, await proof());
      assert.equal(bound.token_type, "DPoP");
      await rejected(refresh(fixture, bound.refresh_token), "invalid_dpop_proof");
    });

    test("PR-50: reuse of a rotated refresh token ends its family, whichever key the proof has", async () => {
      for (const dpop of [undefined, await proof(other), await proof()]) {
        const fixture = await aClientFixture(scenario, { public: true });
        const first = await flow(fixture);
        const next = await refresh(fixture, first.refresh_token, await proof());
        await rejected(refresh(fixture, first.refresh_token, dpop), "invalid_grant");
        assert.equal(await isUsable(next), false);
      }
    });

    test("PR-50: in the reuse window, only the holder of the key gets the stored response again", async () => {
      const open = withSettings(scenario, { refresh_reuse_window: 30 });
      const fixture = await aClientFixture(open, { public: true });
      const first = await flow(fixture, open);
      const next = await refresh(fixture, first.refresh_token, await proof(), open);
      const again = (dpop?: string) => refresh(fixture, first.refresh_token, dpop, open);
      await rejected(again(await proof(other)), "invalid_grant", /not signed with the key/);
      await rejected(again(), "invalid_dpop_proof");
      assert.deepEqual(await again(await proof()), next);
      assert.equal(await isUsable(next), true);
    });

    test("PR-50: in the reuse window, the response stays bound to the key that first got it", async () => {
      const open = withSettings(scenario, { refresh_reuse_window: 30 });
      const fixture = await aClientFixture(open, { public: true });
      const { refresh_token } = await fixture.flow();
      const next = await refresh(fixture, refresh_token, await proof(), open);
      await rejected(refresh(fixture, refresh_token, undefined, open), "invalid_dpop_proof");
      await rejected(refresh(fixture, refresh_token, await proof(other), open), "invalid_grant");
      assert.deepEqual(await refresh(fixture, refresh_token, await proof(), open), next);
    });
  });

  describe("when the authorization code is bound", () => {
    const exchange = (fixture: ClientFixture, code: string, dpop?: string) =>
      redeem(ofClient(fixture, codeParameters(fixture.app, code)), dpop);

    test("PR-51: dpop_jkt binds a code to a key, and a request with another key does not use it up", async () => {
      for (const isPublic of [true, false]) {
        const fixture = await aClientFixture(scenario, { public: isPublic });
        const code = await fixture.code({ dpop_jkt: key.thumbprint });
        await rejected(
          exchange(fixture, code, await proof(other)),
          "invalid_grant",
          /not signed with the key/,
        );
        await rejected(exchange(fixture, code), "invalid_dpop_proof", /requires a DPoP proof/);
        assert.equal((await exchange(fixture, code, await proof())).token_type, "DPoP");
      }
    });

    test("PR-51: dpop_jkt must be a thumbprint and must not be repeated", async () => {
      const fixture = await aClientFixture(scenario);
      const malformed = ["x", key.thumbprint.slice(1), `${key.thumbprint}=`, `${key.thumbprint}A`];
      for (const dpop_jkt of malformed) {
        await assert.rejects(fixture.code({ dpop_jkt }), /invalid_request: dpop_jkt/);
      }
      await assert.rejects(fixture.code({ dpop_jkt: [key.thumbprint, key.thumbprint] }), /invalid_request/);
    });

    test("PR-51: a proof sent with a pushed request binds its code, and must match dpop_jkt", async () => {
      const pushing = withSettings(scenario, { extra_features: ["dpop", "par"] });
      const fixture = await aClientFixture(pushing, { public: true, first_party: true });
      const parUrl = `${issuer}/oauth/par`;
      const push = async (overrides: Parameters, dpop?: string) =>
        pushRequest(
          { ...endpointRequest(authorizeParameters(fixture.app, overrides)), dpop },
          pushing.server,
        );
      const parProof = (by = key) => proof(by, { url: parUrl });
      await rejected(
        push({ dpop_jkt: other.thumbprint }, await parProof()),
        "invalid_request",
        /dpop_jkt does not match/,
      );
      await rejected(push({}, await proof()), "invalid_dpop_proof", /htu/);
      const used = await parProof();
      for (const overrides of [{}, { dpop_jkt: key.thumbprint }]) {
        const { request_uri } = await push(overrides, await parProof());
        const form = { client_id: fixture.app.client_id, request_uri };
        const code = redirected(await ask(pushing, fixture.who, form)).get("code") ?? "";
        await rejected(
          exchange(fixture, code, await proof(other)),
          "invalid_grant",
          /not signed with the key/,
        );
        assert.equal((await exchange(fixture, code, await proof())).token_type, "DPoP");
      }
      await push({}, used);
      await rejected(push({}, used), "invalid_dpop_proof", /already used/);
    });

    test("PR-32: if DPoP is disabled, dpop_jkt is ignored", async () => {
      const fixture = await aClientFixture(withSettings(scenario, { extra_features: [] }));
      const code = await fixture.code({ dpop_jkt: "anything" });
      assert.equal((await fixture.exchange(code)).token_type, "Bearer");
    });
  });

  describe("if the app requires it", () => {
    for (const grant of grants.filter(({ name }) => !name.includes("service account"))) {
      test(`PR-50: ${grant.name} is refused without a proof, and is not used up`, async () => {
        const dependencies = await grant.fresh(scenario);
        const overrides = dependencies.authorization;
        const client_id =
          overrides === undefined
            ? String(dependencies.parameters.client_id)
            : decodeURIComponent(Buffer.from(overrides.slice(6), "base64").toString().split(":")[0] ?? "");
        const changed = await scenario.store.update(
          "oauth_apps",
          { client_id },
          { dpop_bound_access_tokens: true },
        );
        assert.ok(changed);
        await rejected(redeem(dependencies, undefined), "invalid_dpop_proof", /requires a DPoP proof/);
        const off = withSettings(scenario, { extra_features: [] });
        const unread = redeem(dependencies, await proof(), off);
        await assert.rejects(unread, refusal("invalid_dpop_proof"), "no token without the feature");
        assert.equal((await redeem(dependencies, await proof())).token_type, "DPoP");
      });
    }
  });
});

type Given = NonNullable<globalThis.Parameters<typeof aProof>[2]>;
