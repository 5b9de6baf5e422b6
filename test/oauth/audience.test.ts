import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { OAuthApp, Organization } from "../../src/records/definition/definition.ts";
import { issuer, serverOn, type TestServer, testServer } from "../support/authorization_server.ts";
import { anOrganization, aResource } from "../support/builders.ts";
import { databasesInForm, describeInForm } from "../support/databases.ts";
import {
  aClientFixture,
  type ClientFixture,
  claimsAt,
  claimsOf,
  type Refreshable,
  rejected,
} from "./client_fixture.ts";
import { aMachine, switchedOn } from "./machine.ts";

const urn = ({ id }: Organization) => `urn:postern:organization:${id}`;

describeInForm("the default audience", (database) => {
  const scenario = serverOn(database, switchedOn);
  let mine: Organization;
  let theirs: Organization;
  before(async () => {
    [mine, theirs] = [await anOrganization(scenario.store), await anOrganization(scenario.store)];
  });

  const machine = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, {
      app_type: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read", "postern:apps:read", "token:introspect"],
      ...overrides,
    });
  const audienceOf = async (overrides: Partial<OAuthApp>, scope = "orders:read") => {
    const fixture = await machine(overrides);
    const { access_token } = await fixture.clientCredentials({ scope });
    const { aud } = claimsOf(access_token);
    const row = await fixture.rowOf(access_token);
    assert.deepEqual(row.audience, [aud].flat());
    assert.deepEqual(((await fixture.introspect(access_token)) as { aud: unknown }).aud, [aud].flat());
    return aud;
  };
  const claims = (access_token: string) => claimsAt(scenario, access_token);

  test("S-5: tokens of two organizations with the same scope have different audiences (security finding 5)", async () => {
    const ring = await scenario.server.keys();
    const keys = createLocalJWKSet(ring.jwks(scenario.clock.now()) as never);
    const tokenOf = async ({ id: organization_id }: Organization) =>
      (await (await machine({ organization_id })).clientCredentials()).access_token;
    const [own, foreign] = [await tokenOf(mine), await tokenOf(theirs)];
    // The checks of a resource server for `mine` (RFC 9068 4).
    const accept = (token: string) =>
      jwtVerify(token, keys, {
        issuer,
        audience: urn(mine),
        typ: "at+jwt",
        currentDate: scenario.clock.now(),
      });
    assert.equal((await accept(own)).payload.scope, "orders:read");
    await assert.rejects(accept(foreign), { code: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "aud" });
    assert.equal(claimsOf(foreign).scope, "orders:read");
  });

  test("S-5: the audience is the app's own resource, else its organization's audience, else the issuer", async () => {
    const resource = "https://orders.example/";
    assert.equal(await audienceOf({ organization_id: mine.id }), urn(mine));
    assert.equal(await audienceOf({ organization_id: mine.id, metadata: { resource } }), resource);
    assert.equal(await audienceOf({}), issuer);
    assert.equal(await audienceOf({ metadata: { resource: "https://bills.example/" } }), issuer);
    const named = await anOrganization(scenario.store, {
      settings: { audience: "https://api.acme.example" },
    });
    assert.equal(await audienceOf({ organization_id: named.id }), "https://api.acme.example");
    const old = await anOrganization(scenario.store, { settings: { audience: issuer } });
    assert.equal(await audienceOf({ organization_id: old.id }), issuer);
  });

  test("S-6: the audience contains the issuer only with openid or a scope of this server (security finding 5)", async () => {
    const scopes = ["openid", "orders:read", "postern:apps:read"];
    const fixture = await aClientFixture(scenario, { organization_id: mine.id, allowed_scopes: scopes });
    const audience = async (scope: string) => claimsOf((await fixture.flow({ scope })).access_token).aud;
    assert.equal(await audience("orders:read"), urn(mine));
    assert.deepEqual(await audience("openid orders:read"), [urn(mine), issuer]);
    assert.deepEqual(await audience("orders:read postern:apps:read"), [urn(mine), issuer]);
    assert.deepEqual(await audience(scopes.join(" ")), [urn(mine), issuer]);
    assert.deepEqual(await audienceOf({ organization_id: mine.id }, "postern:apps:read"), [
      urn(mine),
      issuer,
    ]);
    const old = await anOrganization(scenario.store, { settings: { audience: issuer } });
    const kept = await aClientFixture(scenario, { organization_id: old.id, allowed_scopes: scopes });
    assert.equal(claimsOf((await kept.flow({ scope: scopes.join(" ") })).access_token).aud, issuer);
  });

  test("S-6: userinfo accepts a token with openid that was not requested for a resource, and no other", async () => {
    const orders = "https://orders.example/api";
    const fixture = await aClientFixture(scenario, {
      organization_id: mine.id,
      metadata: { resource: "https://web.example/", resources: [orders] },
    });
    const tokens = await fixture.flow({ scope: "openid orders:read" });
    assert.deepEqual(claimsOf(tokens.access_token).aud, ["https://web.example/", issuer]);
    assert.deepEqual(await claims(tokens.access_token), { sub: fixture.user.id });
    const requested = await fixture.flow({ scope: "openid", resource: orders });
    assert.equal(claimsOf(requested.access_token).aud, orders);
    await rejected(claims(requested.access_token), "invalid_token", /another audience/);
    const { access_token } = await fixture.flow({ scope: "orders:read" });
    await rejected(claims(access_token), "insufficient_scope", /openid/);
    const narrowed = await fixture.refresh(tokens.refresh_token, { resource: issuer });
    assert.equal(claimsOf(narrowed.access_token).aud, issuer);
    assert.deepEqual(await claims(narrowed.access_token), { sub: fixture.user.id });
  });

  test("S-5: a refresh keeps the audience of the token, also of tokens from earlier versions", async () => {
    const fixture = await aClientFixture(scenario, { organization_id: mine.id });
    const first = await fixture.flow({ scope: "openid orders:read" });
    const { aud } = claimsOf(first.access_token);
    const second = await fixture.refresh(first.refresh_token);
    assert.deepEqual(claimsOf(second.access_token).aud, aud);

    const before = await fixture.flow({ scope: "openid orders:read" });
    const { id } = await fixture.rowOf(before.access_token);
    await scenario.store.update("oauth_tokens", { id }, { audience: [issuer] });
    const after = await fixture.refresh(before.refresh_token);
    assert.equal(claimsOf(after.access_token).aud, issuer);
    assert.deepEqual(await claims(after.access_token), { sub: fixture.user.id });
    const again = await fixture.refresh(after.refresh_token);
    assert.equal(claimsOf(again.access_token).aud, issuer);
  });

  test("S-5: the audience of a service account's token is its own organization's, whichever client presents the assertion", async () => {
    const account = { organization_id: theirs.id, allowed_scopes: ["orders:read", "postern:apps:read"] };
    const robot = await aMachine(scenario, { account });
    const { access_token } = await robot.exchange({ scope: "orders:read" });
    assert.equal(claimsOf(access_token).aud, urn(theirs));
    const client = await machine({ organization_id: mine.id, allowed_grants: ["jwt_bearer"] });
    const through = await robot.exchange({ scope: "orders:read postern:apps:read" }, client.authorization);
    assert.deepEqual(claimsOf(through.access_token).aud, [urn(theirs), issuer]);
  });
});

