import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { TableName } from "../../src/records/definition/definition.ts";
import { databaseOn } from "../../src/storage/database/database.ts";
import type { EncodedRow } from "../../src/storage/database/driver.ts";
import { impactRules } from "../../src/storage/listing/impact.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aGroup,
  aGroupMember,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anOAuthAccount,
  anOrganization,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  insertMany,
  later,
  start,
  tokenOf,
} from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { storeStatistics } from "../support/statistics_of_tables.ts";

const machine = { user_id: null, ...accessOnly };
const revoked = { revoked: true, revoked_at: start };
/** The time for which the impact is computed: a minute after all records were created. */
const moment = later(60);

for (const database of databases)
  describe(`the records affected by deleting or revoking another one, on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const impact = (table: TableName, { id }: { readonly id: string }, limit = 100) =>
      store.impactOf(table, id, moment, limit);

    test("an app affects its active tokens, their distinct users, its consents and its active secrets", async () => {
      const app = await anApp(store);
      const [ada, bob, cleo] = [await aUser(store), await aUser(store), await aUser(store)];
      const of = { app_id: app.id };
      await aToken(store, { ...of, user_id: ada.id });
      await aToken(store, { ...of, user_id: ada.id });
      await aToken(store, { ...of, user_id: cleo.id });
      await aToken(store, { ...of, ...machine });
      await aToken(store, { ...of, user_id: bob.id, ...revoked });
      await aConsent(store, { ...of, user_id: ada.id });
      await aConsent(store, { ...of, user_id: bob.id });
      await aConsent(store, { ...of, user_id: cleo.id, ...revoked });
      await aConsent(store, { ...of, granted: false });
      await aSecret(store, of);
      await aSecret(store, { ...of, expires_at: later(61) });
      await aSecret(store, { ...of, expires_at: moment });
      await aSecret(store, { ...of, ...revoked });
      await aToken(store);
      assert.deepEqual(await impact("oauth_apps", app), { tokens: 4, people: 3, consents: 2, secrets: 2 });
      assert.deepEqual(await impact("oauth_apps", app, 2), {
        tokens: 2,
        people: 2,
        consents: 2,
        secrets: 2,
      });
    });

    test("a token counts as active while its access or refresh token is", async () => {
      const app = await anApp(store);
      const of = { app_id: app.id };
      await aToken(store, { ...of, access_expires_at: moment, refresh_expires_at: later(61) });
      await aToken(store, { ...of, access_expires_at: later(61), refresh_expires_at: moment });
      await aToken(store, { ...of, access_expires_at: moment, refresh_expires_at: moment });
      await aToken(store, { ...of, ...machine, access_expires_at: moment });
      // Rotated within the reuse window: the refresh token is used up, and the access token is active.
      await aToken(store, { ...of, access_expires_at: later(61), rotated_at: later(30) });
      await aToken(store, { ...of, access_expires_at: moment, rotated_at: later(30) });
      const { tokens, people } = await impact("oauth_apps", app);
      assert.deepEqual([tokens, people], [3, 3]);
    });

    test("a user affects their records, and other users' records at their apps", async () => {
      const [ada, bob, cleo] = [await aUser(store), await aUser(store), await aUser(store)];
      const acme = await anOrganization(store);
      const own = await anApp(store, { owner_id: ada.id });
      const acmes = await anApp(store, { owner_id: ada.id, organization_id: acme.id });
      await aMembership(store, { user_id: ada.id, organization_id: acme.id });
      await aToken(store, { app_id: own.id, user_id: ada.id });
      await aToken(store, { app_id: acmes.id, user_id: ada.id });
      await aToken(store, { app_id: own.id, user_id: bob.id });
      await aToken(store, { app_id: own.id, ...machine });
      await aToken(store, { app_id: acmes.id, user_id: cleo.id });
      await aConsent(store, { app_id: own.id, user_id: ada.id });
      await aConsent(store, { app_id: own.id, user_id: bob.id });
      await aSecret(store, { app_id: own.id });
      const of = { user_id: ada.id };
      await aSession(store, of);
      await aSession(store, { ...of, ended_at: start });
      await aSession(store, { ...of, expires_at: moment });
      await aSession(store, { ...of, last_seen_at: later(60 - 12 * 3600) });
      await anApiKey(store, of);
      await anApiKey(store, { ...of, revoked: true });
      await anApiKey(store, { ...of, expires_at: moment });
      await anOAuthAccount(store, of);
      assert.deepEqual(await impact("users", ada), {
        tokens: 4,
        people: 2,
        sessions: 1,
        consents: 2,
        secrets: 1,
        apps: 1,
        members: 1,
        api_keys: 1,
        linked_accounts: 1,
      });
      assert.deepEqual(await impact("users", cleo), { tokens: 1, people: 1 });
    });

    test("an organization affects its members, and what depends on its apps and service accounts, each once", async () => {
      const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
      const [ada, bob, cleo] = [await aUser(store), await aUser(store), await aUser(store)];
      const of = { organization_id: acme.id };
      await aMembership(store, { ...of, user_id: ada.id });
      await aMembership(store, { ...of, user_id: bob.id });
      const [one, two] = [await anApp(store, of), await anApp(store, of)];
      const foreign = await anApp(store, { organization_id: umbrella.id });
      const account = await aServiceAccount(store, of);
      await aKeyPair(store, { service_account_id: account.id });
      await aKeyPair(store, { service_account_id: account.id, active: false });
      const its = { ...machine, service_account_id: account.id };
      await aToken(store, { ...its, app_id: one.id });
      await aToken(store, { ...its, app_id: foreign.id });
      await aToken(store, { app_id: foreign.id });
      await aToken(store, { app_id: one.id, user_id: ada.id });
      for (const { id } of [one, two]) await aConsent(store, { app_id: id, user_id: cleo.id });
      await aSecret(store, { app_id: two.id });
      await anApiKey(store, of);
      assert.deepEqual(await impact("organizations", acme), {
        tokens: 3,
        people: 3,
        consents: 2,
        secrets: 1,
        apps: 2,
        members: 2,
        key_pairs: 1,
        api_keys: 1,
        service_accounts: 1,
      });
      assert.deepEqual(await impact("organizations", umbrella), { tokens: 2, people: 1, apps: 1 });
      const few = await impact("organizations", acme, 1);
      assert.deepEqual(new Set(Object.values(few)), new Set([1]));
    });

    test("a token affects the active ones of its family, or only itself without a family", async () => {
      const first = await aToken(store, revoked);
      const { app_id, user_id, family_id } = first;
      await aToken(store, { app_id, user_id, family_id });
      await aToken(store, { app_id, user_id, family_id });
      await aToken(store, { app_id, user_id });
      assert.deepEqual(await impact("oauth_tokens", first), { tokens: 2, people: 1 });
      assert.deepEqual(await impact("oauth_tokens", await aToken(store, machine)), { tokens: 1 });
      assert.deepEqual(await impact("oauth_tokens", await aToken(store, revoked)), {});
      assert.deepEqual(await impact("oauth_tokens", await aToken(store, { ...machine, ...revoked })), {});
    });

    test("a consent affects the user's tokens at the app", async () => {
      const consent = await aConsent(store);
      const { user_id, app_id } = consent;
      await aToken(store, { user_id, app_id });
      await aToken(store, { user_id });
      await aToken(store, { app_id });
      assert.deepEqual(await impact("oauth_consents", consent), { tokens: 1, people: 1 });
      assert.deepEqual(await impact("oauth_consents", await aConsent(store, revoked)), {});
    });

    test("a session affects its tokens, except those with offline access", async () => {
      const session = await aSession(store);
      const of = { session_id: session.id, user_id: session.user_id };
      const granted = (scope: string) => JSON.stringify({ grant_type: "authorization_code", scope });
      await aToken(store, { ...of, request_data: granted("openid") });
      await aToken(store, { ...of, request_data: granted("openid offline_access") });
      await aToken(store, { ...of, ...revoked });
      await aToken(store, { user_id: session.user_id });
      assert.deepEqual(await impact("sessions", session), { tokens: 1, people: 1 });
      assert.deepEqual(await impact("sessions", await aSession(store, { ended_at: start })), {});
      const idle = await aSession(store, { last_seen_at: later(60 - 12 * 3600) });
      assert.deepEqual(await impact("sessions", idle), {});
    });

    test("a service account and its key pair affect the tokens issued for them", async () => {
      const account = await aServiceAccount(store);
      const of = { service_account_id: account.id };
      const [one, two] = [await aKeyPair(store, of), await aKeyPair(store, of)];
      await aKeyPair(store, { ...of, expires_at: moment });
      await aKeyPair(store, { ...of, ...revoked });
      const signed = (key_pair_id: string) => JSON.stringify({ grant_type: "jwt", scope: "a", key_pair_id });
      await aToken(store, { ...machine, ...of, request_data: signed(one.id) });
      await aToken(store, { ...machine, ...of, request_data: signed(one.id) });
      await aToken(store, { ...machine, ...of, request_data: signed(two.id) });
      await aToken(store, { ...machine, ...of, ...revoked, request_data: signed(two.id) });
      assert.deepEqual(await impact("service_accounts", account), { tokens: 3, key_pairs: 2 });
      assert.deepEqual(await impact("service_account_key_pairs", one), { tokens: 2 });
      assert.deepEqual(await impact("service_account_key_pairs", two), { tokens: 1 });
    });

    test("the last active secret of an app affects the app", async () => {
      const app = await anApp(store);
      const of = { app_id: app.id };
      const [one, dead] = [await aSecret(store, of), await aSecret(store, { ...of, ...revoked })];
      assert.deepEqual(await impact("oauth_app_secrets", one), { apps: 1 });
      await aSecret(store, of);
      assert.deepEqual(await impact("oauth_app_secrets", one), {});
      assert.deepEqual(await impact("oauth_app_secrets", dead), {});
    });

    test("a record of one user affects that user, while the record is active", async () => {
      const user_id = (await aUser(store)).id;
      const acme = await anOrganization(store);
      const one = { people: 1 };
      const membership = await aMembership(store, { user_id, organization_id: acme.id });
      assert.deepEqual(await impact("memberships", membership), { members: 1 });
      assert.deepEqual(await impact("oauth_accounts", await anOAuthAccount(store, { user_id })), one);
      assert.deepEqual(await impact("api_keys", await anApiKey(store, { user_id })), one);
      assert.deepEqual(await impact("api_keys", await anApiKey(store, { user_id, expires_at: moment })), {});
      assert.deepEqual(await impact("api_keys", await anApiKey(store, { organization_id: acme.id })), {});
      assert.deepEqual(await impact("oauth_auth_codes", await aCode(store, { expires_at: later(61) })), one);
      assert.deepEqual(await impact("oauth_auth_codes", await aCode(store)), {});
      assert.deepEqual(
        await impact("oauth_auth_codes", await aCode(store, { expires_at: later(61), used: true })),
        {},
      );
    });

    test("a role affects each member who has it, also through groups, once, and the groups that grant it", async () => {
      const acme = await anOrganization(store);
      const of = { organization_id: acme.id };
      const role = await aRole(store, of);
      const api = await aResource(store, of);
      const app_role = await anAppRole(store, { resource_id: api.id });
      const given = { role_ids: [role.id], app_role_ids: [app_role.id] };
      const group = await aGroup(store, { ...of, ...given });
      await aGroup(store, { ...of, ...given });
      const direct = await aMembership(store, { ...of, ...given });
      const through = await aMembership(store, of);
      for (const each of [direct, through]) await aGroupMember(store, each, group);
      await aMembership(store, { ...of, role_ids: [(await aRole(store, of)).id] });
      // A role of another organization grants nothing here (OC-6).
      await aMembership(store, given);
      const counted = { holders: 2, groups: 2 };
      assert.deepEqual(await impact("roles", role), counted);
      assert.deepEqual(await impact("app_roles", app_role), counted);
      assert.deepEqual(await impact("groups", group), { group_members: 2 });
      assert.deepEqual(await impact("memberships", through), { members: 1, left_groups: 1 });
      assert.deepEqual(await impact("roles", role, 1), { holders: 1, groups: 1 });
      assert.deepEqual(await impact("roles", await aRole(store, of)), {});
      assert.deepEqual(await impact("groups", await aGroup(store, of)), {});
    });

    test("OC-6: the roles that memberships get through groups are listed once, in order", async () => {
      const [member, other] = [await aMembership(store), await aMembership(store)];
      const { organization_id } = member;
      const roles = [randomUUID(), randomUUID()].toSorted();
      const app_role_ids = [randomUUID()];
      for (const role_ids of [roles.toReversed(), roles.slice(1)])
        await aGroupMember(store, member, await aGroup(store, { organization_id, role_ids, app_role_ids }));
      const ids = [member.id, other.id];
      assert.deepEqual([...(await store.rolesThroughGroups("role_ids", ids))], [[member.id, roles]]);
      assert.deepEqual(
        [...(await store.rolesThroughGroups("app_role_ids", ids))],
        [[member.id, app_role_ids]],
      );
    });

    test("a role and an app role of the server affect their holders in every organization", async () => {
      const [role, app_role] = [await aRole(store), await anAppRole(store)];
      const given = { role_ids: [role.id], app_role_ids: [app_role.id] };
      for (let index = 0; index < 3; index++) await aMembership(store, given);
      await aGroupMember(store, await aMembership(store), await aGroup(store, given));
      const counted = { holders: 4, groups: 1 };
      assert.deepEqual(await impact("roles", role), counted);
      assert.deepEqual(await impact("app_roles", app_role), counted);
    });

    test("a nonexistent record, an invalid id and records of other types affect nothing", async () => {
      for (const table of ["users", "oauth_apps", "oauth_tokens", "ephemera", "signing_keys"] as const)
        for (const id of [randomUUID(), "acme", ""]) assert.deepEqual(await impact(table, { id }), {});
    });

    test("an id in upper case names the same record", async () => {
      const token = await aToken(store, machine);
      assert.deepEqual(await impact("oauth_tokens", { id: token.id.toUpperCase() }), { tokens: 1 });
    });
  });

for (const database of databases)
  test(`design 5: what a record affects is found by an index, and a bounded number of rows is read, on ${database.name}`, async () => {
    const address = await database.tables();
    const store = await openStoreAt(address);
    const [acme, crowd, ada] = [await anOrganization(store), await anApp(store), await aUser(store)];
    const of = { organization_id: acme.id };
    const app = await anApp(store, of);
    const account = await aServiceAccount(store, of);
    const key = await aKeyPair(store, { service_account_id: account.id });
    const session = await aSession(store, { user_id: ada.id });
    const consent = await aConsent(store, { user_id: ada.id, app_id: app.id });
    const token = await aToken(store, { user_id: ada.id, app_id: app.id, session_id: session.id });
    const [role, group] = [await aRole(store, of), await aGroup(store, of)];
    const app_role = await anAppRole(store, { resource_id: (await aResource(store, of)).id });
    const total = 20_200;
    await insertMany(store, "oauth_tokens", total, (index) => {
      const dead = index >= 100 && index < total - 100;
      const issued = { app_id: crowd.id, user_id: index % 100 === 7 ? ada.id : null, ...accessOnly };
      return tokenOf({ ...issued, created_at: later(index / 1000), ...(dead && revoked) });
    });
    // The newest rows are read; the oldest, which are also active, are beyond the limit.
    assert.equal((await store.impactOf("oauth_apps", crowd.id, moment, 10_000)).tokens, 100);

    const driver = await openDriver(address);
    if (address.kind === "postgres") await driver.queryUnprepared(storeStatistics, []);
    const requested: { sql: string; parameters: readonly unknown[] }[] = [];
    const { impactOf } = impactRules(
      databaseOn({
        ...driver,
        queryUnprepared(sql, parameters) {
          requested.push({ sql, parameters });
          return driver.queryUnprepared(sql, parameters);
        },
      }),
    );
    for (const analyzed of [false, true]) {
      if (analyzed) await driver.queryUnprepared("ANALYZE", []);
      for (const [table, { id }] of [
        ["users", ada],
        ["organizations", acme],
        ["oauth_apps", app],
        ["oauth_tokens", token],
        ["oauth_consents", consent],
        ["sessions", session],
        ["service_accounts", account],
        ["service_account_key_pairs", key],
        ["roles", role],
        ["app_roles", app_role],
        ["groups", group],
      ] as const) {
        requested.length = 0;
        await impactOf(table, id, moment, 10_000);
        assert.ok(requested.length > 0, table);
        for (const { sql, parameters } of requested) {
          const explain = database.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
          const plan = await driver.queryUnprepared(`${explain} ${sql}`, parameters);
          assert.doesNotMatch(
            reported(plan),
            /Seq Scan on oauth_tokens|SCAN oauth_tokens/,
            `${table}: ${sql}`,
          );
          if (database.name === "SQLite") assertSearched(plan, table);
        }
      }
    }
    await driver.close();
  });

function reported(plan: EncodedRow[]): string {
  return plan.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n");
}

/**
 * Asserts that SQLite scans no table: only rows that a bounded subquery selected, and lists within a value.
 */
function assertSearched(plan: EncodedRow[], table: string): void {
  const details = plan.map(({ detail }) => String(detail));
  const bounded = details.flatMap((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []);
  for (const detail of details) {
    const [, scanned] = /^SCAN (\S+)/.exec(detail) ?? [];
    if (scanned === undefined || scanned === "CONSTANT" || detail.includes(" VIRTUAL TABLE ")) continue;
    assert.ok(bounded.includes(scanned), `${table}: ${details.join("; ")}`);
  }
}
