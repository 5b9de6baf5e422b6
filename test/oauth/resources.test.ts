/**
 * APIs as records: which spellings match which API, who gets tokens for them, and what the tokens contain.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeProtectedHeader } from "jose";
import { scopesOfResources } from "../../src/oauth/resources/requested.ts";
import { nearestResources } from "../../src/oauth/resources/who_may_ask.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { ApiResource, OAuthApp } from "../../src/records/definition/definition.ts";
import { addKey, issuer, serverOn, testServer } from "../support/authorization_server.ts";
import { anOpenClient, anOrganization, aResource, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { aProof, aProofKey, dpopOn } from "../support/dpop.ts";
import { ask, authorizeParameters, codeParameters, endpointRequest, redirected } from "../support/flows.ts";
import {
  aClientFixture,
  type ClientFixture,
  claimsAt,
  claimsOf,
  inactive,
  refusal,
  rejected,
  withSettings,
} from "./client_fixture.ts";

const registered = {
  path: "https://Api.example:443/v1/./Orders/%2fx",
  bare: "https://bare.example",
  slashed: "https://slashed.example/",
  query: "https://query.example/a?B=%2f",
  alias: "https://alias.example/mcp",
  aliased: "https://aliased.example/mcp/",
  plain: "http://plain.example:8080/a",
  urn: "urn:example:Orders",
} as const;

/** The requested identifier, and the matching API; undefined if none matches. */
const spellings: readonly (readonly [string, keyof typeof registered | undefined])[] = [
  ["https://Api.example:443/v1/./Orders/%2fx", "path"],
  ["https://api.example/v1/Orders/%2Fx", "path"],
  ["HTTPS://API.EXAMPLE:443/v1/Orders/%2fx", "path"],
  ["https://api.example:/v1/Orders/%2Fx", "path"],
  ["https://api.example/v0/../v1/Orders/%2Fx", "path"],
  ["https://api.example/v1/orders/%2Fx", undefined],
  ["https://api.example/v1/Orders//x", undefined],
  ["https://api.example/v1/Orders/%2Fx/", undefined],
  ["https://api.example/v1/Orders", undefined],
  ["https://api.example/v1/Orders/%2Fx/y", undefined],
  ["https://api.example:444/v1/Orders/%2Fx", undefined],
  ["https://api.example:0443/v1/Orders/%2Fx", undefined],
  ["http://api.example/v1/Orders/%2Fx", undefined],
  ["https://user@api.example/v1/Orders/%2Fx", undefined],
  ["https://api.example./v1/Orders/%2Fx", undefined],
  ["https://api.example.evil/v1/Orders/%2Fx", undefined],
  ["https://bare.example", "bare"],
  ["https://bare.example/", "bare"],
  ["https://BARE.example:443/", "bare"],
  ["https://bare.example/.", "bare"],
  ["https://bare.example/a", undefined],
  ["https://bare.example//", undefined],
  ["https://bare.example?", undefined],
  ["https://sub.bare.example", undefined],
  ["https://slashed.example", "slashed"],
  ["https://slashed.example/", "slashed"],
  ["https://query.example/a?B=%2F", "query"],
  ["https://query.example/a?b=%2F", undefined],
  ["https://query.example/a", undefined],
  ["https://alias.example/mcp/", "alias"],
  ["https://ALIAS.example/mcp", "alias"],
  ["https://alias.example/mcp//", undefined],
  ["https://alias.example/MCP/", undefined],
  ["https://aliased.example/mcp", "aliased"],
  ["http://plain.example:8080/a", "plain"],
  ["http://plain.example/a", undefined],
  ["http://plain.example:8080/a/", undefined],
  ["URN:example:Orders", "urn"],
  ["urn:example:orders", undefined],
  ["urn:example:Orders:x", undefined],
];

