import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { OAuthApp, Organization } from "../../src/records/definition/definition.ts";
import { issuer, serverOn, type TestServer, testServer } from "../support/authorization_server.ts";
import { anOrganization, aResource } from "../support/builders.ts";
import { databasesInForm, describeInForm } from "../support/databases.ts";
import { aMachine, switchedOn } from "./machine.ts";
import { aParty, claimsAt, claimsOf, type Party, type Refreshable, rejected } from "./party.ts";

const urn = ({ id }: Organization) => `urn:postern:organization:${id}`;

describeInForm("the default audience", (database) => {
  const stage = serverOn(database, switchedOn);
  let mine: Organization;
  let theirs: Organization;
  before(async () => {
    [mine, theirs] = [await anOrganization(stage.store), await anOrganization(stage.store)];
  });

  const machine = (given: Partial<OAuthApp> = {}) =>
    aParty(stage, {
      app_type: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read", "postern:apps:read", "token:introspect"],
      ...given,
    });
  const audienceOf = async (given: Partial<OAuthApp>, scope = "orders:read") => {
    const party = await machine(given);
    const { access_token } = await party.clientCredentials({ scope });
    const { aud } = claimsOf(access_token);
    const row = await party.rowOf(access_token);
    assert.deepEqual(row.audience, [aud].flat());
    assert.deepEqual(((await party.introspect(access_token)) as { aud: unknown }).aud, [aud].flat());
    return aud;
  };
  const claims = (access_token: string) => claimsAt(stage, access_token);

  test("S-5: tokens of two tenants with one scope are not for the same audience (security finding 5)", async () => {
    const ring = await stage.server.keys();
    const keys = createLocalJWKSet(ring.jwks(stage.clock.now()) as never);
    const tokenOf = async ({ id: organization_id }: Organization) =>
      (await (await machine({ organization_id })).clientCredentials()).access_token;
    const [own, foreign] = [await tokenOf(mine), await tokenOf(theirs)];
    // What a resource server of `mine` checks (RFC 9068 4).
    const accept = (token: string) =>
      jwtVerify(token, keys, {
        issuer,
        audience: urn(mine),
        typ: "at+jwt",
        currentDate: stage.clock.now(),
      });
    assert.equal((await accept(own)).payload.scope, "orders:read");
    await assert.rejects(accept(foreign), { code: "ERR_JWT_CLAIM_VALIDATION_FAILED", claim: "aud" });
    assert.equal(claimsOf(foreign).scope, "orders:read");
  });

  test("S-5: it is the resource that the app is, else its organization's, else the issuer", async () => {
    const resource = "https://orders.example/";
    assert.equal(await audienceOf({ organization_id: mine.id }), urn(mine));
    assert.equal(await audienceOf({ organization_id: mine.id, metadata: { resource } }), resource);
    assert.equal(await audienceOf({}), issuer);
    assert.equal(await audienceOf({ metadata: { resource: "https://bills.example/" } }), issuer);
    const named = await anOrganization(stage.store, { settings: { audience: "https://api.acme.example" } });
    assert.equal(await audienceOf({ organization_id: named.id }), "https://api.acme.example");
    const old = await anOrganization(stage.store, { settings: { audience: issuer } });
    assert.equal(await audienceOf({ organization_id: old.id }), issuer);
  });

  test("S-6: the issuer is in the audience only where openid or a scope of this server is granted (security finding 5)", async () => {
    const scopes = ["openid", "orders:read", "postern:apps:read"];
    const party = await aParty(stage, { organization_id: mine.id, allowed_scopes: scopes });
    const audience = async (scope: string) => claimsOf((await party.flow({ scope })).access_token).aud;
    assert.equal(await audience("orders:read"), urn(mine));
    assert.deepEqual(await audience("openid orders:read"), [urn(mine), issuer]);
    assert.deepEqual(await audience("orders:read postern:apps:read"), [urn(mine), issuer]);
    assert.deepEqual(await audience(scopes.join(" ")), [urn(mine), issuer]);
    assert.deepEqual(await audienceOf({ organization_id: mine.id }, "postern:apps:read"), [
      urn(mine),
      issuer,
    ]);
    const old = await anOrganization(stage.store, { settings: { audience: issuer } });
    const kept = await aParty(stage, { organization_id: old.id, allowed_scopes: scopes });
    assert.equal(claimsOf((await kept.flow({ scope: scopes.join(" ") })).access_token).aud, issuer);
  });

  test("S-6: userinfo takes tokens with openid that name no resource, and no other", async () => {
    const orders = "https://orders.example/api";
    const party = await aParty(stage, {
      organization_id: mine.id,
      metadata: { resource: "https://web.example/", resources: [orders] },
    });
    const tokens = await party.flow({ scope: "openid orders:read" });
    assert.deepEqual(claimsOf(tokens.access_token).aud, ["https://web.example/", issuer]);
    assert.deepEqual(await claims(tokens.access_token), { sub: party.user.id });
    const requested = await party.flow({ scope: "openid", resource: orders });
    assert.equal(claimsOf(requested.access_token).aud, orders);
    await rejected(claims(requested.access_token), "invalid_token", /another audience/);
    const { access_token } = await party.flow({ scope: "orders:read" });
    await rejected(claims(access_token), "insufficient_scope", /openid/);
    const narrowed = await party.refresh(tokens.refresh_token, { resource: issuer });
    assert.equal(claimsOf(narrowed.access_token).aud, issuer);
    assert.deepEqual(await claims(narrowed.access_token), { sub: party.user.id });
  });

  test("S-5: a refresh keeps the audience, that of tokens of earlier versions too", async () => {
    const party = await aParty(stage, { organization_id: mine.id });
    const first = await party.flow({ scope: "openid orders:read" });
    const { aud } = claimsOf(first.access_token);
    const second = await party.refresh(first.refresh_token);
    assert.deepEqual(claimsOf(second.access_token).aud, aud);

    const before = await party.flow({ scope: "openid orders:read" });
    const { id } = await party.rowOf(before.access_token);
    await stage.store.update("oauth_tokens", { id }, { audience: [issuer] });
    const after = await party.refresh(before.refresh_token);
    assert.equal(claimsOf(after.access_token).aud, issuer);
    assert.deepEqual(await claims(after.access_token), { sub: party.user.id });
    const again = await party.refresh(after.refresh_token);
    assert.equal(claimsOf(again.access_token).aud, issuer);
  });

  test("S-5: a service account's token is for its own organization, whatever client presents the assertion", async () => {
    const account = { organization_id: theirs.id, allowed_scopes: ["orders:read", "postern:apps:read"] };
    const robot = await aMachine(stage, { account });
    const { access_token } = await robot.exchange({ scope: "orders:read" });
    assert.equal(claimsOf(access_token).aud, urn(theirs));
    const client = await machine({ organization_id: mine.id, allowed_grants: ["jwt_bearer"] });
    const through = await robot.exchange({ scope: "orders:read postern:apps:read" }, client.authorization);
    assert.deepEqual(claimsOf(through.access_token).aud, [urn(theirs), issuer]);
  });
});

