import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { recordNouns } from "../../src/errors/messages.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import { endStolen, stolenRule, stolenThings } from "../../src/people/authenticators/stolen/end_stolen.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { endedAtOnce, revokedOneByOne } from "../../src/records/definition/account_events.ts";
import type { TableName, User } from "../../src/records/definition/definition.ts";
import { tables } from "../../src/records/definition/definition.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";
import { testContext } from "../admin/context.ts";
import {
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  anEvent,
  anInvitation,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aResource,
  aSecret,
  aServiceAccount,
  aUser,
  later,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";

type Ids = { readonly id: string };

/**
 * Creates a user's record of a kind that ends separately. `endStolen` finds it by a column or in the audit.
 */
interface Maker {
  make(store: Store, user: User, created_at: Date): Promise<Ids>;
  /** Returns whether the record still works. */
  works(row: { readonly revoked?: boolean; readonly active?: boolean } | undefined): boolean;
}

const isThere = (row: unknown) => row !== undefined;
const isOn = (row: { readonly active?: boolean } | undefined) => row?.active === true;
const isUnrevoked = (row: { readonly revoked?: boolean } | undefined) => row?.revoked === false;

async function audited(
  store: Store,
  table: TableName,
  { id: actor_id }: User,
  { id: target_id }: Ids,
  created_at: Date,
): Promise<Ids> {
  const type = `${recordNouns[table].toLowerCase().replaceAll(" ", "_")}.created`;
  await anEvent(store, { type, actor_kind: "user", actor_id, target_table: table, target_id, created_at });
  return { id: target_id };
}

const ofUser: { readonly [T in TableName]?: Maker } = {
  oauth_accounts: {
    make: (store, { id: user_id }, created_at) => anOAuthAccount(store, { user_id, created_at }),
    works: isThere,
  },
  api_keys: {
    make: (store, { id: user_id }, created_at) => anApiKey(store, { user_id, created_at }),
    works: isUnrevoked,
  },
  passkeys: {
    async make(store, { id: user_id }, created_at) {
      const id = store.newId(created_at);
      const flags = { backup_eligible: false, backed_up: false, uv_initialized: true, signs_in: true };
      const site = { rp_id: "id.example", transports: [], algorithm: -7, counter: 0 };
      const key = { credential_id: id, public_key: id };
      await store.insert("passkeys", { id, user_id, name: "P", ...key, ...flags, ...site, created_at });
      return { id };
    },
    works: isThere,
  },
  totp_authenticators: {
    async make(store, { id: user_id }, created_at) {
      const id = store.newId(created_at);
      const secret_sealed = "sealed";
      await store.insert("totp_authenticators", {
        ...{ id, user_id, name: "A", secret_sealed, last_step: 0, created_at },
      });
      return { id };
    },
    works: isThere,
  },
  recovery_codes: {
    async make(store, { id: user_id }, created_at) {
      const id = store.newId(created_at);
      const code = { selector: id.slice(-4), code_hash: "hash" };
      await store.insert("recovery_codes", { id, user_id, ...code, created_at });
      return { id };
    },
    works: isThere,
  },
  oauth_apps: {
    make: (store, { id: owner_id }, created_at) => anApp(store, { owner_id, created_at }),
    works: isOn,
  },
  oauth_app_secrets: {
    make: async (store, user, created_at) =>
      audited(store, "oauth_app_secrets", user, await aSecret(store, { created_at }), created_at),
    works: isUnrevoked,
  },
  oauth_consents: {
    make: (store, { id: user_id }, at) => aConsent(store, { user_id, created_at: at, granted_at: at }),
    works: isUnrevoked,
  },
  service_accounts: {
    make: (store, { id: created_by }, created_at) => aServiceAccount(store, { created_by, created_at }),
    works: isOn,
  },
  service_account_key_pairs: {
    make: async (store, user, created_at) =>
      audited(store, "service_account_key_pairs", user, await aKeyPair(store, { created_at }), created_at),
    works: isUnrevoked,
  },
  resources: {
    make: async (store, user, created_at) =>
      audited(store, "resources", user, await aResource(store, { created_at }), created_at),
    works: isOn,
  },
  providers: {
    make: async (store, user, created_at) =>
      audited(store, "providers", user, await aProvider(store, { created_at }), created_at),
    works: isOn,
  },
  invitations: {
    make: (store, { id: invited_by }, created_at) => anInvitation(store, { invited_by, created_at }),
    works: isThere,
  },
};

const ruled = Object.entries(stolenRule).flatMap(([table, line]) =>
  "made" in line ? [table as TableName] : [],
);
const origin = { client_ip: null, user_agent: null, request_id: "1" };

function setting(store: Store) {
  const { passwords, sealer, now, clock } = testContext(store);
  const context: IdentityContext = {
    store,
    memory: serverMemory(),
    passwords,
    sealer,
    now,
    throttle: true,
    report() {},
  };
  return { context, clock };
}

/** Ends everything that a user created since that time. */
function end(store: Store, user: User, since: Date, context: IdentityContext) {
  return store.transaction(async (tx) => {
    await tx.lock(userLock(user.id));
    return endStolen(tx, { user, since, origin, at: context.now() }, context);
  });
}

describe("SS-15: the records that “It was not me” ends", () => {
  test("there is a rule for every table, and each table that names a user is ended or listed as kept", () => {
    assert.deepEqual(Object.keys(stolenRule).toSorted(), Object.keys(tables).toSorted());
    const kept = [
      ...["users", "foreign_passwords", "imported_people", "memberships", "group_members"],
      ...["audit_events", "refusals"],
    ];
    for (const [table, { fields, owner }] of Object.entries(tables)) {
      const refers = Object.values(fields).some(
        (field) => (field as { references?: { table: string } }).references?.table === "users",
      );
      if (!refers && !("user" in owner)) continue;
      assert.ok(!("kept" in stolenRule[table as TableName]) || kept.includes(table), table);
    }
    assert.deepEqual(ruled.toSorted(), Object.keys(ofUser).toSorted());
    const atOnce = Object.entries(stolenRule).flatMap(([table, line]) => ("all" in line ? [table] : []));
    assert.deepEqual(atOnce.toSorted(), endedAtOnce.toSorted());
    for (const table of revokedOneByOne) assert.ok(ruled.includes(table), table);
  });

  for (const table of ruled) {
    test(`in ${table}, the user's rows since the theft end, and older rows and other users' rows stay`, async () => {
      const [sqlite] = databases;
      assert.ok(sqlite);
      const store = await sqlite.open();
      const { context } = setting(store);
      const [user, other] = [await aUser(store), await aUser(store)];
      const maker = ofUser[table];
      assert.ok(maker);
      const since = later(100);
      const older = await maker.make(store, user, later(99));
      const stolen = await maker.make(store, user, since);
      const others = await maker.make(store, other, since);
      const seen = await stolenThings({ user, since }, context);
      assert.deepEqual(
        seen.map(({ count }) => count),
        [1],
      );
      assert.deepEqual(await end(store, user, since, context), seen);
      const works = async ({ id }: Ids) => maker.works((await store.find(table, { id } as never)) as never);
      assert.deepEqual([await works(older), await works(stolen), await works(others)], [true, false, true]);
      // If the start is unknown, everything ends.
      await end(store, user, new Date(0), context);
      assert.deepEqual([await works(older), await works(others)], [false, true]);
      assert.deepEqual(await stolenThings({ user, since: new Date(0) }, context), []);
    });
  }

  test("secrets and keys of the apps and service accounts created since the theft are revoked with them", async () => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    const store = await sqlite.open();
    const { context } = setting(store);
    const user = await aUser(store);
    const { id: organization_id } = await anOrganization(store);
    const since = later(100);
    const made = { organization_id, created_at: since };
    const app = await anApp(store, { owner_id: user.id, ...made });
    const account = await aServiceAccount(store, { created_by: user.id, ...made });
    const secret = await aSecret(store, { app_id: app.id, created_at: since });
    const pair = await aKeyPair(store, { service_account_id: account.id, created_at: since });
    const key = await anApiKey(store, { user_id: null, ...made });
    await audited(store, "api_keys", user, key, since);
    await end(store, user, since, context);
    assert.equal((await store.find("oauth_apps", { id: app.id }))?.active, false);
    assert.equal((await store.find("oauth_app_secrets", { id: secret.id }))?.revoked, true);
    assert.equal((await store.find("service_accounts", { id: account.id }))?.active, false);
    assert.equal((await store.find("service_account_key_pairs", { id: pair.id }))?.revoked, true);
    assert.equal((await store.find("api_keys", { id: key.id }))?.revoked, true);
    const reported = await store.list("audit_events", { organization_id, actor_id: user.id });
    assert.ok(reported.some(({ type }) => type === "app.updated"));
  });
});
