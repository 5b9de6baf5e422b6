import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { aClientFixture, claimsOf, refusal } from "../oauth/client_fixture.ts";
import { aPerson, browserOf, type TestApp, testApp } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anOpenClient, aResource } from "../support/builders.ts";
import { aProof, aProofKey } from "../support/dpop.ts";
import { codeParameters, formOf } from "../support/flows.ts";
import { anApiKeyText } from "./api/server.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/** Returns the parameters of each challenge in the header, by scheme. */
function challengesIn(header: unknown): Record<string, Record<string, string>> {
  const challenges: Record<string, Record<string, string>> = {};
  let current: Record<string, string> = {};
  for (const [, scheme, name, value] of String(header).matchAll(/(?:(\w+) )?(\w+)="([^"]*)"/g)) {
    if (scheme !== undefined) {
      current = {};
      challenges[scheme] = current;
    }
    if (name !== undefined && value !== undefined) {
      assert.ok(!(name in current), `${name} stands twice in ${header}`);
      current[name] = value;
    }
  }
  return challenges;
}

describe("this server as an OAuth protected resource", () => {
  let it: TestApp;
  let bound: TestApp;
  let user: User;
  let access_token: string;

  before(async () => {
    it = await testApp({ settings: { profiles: ["mcp"] } });
    const settings = { profiles: ["mcp"], extra_features: ["dpop"], dpop_nonce: "always" } as const;
    bound = await testApp({ settings });
    user = await aPerson(it);
    const fixture = await aClientFixture(it, { allowed_scopes: ["openid", "postern:apps:read"] });
    ({ access_token } = await fixture.flow({ scope: "openid postern:apps:read" }));
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  test("PR-28: each resource publishes its metadata at the URL derived from its identifier, readable by web pages", async () => {
    for (const [path, scopes_supported] of [
      ["", ["openid", "profile", "email"]],
      ["/api/v1", ["postern:read"]],
    ] as const) {
      const answer = await it.app.inject({ url: `${wellKnown}${path}`, headers: { host: "evil.example" } });
      assert.equal(answer.statusCode, 200);
      assert.match(String(answer.headers["content-type"]), /^application\/json/);
      assert.equal(answer.headers["access-control-allow-origin"], "*");
      const { resource, authorization_servers, bearer_methods_supported, ...rest } = answer.json();
      assert.equal(resource, `${issuer}${path}`);
      assert.deepEqual(authorization_servers, [issuer]);
      assert.deepEqual(bearer_methods_supported, ["header"]);
      assert.deepEqual(rest.scopes_supported, scopes_supported);
      assert.equal(JSON.stringify(rest).includes("dpop"), false);
      const withProofs = (await bound.app.inject(`${wellKnown}${path}`)).json();
      assert.deepEqual(withProofs.dpop_signing_alg_values_supported, proofAlgorithms);
      assert.equal(withProofs.dpop_bound_access_tokens_required, false);
    }
    for (const path of ["/", "/api", "/api/v1/", "/api/v1/apps", "/oauth/userinfo"]) {
      const answer = await it.app.inject(`${wellKnown}${path}`);
      assert.equal(answer.statusCode, 404, path);
      assert.equal(answer.headers["access-control-allow-origin"], "*", path);
    }
  });

  test("PR-28: a 401 names the metadata, and the scope that this request needs", async () => {
    for (const [method, url, scope, path] of [
      ["GET", "/api/v1/me", "postern:read", "/api/v1"],
      ["GET", "/api/v1/apps", "postern:apps:read", "/api/v1"],
      ["POST", "/api/v1/apps", "postern:apps:write", "/api/v1"],
      ["PATCH", `/api/v1/users/${user.id}`, "postern:users:write", "/api/v1"],
      ["DELETE", `/api/v1/users/${user.id}`, "postern:users:write", "/api/v1"],
      ["GET", "/api/v1/audit-events/export", "postern:audit_events:read", "/api/v1"],
      ["GET", "/oauth/userinfo", "openid", ""],
    ] as const) {
      for (const headers of [{}, bearer("nonsense")]) {
        const answer = await it.app.inject({ method, url, headers });
        assert.equal(answer.statusCode, 401, url);
        const { Bearer = {}, ...others } = challengesIn(answer.headers["www-authenticate"]);
        assert.deepEqual(others, {});
        assert.equal(Bearer.resource_metadata, `${issuer}${wellKnown}${path}`);
        assert.equal(Bearer.scope, scope);
        assert.equal(Bearer.error, "authorization" in headers ? "invalid_token" : undefined);
        const metadata = await it.app.inject(new URL(Bearer.resource_metadata).pathname);
        assert.equal(metadata.json().resource, `${issuer}${path}`);
      }
    }
    const { Bearer, DPoP } = challengesIn((await bound.app.inject("/api/v1/me")).headers["www-authenticate"]);
    for (const each of [Bearer, DPoP]) {
      assert.equal(each?.resource_metadata, `${issuer}${wellKnown}/api/v1`);
    }
    assert.equal(DPoP?.algs, proofAlgorithms.join(" "));
  });

  test("PR-28: a 403 names the scope that a token or key lacks, and none for a browser session", async () => {
    const { key } = await anApiKeyText(it, { user_id: user.id, scopes: ["postern:apps:read"] });
    for (const credential of [access_token, key]) {
      const refused = await it.app.inject({ url: "/api/v1/sessions", headers: bearer(credential) });
      assert.equal(refused.statusCode, 403, refused.body);
      assert.equal(refused.json().code, "forbidden");
      const { Bearer = {} } = challengesIn(refused.headers["www-authenticate"]);
      assert.equal(Bearer.error, "insufficient_scope");
      assert.equal(Bearer.scope, "postern:sessions:read");
      assert.equal(Bearer.resource_metadata, `${issuer}${wellKnown}/api/v1`);
      const allowed = await it.app.inject({ url: "/api/v1/apps", headers: bearer(credential) });
      assert.equal(allowed.statusCode, 200);
      assert.equal(allowed.headers["www-authenticate"], undefined);
    }
    const browser = await browserOf(it, user);
    // No scope is missing: only a platform administrator may do this, whatever the token.
    const forbidden = await browser.get("/api/v1/signing-keys", { accept: "application/json" });
    assert.equal(forbidden.statusCode, 403);
    assert.equal(forbidden.headers["www-authenticate"], undefined);
  });

  test("PR-28: userinfo reports a missing scope openid as before, together with the metadata", async () => {
    const machine = await aClientFixture(it, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
    });
    const form = { grant_type: "client_credentials", scope: "orders:read" };
    const tokens = await it.app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: {
        authorization: String(machine.authorization),
        "content-type": "application/x-www-form-urlencoded",
      },
      payload: formOf(form),
    });
    const headers = bearer(tokens.json().access_token);
    const { Bearer = {} } = challengesIn(
      (await it.app.inject({ url: "/oauth/userinfo", headers })).headers["www-authenticate"],
    );
    const { error, scope, resource_metadata } = Bearer;
    assert.deepEqual(
      [error, scope, resource_metadata],
      ["insufficient_scope", "openid", `${issuer}${wellKnown}`],
    );
  });

  const mine = ["openid", "offline_access", "postern:read", "orders:read"];
  const spellings = [
    issuer,
    `${issuer}/`,
    issuer.toUpperCase(),
    `${issuer}/api/v1`,
    `${issuer}/oauth/../api/./v1`,
  ];
  const statusOf = async (url: string, token: string) =>
    (await it.app.inject({ url, headers: bearer(token) })).statusCode;

  test("PR-28: a registered app gets one token for both described resources, and may repeat either in requests", async () => {
    const fixture = await aClientFixture(it, { allowed_scopes: mine });
    const scope = "openid offline_access postern:read";
    for (const resource of spellings) {
      const code = await fixture.code({ resource, scope });
      let answer = await fixture.exchange(code, { resource });
      for (const again of [...spellings, undefined]) {
        const { access_token, scope: granted, refresh_token = "" } = answer;
        assert.equal(granted, scope);
        assert.equal(claimsOf(access_token).aud, issuer);
        assert.equal(await statusOf("/api/v1/me", access_token), 200);
        assert.equal(await statusOf("/oauth/userinfo", access_token), 200);
        answer = await fixture.refresh(refresh_token, again === undefined ? {} : { resource: again });
      }
    }
    await assert.rejects(fixture.code({ resource: issuer, scope: "orders:read" }), /invalid_scope/);
    const machine = await aClientFixture(it, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["postern:read", "orders:read"],
    });
    const own = await machine.clientCredentials({ resource: `${issuer}/api/v1`, scope: "postern:read" });
    assert.equal(claimsOf(own.access_token).aud, issuer);
    const wrong = { resource: issuer, scope: "orders:read" };
    await assert.rejects(machine.clientCredentials(wrong), refusal("invalid_scope"));
  });

  test("PR-7: a token for this server is not accepted by an API, nor a token for an API by this server", async () => {
    const requester = await aClientFixture(it);
    const api = await aResource(it.store, {
      app_ids: [requester.app.id],
      scopes: { "orders:read": null },
    });
    const fixture = await aClientFixture(it, { allowed_scopes: mine });
    const scope = mine.join(" ");
    const held = await fixture.flow({ resource: [api.identifier, `${issuer}/api/v1`], scope });
    assert.equal(held.scope, scope);
    const ours = await fixture.refresh(held.refresh_token, { resource: issuer });
    assert.equal(ours.scope, "openid offline_access postern:read");
    assert.equal(await requester.isActive(ours.access_token), false);
    const paths = ["/api/v1/me", "/oauth/userinfo"];
    for (const path of paths) assert.equal(await statusOf(path, ours.access_token), 200, path);
    const theirs = await fixture.refresh(ours.refresh_token, { resource: api.identifier });
    assert.equal(theirs.scope, "openid offline_access orders:read");
    assert.equal(await requester.isActive(theirs.access_token), true);
    for (const path of paths) assert.equal(await statusOf(path, theirs.access_token), 401, path);
  });

  test("PR-28: an open client cannot request this server as a resource, nor any client if the profile is off", async () => {
    const off = await testApp({});
    await aResource(it.store, { who_may_ask: "any" });
    const open = { ...anOpenClient, provenance: "dynamic_registration" } as const;
    for (const fixture of [
      await aClientFixture(it, open),
      await aClientFixture(off, { allowed_scopes: mine }),
    ]) {
      for (const resource of spellings) {
        await assert.rejects(fixture.code({ resource, scope: "openid" }), /invalid_target/, resource);
      }
      const { refresh_token } = await fixture.flow({ scope: "openid offline_access" });
      for (const resource of [`${issuer}/`, `${issuer}/api/v1`]) {
        const requested = fixture.refresh(refresh_token, { resource });
        await assert.rejects(requested, refusal("invalid_target"), resource);
      }
      const { access_token } = await fixture.refresh(refresh_token, { resource: issuer });
      assert.equal(claimsOf(access_token).aud, issuer, "its usual audience, in the very spelling");
    }
  });

  test("PR-48: if each proof needs a nonce, every response of the management API contains the next one", async () => {
    const key = aProofKey();
    const fixture = await aClientFixture(bound, { allowed_scopes: ["openid", "postern:read"] });
    const form = codeParameters(fixture.app, await fixture.code({ scope: "openid postern:read" }));
    const token = async (nonce?: unknown) =>
      bound.app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: String(fixture.authorization),
          dpop: await aProof(bound, key, nonce === undefined ? {} : { claims: { nonce } }),
        },
        payload: formOf(form),
      });
    const nonce = (await token()).headers["dpop-nonce"];
    const { access_token: theirs } = (await token(nonce)).json();
    const url = `${issuer}/api/v1/me`;
    const ask = async (input: object) =>
      bound.app.inject({
        url: "/api/v1/me",
        headers: {
          authorization: `DPoP ${theirs}`,
          dpop: await aProof(bound, key, { method: "GET", url, access_token: theirs, ...input }),
        },
      });
    const good = await ask({ claims: { nonce } });
    assert.equal(good.statusCode, 200, good.body);
    const next = good.headers["dpop-nonce"];
    assert.equal(typeof next, "string");
    assert.equal((await ask({ claims: { nonce: next } })).statusCode, 200);
    const bare = await bound.app.inject({ url: "/api/v1/me", headers: bearer("nonsense") });
    assert.equal(bare.headers["dpop-nonce"], undefined, "where no proof came, none is wanted");
  });
});