/** Requests that name no API read no API records. */
const [sqlite] = databasesInForm.filter(({ name }) => name === "SQLite");

describe("requests without the parameter resource", () => {
  let scenario: TestServer;
  let fixture: ClientFixture;
  const read: string[] = [];
  before(async () => {
    assert.ok(sqlite);
    scenario = await testServer(await sqlite.open());
    // APIs that a careless look-up would find: they belong to the server and admit any client.
    for (const who_may_ask of ["registered", "any"] as const)
      await aResource(scenario.store, { who_may_ask });
    fixture = await aClientFixture(scenario, {
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      allowed_scopes: ["openid", "offline_access", "orders:read"],
    });
    const asking = ["all", "get", "iterate"] as const;
    for (const verb of asking) {
      const ask = StatementSync.prototype[verb] as (this: StatementSync, ...overrides: never[]) => never;
      mock.method(StatementSync.prototype, verb, function (this: StatementSync, ...overrides: never[]) {
        read.push(this.sourceSQL);
        return ask.apply(this, overrides);
      });
    }
  });
  after(() => mock.restoreAll());

  /** Returns the statements that read during the work. */
  async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
    read.length = 0;
    await work();
    return [...read];
  }
  const ofResources = (statements: readonly string[]) =>
    statements.filter((sql) => /\b(?:from|join)\s+"?resources\b/i.test(sql));

  test("token, introspection and authorization requests without resource read no API from the database", async () => {
    // The first requests fill the cache.
    const first = await fixture.flow();
    await fixture.isActive(first.access_token);
    const machine = () => fixture.clientCredentials({ scope: "orders:read" });
    let live: Refreshable = first;
    for (const [name, work] of Object.entries({
      authorize: () => fixture.code(),
      flow: async () => {
        live = await fixture.flow();
      },
      refresh: async () => {
        live = await fixture.refresh(live.refresh_token);
      },
      machine,
      introspect: () => fixture.isActive(live.access_token),
    })) {
      assert.deepEqual(ofResources(await readsOf(work)), [], name);
    }
  });

  test("a request for an API reads it from the database once, and later requests use the cache", async () => {
    const { identifier } = await aResource(scenario.store, {});
    const requested = () => fixture.clientCredentials({ scope: "orders:read", resource: identifier });
    // A new API empties the cache, so the client is read again together with its APIs.
    assert.equal(ofResources(await readsOf(requested)).length, 2);
    assert.deepEqual(ofResources(await readsOf(requested)), []);
  });
});
