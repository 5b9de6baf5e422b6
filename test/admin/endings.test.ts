/**
 * The records that end together with another record (design 6.18): each cause, the reason stored with the
 * token, and the records that stay active.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as giveWay } from "node:timers/promises";
import { removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { OAuthToken } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  anApp,
  anOrganization,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  insertMany,
  tokenOf,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

/** One of every record that a token can depend on, and a token that depends on none of them. */
async function fixture(store: Store) {
  const [user, organization] = [await aUser(store), await anOrganization(store)];
  const app = await anApp(store, { organization_id: organization.id });
  const account = await aServiceAccount(store, { organization_id: organization.id });
  const of = { app_id: app.id, user_id: user.id };
  const session = await aSession(store, { user_id: user.id });
  const pair = await aKeyPair(store, { service_account_id: account.id });
  const machine = { app_id: app.id, user_id: null, service_account_id: account.id };
  return {
    ids: {
      users: user.id,
      organizations: organization.id,
      apps: app.id,
      service_accounts: account.id,
      consents: (await aConsent(store, of)).id,
      sessions: session.id,
      key_pairs: pair.id,
      app_secrets: (await aSecret(store, { app_id: app.id })).id,
    },
    code: await aCode(store, of),
    tokens: {
      user: await aToken(store, of),
      session: await aToken(store, { ...of, session_id: session.id, request_data: '{"scope":"openid"}' }),
      offline: await aToken(store, {
        ...of,
        session_id: session.id,
        request_data: '{"scope":"openid offline_access"}',
      }),
      client: await aToken(store, { app_id: app.id, user_id: null }),
      account: await aToken(store, { ...machine, request_data: JSON.stringify({ key_pair_id: pair.id }) }),
      other_key: await aToken(store, {
        ...machine,
        request_data: JSON.stringify({ key_pair_id: crypto.randomUUID() }),
      }),
      elsewhere: await aToken(store),
    },
  };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;
type Name = keyof Fixture["tokens"];

const all: readonly Name[] = ["user", "session", "offline", "client", "account", "other_key", "elsewhere"];
const ofUser: readonly Name[] = ["user", "session", "offline"];
const inOrganization: readonly Name[] = [...ofUser, "client", "account", "other_key"];

interface Cause {
  readonly resourceType: keyof Fixture["ids"] & ResourceType;
  readonly by: "revoke" | "delete" | Readonly<Record<string, unknown>>;
  readonly ended: readonly Name[];
  readonly reason: string;
}

const off = { active: false };
const causes: readonly Cause[] = [
  { resourceType: "users", by: off, ended: ofUser, reason: "user_disabled" },
  { resourceType: "users", by: { password: "a long new phrase" }, ended: ofUser, reason: "password_changed" },
  { resourceType: "organizations", by: off, ended: inOrganization, reason: "organization_disabled" },
  { resourceType: "apps", by: off, ended: inOrganization, reason: "app_disabled" },
  { resourceType: "apps", by: "revoke", ended: inOrganization, reason: "app_disabled" },
  {
    resourceType: "service_accounts",
    by: off,
    ended: ["account", "other_key"],
    reason: "service_account_disabled",
  },
  { resourceType: "consents", by: "revoke", ended: ofUser, reason: "consent_withdrawn" },
  { resourceType: "consents", by: "delete", ended: ofUser, reason: "consent_withdrawn" },
  { resourceType: "sessions", by: "revoke", ended: ["session"], reason: "logout" },
  { resourceType: "key_pairs", by: "revoke", ended: ["account"], reason: "key_revoked" },
  { resourceType: "key_pairs", by: { revoked: true }, ended: ["account"], reason: "key_revoked" },
  { resourceType: "key_pairs", by: off, ended: ["account"], reason: "key_revoked" },
  { resourceType: "key_pairs", by: "delete", ended: ["account"], reason: "key_revoked" },
  { resourceType: "app_secrets", by: "revoke", ended: [], reason: "" },
];

for (const database of databasesInForm) {
  describe(`deactivations, revocations and deletions on ${database.name}`, () => {
    for (const { resourceType, by, ended, reason } of causes) {
      const done = typeof by === "string" ? by : `change ${JSON.stringify(by)}`;
      test(`${done} of ${resourceType} ends ${ended.join(", ") || "no token"}${reason && `: ${reason}`}`, async () => {
        const context = testContext(await database.open());
        const { store, clock } = context;
        const { ids, tokens } = await fixture(store);
        clock.advance(1);
        const resource = resourceOf(resourceType);
        if (by === "revoke") await revokeRecord(context, resource, ids[resourceType]);
        else if (by === "delete") await removeRecord(context, resource, ids[resourceType]);
        else await updateRecord(context, resource, ids[resourceType], by);
        for (const name of all) {
          const row = await store.find("oauth_tokens", { id: tokens[name].id });
          const found = [row?.revoked, row?.revoked_reason ?? null];
          assert.deepEqual(found, ended.includes(name) ? [true, reason] : [false, null], name);
          if (ended.includes(name)) assert.deepEqual(row?.revoked_at, clock.now());
        }
      });
    }

    test("withdrawing a consent revokes the user's unused authorization codes for the app", async () => {
      const context = testContext(await database.open());
      const { ids, code } = await fixture(context.store);
      await revokeRecord(context, resourceOf("consents"), ids.consents);
      assert.equal(await context.store.find("oauth_auth_codes", { id: code.id }), undefined);
    });

    /** Adds more tokens than one commit deletes. */
    const addManyTokens = (store: Store, of: Parameters<typeof tokenOf>[0]) =>
      insertMany(store, "oauth_tokens", 600, () => tokenOf(of));

    test("design 6.18: a deletion deactivates dependent rows first, deletes them in steps, and does not block other requests", async () => {
      for (const resourceType of ["apps", "organizations", "service_accounts", "users"] as const) {
        const context = testContext(await database.open());
        const { store } = context;
        const { ids, tokens } = await fixture(store);
        const of = resourceType === "users" ? { user_id: ids.users } : { user_id: null };
        const through = resourceType === "service_accounts" && { service_account_id: ids.service_accounts };
        await addManyTokens(store, { app_id: tokens.user.app_id, ...of, ...through });
        let served = 0;
        let isOver = false;
        const serving = (async () => {
          while (!isOver) {
            await store.find("oauth_apps", { id: ids.apps });
            served += 1;
            await giveWay();
          }
        })();
        const resource = resourceOf(resourceType);
        const successor = await aUser(store);
        const options = resourceType === "users" ? { successor: successor.email } : {};
        await removeRecord(context, resource, ids[resourceType], undefined, options);
        isOver = true;
        await serving;
        assert.ok(served > 3, `${resourceType}: ${served}`);
        const events = await store.list("audit_events", { target_id: ids[resourceType] });
        const types = events.map(({ type }) => type.slice(type.indexOf(".") + 1));
        assert.equal(types.length, 2, String(types));
        assert.equal(await store.find(resource.table, { id: ids[resourceType] } as never), undefined);
        assert.equal(await store.count("ephemera", { kind: "ended" }), 1);
        await store.markEndedTokens();
        assert.equal(await store.count("ephemera", { kind: "ended" }), 0);
      }
    });

    test("deleting a user whose successor does not exist changes nothing", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const { ids, tokens } = await fixture(store);
      await store.update("oauth_apps", { id: ids.apps }, { owner_id: ids.users });
      await addManyTokens(store, { app_id: tokens.user.app_id, user_id: ids.users });
      const had = await store.count("oauth_tokens");
      await assert.rejects(removeRecord(context, resourceOf("users"), ids.users), {
        code: "successor_required",
      });
      assert.equal((await store.find("users", { id: ids.users }))?.active, true);
      assert.equal(await store.count("oauth_tokens"), had);
    });

    test("deleting a record revokes the tokens that depend on it", async () => {
      const deleted = [
        ["users", ofUser],
        ["apps", inOrganization],
        ["organizations", inOrganization],
        ["service_accounts", ["account", "other_key"]],
      ] as const satisfies readonly (readonly [keyof Fixture["ids"] & ResourceType, readonly Name[]])[];
      for (const [resourceType, gone] of deleted) {
        const context = testContext(await database.open());
        const { ids, tokens } = await fixture(context.store);
        await removeRecord(context, resourceOf(resourceType), ids[resourceType]);
        for (const name of all) {
          const row: OAuthToken | undefined = await context.store.find("oauth_tokens", {
            id: tokens[name].id,
          });
          assert.equal(
            row === undefined,
            (gone as readonly Name[]).includes(name),
            `${resourceType}: ${name}`,
          );
        }
      }
    });

    test("reactivating a record revives none of its tokens, not even one stored by an interrupted grant", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const { ids, tokens } = await fixture(store);
      clock.advance(1);
      await updateRecord(context, resourceOf("users"), ids.users, off);
      clock.advance(1);
      const straggler = await aToken(store, { user_id: ids.users, created_at: clock.now() });
      await updateRecord(context, resourceOf("users"), ids.users, { active: true });
      const user = await store.find("users", { id: ids.users });
      assert.ok(user?.tokens_not_before && user.tokens_not_before >= straggler.created_at);
      assert.equal((await store.find("oauth_tokens", { id: tokens.user.id }))?.revoked, true);
    });
  });
}