describeInForm("tokens for a requested API", (database) => {
  const scenario = serverOn(database, dpopOn);

  const api = (overrides: Partial<ApiResource> = {}) => aResource(scenario.store, overrides);
  const machine = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
      ...overrides,
    });
  /** Returns the error of the redirect that answers an authorization request. */
  const refusedAsking = async (
    fixture: ClientFixture,
    overrides: Parameters<typeof authorizeParameters>[1],
  ) => {
    const outcome = await ask(scenario, fixture.who, authorizeParameters(fixture.app, overrides));
    return outcome.type === "redirect" ? redirected(outcome).get("error") : null;
  };

  test("PR-6: 40 spellings of an identifier mean the same API, and aud has the registered spelling", async () => {
    for (const [name, identifier] of Object.entries(registered))
      await api({ identifier, trailing_slash_alias: name.startsWith("alias") });
    const fixture = await machine();
    for (const [resource, name] of spellings) {
      if (name === undefined) {
        await assert.rejects(fixture.clientCredentials({ resource }), refusal("invalid_target"), resource);
      } else {
        const { access_token } = await fixture.clientCredentials({ resource });
        assert.equal(claimsOf(access_token).aud, registered[name], resource);
      }
    }
    for (const fragment of ["https://bare.example#", "https://bare.example/#x", "bare"]) {
      await assert.rejects(
        fixture.clientCredentials({ resource: fragment }),
        refusal("invalid_target"),
        fragment,
      );
    }
  });

  test("PR-7: an API accepts listed apps, registered apps of its owner, or any client, as set in its record", async () => {
    const [acme, other] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
    const fixture = (organization_id: string | null, overrides: Partial<OAuthApp> = {}) =>
      machine({ organization_id, ...overrides });
    const of = (organization_id: string | null) =>
      Promise.all(
        (["listed", "registered", "any"] as const).map((who_may_ask) =>
          api({ organization_id, who_may_ask }),
        ),
      );
    const [ofAcme, ofServer] = [await of(acme.id), await of(null)];
    const all = [...ofAcme, ...ofServer];
    const expected = {
      "its own app": [await fixture(acme.id), ".++.++"],
      "another organization's": [await fixture(other.id), "..+.++"],
      "no organization's": [await fixture(null), "..+.++"],
      "a listed one": [
        await fixture(other.id, { resources: all.map(({ identifier }) => identifier) }),
        "++++++",
      ],
    } as const;
    for (const [name, [requester, signs]] of Object.entries(expected)) {
      let found = "";
      for (const { identifier: resource } of all) {
        const answered = requester.clientCredentials({ resource }).then(
          () => "+",
          (error: unknown) => (refusal("invalid_target")(error) ? "." : "?"),
        );
        found += await answered;
      }
      assert.equal(found, signs, name);
    }
    const open = await aClientFixture(scenario, anOpenClient);
    for (const [index, sign] of [..."..+..+"].entries()) {
      const requested = {
        resource: all[index]?.identifier ?? "",
        scope: "openid",
        redirect_uri: "http://127.0.0.1/callback",
      };
      const error = await refusedAsking(open, requested);
      assert.equal(error === "invalid_target" ? "." : "+", sign, `open ${index} ${error}`);
    }
  });

  test("PR-94: a machine of another owner gets only those scopes of an API that are open to all clients", async () => {
    const [acme, other] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
    const scopes = { "orders:read": null, "orders:admin": null };
    const overrides = { who_may_ask: "any", scopes, default_scopes: ["orders:read"] } as const;
    const [ofAcme, ofServer] = [
      await api({ ...overrides, organization_id: acme.id }),
      await api({ ...overrides, who_may_ask: "registered" }),
    ];
    const bare = await api({ ...overrides, organization_id: acme.id, default_scopes: [] });
    const allowed_scopes = ["orders:admin", "orders:read", "own:thing"];
    const of = (organization_id: string | null, more: Partial<OAuthApp> = {}) =>
      machine({ organization_id, allowed_scopes, ...more });
    const all = "orders:admin orders:read";
    const listing = { resources: [ofAcme.identifier, ofServer.identifier] };
    for (const [fixture, resource, expected] of [
      [await of(acme.id), ofAcme, all],
      [await of(other.id), ofAcme, "orders:read"],
      [await of(null), ofAcme, "orders:read"],
      [await of(other.id, listing), ofAcme, all],
      [await of(null), ofServer, all],
      [await of(acme.id), ofServer, "orders:read"],
      [await of(acme.id, listing), ofServer, all],
      [await of(other.id), bare, ""],
    ] as const) {
      const requested = { resource: resource.identifier, scope: undefined };
      const beyond = refusal("invalid_scope");
      if (expected === "") await assert.rejects(fixture.clientCredentials(requested), beyond);
      else assert.equal((await fixture.clientCredentials(requested)).scope, expected);
      const named = fixture.clientCredentials({ ...requested, scope: "orders:admin" });
      if (expected === all) assert.equal((await named).scope, "orders:admin");
      else await assert.rejects(named, beyond);
    }
  });

  test("PR-7: the explanation of a refusal suggests what this client may request, and nothing about other clients", async () => {
    const [acme, other] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
    const mine = await api({ organization_id: acme.id, identifier: "https://orders.acme.example/v1" });
    await api({ organization_id: other.id, identifier: "https://orders.acme.example/v2" });
    await api({
      organization_id: other.id,
      identifier: "https://orders.acme.example/v3",
      who_may_ask: "any",
    });
    await api({ organization_id: acme.id, identifier: "https://orders.acme.example/v4", active: false });
    const { app } = await machine({ organization_id: acme.id });
    const [nearest, ...rest] = await nearestResources("https://orders.acme.example/v5", { app }, scenario);
    assert.equal(nearest, mine.identifier);
    assert.deepEqual(
      rest.filter((identifier) => identifier.includes("acme")),
      [],
    );
  });

  test("PR-7: a token for one API does not work at another API nor at userinfo", async () => {
    const [one, two] = [await api(), await api()];
    const requesters = [await aClientFixture(scenario), await aClientFixture(scenario)];
    for (const [index, resource] of [one, two].entries()) {
      await scenario.store.update(
        "resources",
        { id: resource.id },
        { app_ids: [requesters[index]?.app.id ?? ""] },
      );
    }
    const fixture = await aClientFixture(scenario);
    const requested = [one.identifier, two.identifier];
    let { refresh_token } = await fixture.flow({ resource: requested, scope: "openid offline_access" });
    for (const [index, identifier] of requested.entries()) {
      const answer = await fixture.refresh(refresh_token, { resource: identifier });
      const { access_token } = answer;
      refresh_token = answer.refresh_token;
      assert.equal(claimsOf(access_token).aud, identifier);
      for (const [other, requester] of requesters.entries()) {
        assert.equal(await requester.isActive(access_token), other === index, `${index} seen by ${other}`);
      }
      await rejected(claimsAt(scenario, access_token), "invalid_token");
    }
  });

  test("PR-8: the token request can narrow the APIs of the authorization, in any spelling, and never widen them", async () => {
    const [one, two, three] = [
      await api({ identifier: "https://one.narrow.example" }),
      await api({ identifier: "https://two.narrow.example/x", trailing_slash_alias: true }),
      await api({ identifier: "https://three.narrow.example" }),
    ];
    const fixture = await aClientFixture(scenario);
    const requested = { resource: ["https://ONE.narrow.example/", "https://two.narrow.example/x/"] };
    const both = [one.identifier, two.identifier];
    const code = await fixture.code(requested);
    await rejected(fixture.exchange(code, { resource: three.identifier }), "invalid_target");
    const first = await fixture.exchange(code, { resource: "https://one.narrow.example:443" });
    assert.equal(claimsOf(first.access_token).aud, one.identifier);
    let { refresh_token = "" } = first;
    for (const [resource, aud] of [
      [undefined, both],
      [requested.resource, both],
      [requested.resource, both],
      [requested.resource[1], two.identifier],
      [one.identifier, one.identifier],
      [[one.identifier, one.identifier], one.identifier],
    ] as const) {
      const answer = await fixture.refresh(
        refresh_token,
        resource === undefined ? {} : { resource: resource as never },
      );
      assert.deepEqual(claimsOf(answer.access_token).aud, aud);
      refresh_token = answer.refresh_token;
    }
    await rejected(
      fixture.refresh(refresh_token, { resource: three.identifier }),
      "invalid_target",
      /not part/,
    );
  });

  test("a token has only scopes of its APIs and of OpenID Connect, and a registered app may request no others", async () => {
    const scopes = { allowed_scopes: ["openid", "offline_access", "a:read", "b:read", "c:read"] };
    const a = await api({ scopes: { "a:read": "Read a" }, default_scopes: ["a:read"] });
    const b = await api({ scopes: { "b:read": { en: "Read b" }, "b:write": null } });
    const unstated = await api();
    const fixture = await aClientFixture(scenario, scopes);
    const resource = [a.identifier, b.identifier];
    assert.equal(await refusedAsking(fixture, { resource, scope: "openid c:read" }), "invalid_scope");
    assert.equal(await refusedAsking(fixture, { resource: a.identifier, scope: "b:read" }), "invalid_scope");
    assert.equal(await refusedAsking(fixture, { resource: b.identifier, scope: "b:write" }), "invalid_scope");
    const held = await fixture.flow({ resource, scope: "openid offline_access a:read b:read" });
    const ofA = await fixture.refresh(held.refresh_token, { resource: a.identifier });
    assert.equal(ofA.scope, "openid offline_access a:read");
    const ofB = await fixture.refresh(ofA.refresh_token, { resource: b.identifier });
    assert.equal(ofB.scope, "openid offline_access b:read");
    assert.equal((await fixture.refresh(ofB.refresh_token)).scope, "openid offline_access a:read b:read");
    const free = await fixture.flow({ resource: unstated.identifier, scope: "c:read" });
    assert.equal(free.scope, "c:read");
    const robot = await machine({ allowed_scopes: ["a:read", "c:read"] });
    const all = await robot.clientCredentials({ resource: a.identifier, scope: undefined as never });
    assert.equal(all.scope, "a:read");
    await rejected(robot.clientCredentials({ resource: a.identifier, scope: "c:read" }), "invalid_scope");
    assert.deepEqual(scopesOfResources([a, b]), {
      available: ["a:read", "b:read", "b:write"],
      defaults: ["a:read"],
    });
    assert.equal(scopesOfResources([a, unstated]), undefined);
    assert.equal(scopesOfResources([]), undefined);
  });

  test("a deactivated, deleted or recreated API gets no token, and its earlier tokens are invalid", async () => {
    const identifier = "https://ending.example";
    const own = await machine();
    const resource = await api({ identifier, app_ids: [own.app.id] });
    const other = await api();
    const fixture = await aClientFixture(scenario);
    const alone = await fixture.flow({ resource: identifier });
    const both = await fixture.flow({ resource: [identifier, other.identifier] });
    assert.equal(await own.isActive(alone.access_token), true);
    const impact = await scenario.store.impactOf("resources", resource.id, scenario.clock.now(), 100);
    assert.deepEqual(impact, { tokens: 2, people: 1 });
    const ends = {
      "switched off": () => scenario.store.update("resources", { id: resource.id }, { active: false }),
      deleted: () => scenario.store.remove("resources", { id: resource.id }),
      "made anew": () =>
        api({ identifier, app_ids: [own.app.id], created_at: later(1, scenario.clock.now()) }),
    };
    for (const [name, end] of Object.entries(ends)) {
      await end();
      for (const requester of [own, fixture])
        assert.deepEqual(await requester.introspect(alone.access_token), inactive, name);
      assert.deepEqual(
        ((await fixture.introspect(both.access_token)) as { aud: string[] }).aud,
        [other.identifier],
        name,
      );
      await assert.rejects(fixture.refresh(alone.refresh_token), refusal("invalid_target"), name);
      if (name !== "made anew") {
        assert.equal(await refusedAsking(fixture, { resource: identifier }), "invalid_target", name);
      }
    }
    assert.equal(claimsOf((await fixture.refresh(both.refresh_token)).access_token).aud, other.identifier);
  });

  test("introspecting tokens for an API causes no query for the API once it is cached", async () => {
    const own = await machine();
    const resource = await api({ app_ids: [own.app.id] });
    const { access_token } = await (await aClientFixture(scenario)).flow({ resource: resource.identifier });
    assert.equal(await own.isActive(access_token), true);
    const found = [
      await scenario.store.findResource(resource.identifier),
      await scenario.store.findClientOfApp(own.app.id),
    ];
    const again = [
      await scenario.store.findResource(resource.identifier),
      await scenario.store.findClientOfApp(own.app.id),
    ];
    for (const [index, each] of found.entries()) assert.equal(again[index], each);
    const unknown = "https://unknown.api.example";
    assert.equal(await scenario.store.findResource(unknown), undefined);
    await api({ identifier: unknown });
    assert.equal((await scenario.store.findResource(unknown))?.identifier, unknown);
    assert.equal(await own.isActive(access_token), true);
  });

  test("PR-50: an API that accepts only DPoP-bound tokens gets no others", async () => {
    const resource = await api({ dpop_bound_access_tokens_required: true });
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code({ resource: resource.identifier });
    await rejected(fixture.exchange(code), "invalid_dpop_proof");
    const dpop = await aProof(scenario, aProofKey());
    const request = { ...endpointRequest(codeParameters(fixture.app, code), fixture.authorization), dpop };
    assert.equal((await token(request, scenario.server)).token_type, "DPoP");
    await rejected(
      (await machine()).clientCredentials({ resource: resource.identifier }),
      "invalid_dpop_proof",
    );
  });

  test("PR-54: an API sets the algorithm of its access tokens, and two APIs that differ get separate tokens", async () => {
    const { store, clock } = scenario;
    await addKey("ES256", { store, clock, seal: scenario.server.sealer });
    const fresh = await testServer(store, dpopOn);
    const by = await aResource(store, { access_token_signing_alg: "ES256" });
    const usual = await aResource(store);
    const fixture = await aClientFixture(fresh);
    const held = await fixture.flow({ resource: by.identifier });
    assert.equal(decodeProtectedHeader(held.access_token).alg, "ES256");
    const code = await fixture.code({ resource: [by.identifier, usual.identifier] });
    await rejected(fixture.exchange(code), "invalid_target", /a separate token for each/);
    const one = await fixture.exchange(code, { resource: usual.identifier });
    assert.equal(decodeProtectedHeader(one.access_token).alg, "RS256");
    assert.equal(await (await fixture.at(withSettings(fresh, {}))).isActive(held.access_token), true);
    assert.equal(claimsOf(one.access_token).iss, issuer);
  });
});