/** What APIs as records cost requests that name none: no read of theirs. */
const [sqlite] = databasesInForm.filter(({ name }) => name === "SQLite");

describe("requests without resource", () => {
  let stage: TestServer;
  let party: Party;
  const read: string[] = [];
  before(async () => {
    assert.ok(sqlite);
    stage = await testServer(await sqlite.open());
    // APIs that a careless look-up would find: of the server, and open to any client.
    for (const who_may_ask of ["registered", "any"] as const) await aResource(stage.store, { who_may_ask });
    party = await aParty(stage, {
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      allowed_scopes: ["openid", "offline_access", "orders:read"],
    });
    const asking = ["all", "get", "iterate"] as const;
    for (const verb of asking) {
      const ask = StatementSync.prototype[verb] as (this: StatementSync, ...given: never[]) => never;
      mock.method(StatementSync.prototype, verb, function (this: StatementSync, ...given: never[]) {
        read.push(this.sourceSQL);
        return ask.apply(this, given);
      });
    }
  });
  after(() => mock.restoreAll());

  /** The statements that the work reads by. */
  async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
    read.length = 0;
    await work();
    return [...read];
  }
  const ofResources = (statements: readonly string[]) =>
    statements.filter((sql) => /\b(?:from|join)\s+"?resources\b/i.test(sql));

  test("token, introspection and authorize requests read no API, however many there are", async () => {
    // What is kept in memory is there from then on.
    const first = await party.flow();
    await party.isActive(first.access_token);
    const machine = () => party.clientCredentials({ scope: "orders:read" });
    let live: Refreshable = first;
    for (const [name, work] of Object.entries({
      authorize: () => party.code(),
      flow: async () => {
        live = await party.flow();
      },
      refresh: async () => {
        live = await party.refresh(live.refresh_token);
      },
      machine,
      introspect: () => party.isActive(live.access_token),
    })) {
      assert.deepEqual(ofResources(await readsOf(work)), [], name);
    }
  });

  test("one that names an API reads it once, and from memory from then on", async () => {
    const { identifier } = await aResource(stage.store, {});
    const requested = () => party.clientCredentials({ scope: "orders:read", resource: identifier });
    // A new API made everything in memory be forgotten: with the client come the APIs that it is.
    assert.equal(ofResources(await readsOf(requested)).length, 2);
    assert.deepEqual(ofResources(await readsOf(requested)), []);
  });
});
