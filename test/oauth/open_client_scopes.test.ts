import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ApiResource, OAuthApp } from "../../src/records/definition/definition.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient, aResource } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters, redirected } from "../support/flows.ts";
import { aClientFixture, type ClientFixture, claimsOf, rejected, withSettings } from "./client_fixture.ts";

const tools = { "tools:read": "Use tools", "tools:write": null, "tools:admin": null };
const site = { redirect_uris: ["https://client.example/cb"] };

describeInForm("the scopes of open clients", (database) => {
  const scenario = serverOn(database);
  let api: ApiResource;
  let bare: ApiResource;
  before(async () => {
    api = await aResource(scenario.store, {
      who_may_ask: "any",
      scopes: tools,
      default_scopes: ["tools:read", "tools:write"],
    });
    bare = await aResource(scenario.store, { who_may_ask: "any", scopes: {}, default_scopes: [] });
  });
  const openFixture = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, { ...anOpenClient, ...overrides });
  const scopeOf = async (fixture: ClientFixture, overrides: Parameters<ClientFixture["flow"]>[0]) =>
    (await fixture.flow(overrides)).scope;

  /** Returns the scopes on the consent page, and those of them that were allowed before. */
  async function shown(fixture: ClientFixture, overrides: Parameters<ClientFixture["flow"]>[0]) {
    const outcome = await ask(scenario, fixture.who, authorizeParameters(fixture.app, overrides));
    assert.equal(outcome.type, "consent");
    if (outcome.type !== "consent") throw new Error();
    const names = outcome.scopes.map(({ name }) => name);
    const before = outcome.scopes.flatMap(({ name, already_granted }) => (already_granted ? [name] : []));
    return { names, before, resources: outcome.resources.map(({ identifier }) => identifier) };
  }

  test("PR-4: an open client without scope gets the API's default scopes, which consent and response show", async () => {
    const fixture = await openFixture();
    const requested = { scope: undefined, resource: api.identifier };
    assert.deepEqual(await shown(fixture, requested), {
      names: ["tools:read", "tools:write"],
      before: [],
      resources: [api.identifier],
    });
    const tokens = await fixture.flow(requested);
    assert.equal(tokens.scope, "tools:read tools:write");
    const { aud, scope } = claimsOf(tokens.access_token);
    assert.deepEqual([aud, scope], [api.identifier, "tools:read tools:write"]);
    assert.equal(await scopeOf(fixture, { ...requested, scope: "" }), "tools:read tools:write");
    assert.equal(await scopeOf(fixture, { scope: undefined, resource: bare.identifier }), "openid");
    assert.equal((await fixture.refresh(tokens.refresh_token)).scope, "tools:read tools:write");
  });

  test("PR-4: without resource and scope, an open client gets the defaults of the only open API, else openid", async () => {
    const two = await openFixture();
    assert.equal(await scopeOf(two, { scope: undefined }), "openid");
    await scenario.store.update("resources", { id: bare.id }, { active: false });
    try {
      const fixture = await openFixture();
      const tokens = await fixture.flow({ scope: undefined });
      assert.equal(tokens.scope, "tools:read tools:write");
      assert.equal(claimsOf(tokens.access_token).aud, api.identifier);
      assert.equal(claimsOf((await fixture.flow({ scope: "tools:read" })).access_token).aud, api.identifier);
      // A sign-in that names no API gets a token for this server.
      assert.equal(
        claimsOf((await fixture.flow({ scope: "openid" })).access_token).aud,
        scenario.server.issuer,
      );
    } finally {
      await scenario.store.update("resources", { id: bare.id }, { active: true });
    }
  });

  test("PR-4: a registered app without scope is refused, unless its record has default scopes", async () => {
    const strict = await aClientFixture(scenario, {});
    const refused = redirected(
      await ask(scenario, strict.who, authorizeParameters(strict.app, { scope: undefined })),
    );
    assert.equal(refused.get("error"), "invalid_scope");
    const usual = await aClientFixture(scenario, { default_scopes: ["openid", "orders:read"] });
    assert.equal(await scopeOf(usual, { scope: undefined }), "openid orders:read");
  });

  test("PR-5: scopes that are not available are left out, and the response lists those granted", async () => {
    const fixture = await openFixture();
    const resource = api.identifier;
    const cases = {
      "openid profile unknown tools:read": "openid profile tools:read",
      "openid profile unknown tools:read offline_access": "openid profile tools:read offline_access",
      "tools:admin token:introspect postern:manage postern:users:read": "tools:admin",
      "orders:read tools:write": "tools:write",
    };
    for (const [scope, left] of Object.entries(cases)) {
      assert.deepEqual((await shown(await openFixture(), { scope, resource })).names, left.split(" "));
      const tokens = await fixture.flow({ scope, resource });
      for (const name of left.split(" ")) assert.ok(tokens.scope.split(" ").includes(name), name);
      assert.ok(tokens.refresh_token);
      assert.doesNotMatch(tokens.scope, /unknown|postern|token:|orders/);
    }
    const again = await fixture.flow({ scope: "openid profile unknown tools:read", resource });
    const refreshed = await fixture.refresh(again.refresh_token, { scope: "openid unknown tools:read" });
    assert.equal(refreshed.scope, "openid tools:read");
    await rejected(fixture.refresh(refreshed.refresh_token, { scope: "unknown" }), "invalid_scope");
  });

  test("PR-5: an open client for which no scope remains gets invalid_scope, and a registered app for any wrong scope", async () => {
    const refusedScope = async (fixture: ClientFixture, overrides: Parameters<ClientFixture["flow"]>[0]) =>
      redirected(await ask(scenario, fixture.who, authorizeParameters(fixture.app, overrides))).get("error");
    const fixture = await openFixture();
    for (const scope of ["unknown", "postern:manage", "orders:read token:introspect"]) {
      assert.equal(await refusedScope(fixture, { scope, resource: api.identifier }), "invalid_scope");
    }
    const [code_only] = [await openFixture({ allowed_grants: ["auth_code"] })];
    assert.equal(await refusedScope(code_only, { scope: "offline_access" }), "invalid_scope");
    const strict = await aClientFixture(scenario, {});
    assert.equal(await refusedScope(strict, { scope: "openid email unknown" }), "invalid_scope");
    assert.equal(await refusedScope(strict, { scope: "unknown" }), "invalid_scope");
  });

  test("PR-27: a request for more keeps the scopes allowed before and asks only for new ones; older tokens stay valid", async () => {
    for (const overrides of [site, {}]) {
      const fixture = await openFixture(overrides);
      const resource = api.identifier;
      const old = await fixture.flow({ scope: "openid tools:read offline_access", resource });
      assert.deepEqual(await shown(fixture, { scope: "tools:write", resource }), {
        names: ["tools:write", "openid", "tools:read", "offline_access"],
        before: ["openid", "tools:read", "offline_access"],
        resources: [resource],
      });
      const more = await fixture.flow({ scope: "tools:write", resource });
      assert.equal(more.scope, "tools:write openid tools:read offline_access");
      assert.ok(more.id_token);
      assert.equal((await fixture.refresh(old.refresh_token)).scope, "openid tools:read offline_access");
      // A request for fewer scopes gets only those, and no scope for another API is kept.
      assert.equal(await scopeOf(fixture, { scope: "tools:read", resource }), "tools:read");
      assert.equal(
        await scopeOf(fixture, { scope: "profile", resource: bare.identifier }),
        "profile openid offline_access",
      );
    }
  });

  test("PR-27: scopes that the user withdrew, or allowed for another client document, are not kept", async () => {
    const fixture = await openFixture({ ...site, document_hash: "one" });
    const resource = api.identifier;
    await fixture.flow({ scope: "tools:read", resource });
    await scenario.store.update("oauth_apps", { id: fixture.app.id }, { document_hash: "two" });
    assert.deepEqual((await shown(fixture, { scope: "tools:write", resource })).names, ["tools:write"]);
    assert.equal(await scopeOf(fixture, { scope: "tools:write", resource }), "tools:write");
    await scenario.store.update(
      "oauth_consents",
      { app_id: fixture.app.id },
      { revoked: true, granted: false },
    );
    assert.deepEqual((await shown(fixture, { scope: "tools:read", resource })).names, ["tools:read"]);
  });

  test("PR-12: a consent is remembered only for an https redirect and the same document", async () => {
    const requested = { scope: "tools:read", resource: api.identifier };
    const document = { document_hash: "one" };
    const remembered = await openFixture({ ...site, ...document });
    await remembered.flow(requested);
    const again = () => ask(scenario, remembered.who, authorizeParameters(remembered.app, requested));
    assert.equal((await again()).type, "redirect");
    await scenario.store.update("oauth_apps", { id: remembered.app.id }, { document_hash: "two" });
    assert.equal((await again()).type, "consent");
    for (const redirect_uri of [
      "http://localhost/callback",
      "http://127.0.0.1/callback",
      "cursor://mcp/callback",
    ]) {
      const fixture = await openFixture({ ...document, redirect_uris: [redirect_uri] });
      await fixture.flow(requested);
      const parameters = authorizeParameters(fixture.app, requested);
      assert.equal((await ask(scenario, fixture.who, parameters)).type, "consent", redirect_uri);
      const silent = await ask(scenario, fixture.who, { ...parameters, prompt: "none" });
      assert.equal(redirected(silent).get("error"), "consent_required", redirect_uri);
    }
  });

  test("PR-9, PR-10: redirects of Claude Code and Cursor are accepted only with PKCE, and on no other host", async () => {
    const requested = { scope: "tools:read", resource: api.identifier };
    const claude = await openFixture({ document_hash: "one" });
    const cursor = await openFixture({
      app_type: "web",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
    });
    const used: [ClientFixture, string][] = [
      [claude, "http://localhost:54321/callback"],
      [claude, "http://127.0.0.1:3118/callback"],
      ...cursor.app.redirect_uris.map((uri): [ClientFixture, string] => [cursor, uri]),
      [cursor, "http://localhost:8788/callback"],
    ];
    for (const [fixture, redirect_uri] of used) {
      const code = await fixture.code({ ...requested, redirect_uri });
      assert.ok((await fixture.exchange(code, { redirect_uri })).access_token, redirect_uri);
      const bare_request = {
        ...requested,
        redirect_uri,
        code_challenge: undefined,
        code_challenge_method: undefined,
      };
      const refused = redirected(
        await ask(scenario, fixture.who, authorizeParameters(fixture.app, bare_request)),
      );
      assert.match(refused.get("error_description") ?? "", /PKCE/);
    }
    const off = withSettings(scenario, { localhost_any_port: false });
    for (const [test_, redirect_uri] of [
      [scenario, "http://localhost.evil:3118/callback"],
      [scenario, "http://localhost:1@evil/callback"],
      [scenario, "http://LOCALHOST.:3118/callback"],
      [scenario, "http://[::1]:3118/callback"],
      [scenario, "https://localhost:3118/callback"],
      [off, "http://localhost:54321/callback"],
    ] as const) {
      const parameters = authorizeParameters(claude.app, { ...requested, redirect_uri });
      await assert.rejects(ask(test_, claude.who, parameters), { kind: "redirect_uri" }, redirect_uri);
    }
    assert.ok(await claude.at(off).code({ ...requested, redirect_uri: "http://127.0.0.1:3118/callback" }));
  });

  test("PR-9: a registered native app may use any localhost port if its record permits that", async () => {
    const native = { app_type: "native", public: true, redirect_uris: ["http://localhost:1/cb"] } as const;
    const redirect_uri = "http://localhost:2/cb";
    const asks = await aClientFixture(scenario, { ...native, localhost_any_port: true });
    assert.ok(await asks.code({ redirect_uri }));
    for (const overrides of [
      { ...native },
      { ...native, app_type: "spa", localhost_any_port: true },
      { ...native, app_type: "web", localhost_any_port: true },
    ] as const) {
      const fixture = await aClientFixture(scenario, overrides);
      const parameters = authorizeParameters(fixture.app, { redirect_uri });
      await assert.rejects(ask(scenario, fixture.who, parameters), { kind: "redirect_uri" });
    }
  });
});
