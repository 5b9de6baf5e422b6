/**
 * Ends of records with very many rows. On SQLite, no other request is answered during a transaction, so each
 * transaction may change only one batch of rows (docs/decisions/tokens.md).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecord, removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { removeDueUsers } from "../../src/admin/records/due_deletions.ts";
import { revokeEverything } from "../../src/admin/resources/end_access.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { withdrawApp } from "../../src/admin/resources/withdraw_app.ts";
import type { OAuthApp, OAuthConsent, OAuthToken } from "../../src/records/definition/definition.ts";
import { isEndedGrant } from "../../src/records/rules/dependencies.ts";
import type { Driver } from "../../src/storage/database/driver.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anEvent,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aRefusal,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  start,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { testContext } from "./context.ts";

/**
 * Number of rows of each kind, and the maximum number of rows per transaction. Each row also has search
 * words.
 */
const [many, most] = [1100, 1000];

const [sqlite] = databases;

/**
 * Calls `heard` with the number of rows that each transaction changed, including those deleted through
 * foreign keys.
 */
function counting(driver: Driver, heard: (rows: number) => void): Driver {
  const total = async ({ first }: Pick<Driver, "first">) =>
    Number((await first("SELECT total_changes() AS rows", []))?.rows);
  return {
    ...driver,
    transaction: (work, options) =>
      driver.transaction(async (connection) => {
        const before = await total(connection);
        const result = await work(connection);
        heard((await total(connection)) - before);
        return result;
      }, options),
  };
}

/** Returns a store on SQLite, and the number of rows that each transaction has changed since `begin`. */
async function countedStore() {
  const changed: number[] = [];
  assert.ok(sqlite);
  const store = await sqlite.open({
    around: (driver) => counting(driver, (rows) => changed.push(rows)),
  });
  return { store, changed, begin: () => changed.splice(0) };
}

/** Inserts the rows in one transaction. */
const make = (store: Store, add: (in_transaction: Store) => Promise<unknown>): Promise<void> =>
  store.transaction(async (tx) => {
    const adding = {
      ...store,
      insert: tx.insert,
      insertToken: (token: never) => tx.insert("oauth_tokens", token),
    };
    for (let made = 0; made < many; made += 1) await add(adding as unknown as Store);
  });

type Context = ReturnType<typeof testContext>;

interface Case {
  readonly title: string;
  /**
   * Creates the records. Returns a function that ends them, and one that counts the rows that are then still
   * active.
   */
  fill(context: Context): Promise<{ end: () => Promise<unknown>; left: () => Promise<number> }>;
}

const off = { active: false };

/** Returns a user with many sessions, tokens and codes. */
async function busyUser(store: Store) {
  const [user, app] = [await aUser(store), await anApp(store)];
  const of = { user_id: user.id, app_id: app.id };
  await make(store, (tx) => aSession(tx, { user_id: user.id }));
  await make(store, (tx) => aToken(tx, of));
  await make(store, (tx) => aCode(tx, of));
  return user;
}

/** Returns a user's consent to an app that has many tokens of the user. */
async function givenMuch(store: Store, app: Partial<OAuthApp> = {}, tokens: Partial<OAuthToken> = {}) {
  const [{ id: user_id }, { id: app_id }] = [await aUser(store), await anApp(store, app)];
  const of = { user_id, app_id };
  const consent = await aConsent(store, { ...of, scopes: ["openid", "email"] });
  await make(store, (tx) => aToken(tx, { ...of, ...tokens, scopes: ["openid", "email"] }));
  return { ...of, consent };
}

/**
 * Returns the number of tokens that are still active, plus those that the background job has not marked as
 * ended.
 */
async function leftOf(store: Store, of: Pick<OAuthConsent, "user_id" | "app_id">): Promise<number> {
  const user = await store.find("users", { id: of.user_id });
  assert.ok(user);
  const unmarked = await store.list("oauth_tokens", { ...of, revoked: false });
  const alive = unmarked.filter((token) => !isEndedGrant(user, token));
  await store.markEndedTokens();
  const { ended_grants } = (await store.find("users", { id: of.user_id })) ?? {};
  assert.equal(ended_grants, null);
  return alive.length + (await store.count("oauth_tokens", { ...of, revoked: false }));
}

const cases: readonly Case[] = [
  {
    title: "a new password ends many sessions and tokens",
    async fill(context) {
      const { store } = context;
      const { id } = await busyUser(store);
      return {
        end: () => updateRecord(context, resourceOf("users"), id, { password: "a long new phrase" }),
        left: async () =>
          (await store.count("sessions", { user_id: id, ended_at: null })) +
          (await store.count("oauth_tokens", { user_id: id, revoked: false })) +
          (await store.count("oauth_auth_codes", { user_id: id })),
      };
    },
  },
  {
    title: "a user with many sessions is switched off",
    async fill(context) {
      const { store } = context;
      const { id } = await busyUser(store);
      return {
        end: () => updateRecord(context, resourceOf("users"), id, off),
        left: () => store.count("sessions", { user_id: id, ended_at: null }),
      };
    },
  },
  {
    title: "everything of a user is revoked",
    async fill(context) {
      const { store } = context;
      const { id } = await busyUser(store);
      return {
        end: () => revokeEverything(context, id, {}),
        left: () => store.count("oauth_tokens", { user_id: id, revoked: false }),
      };
    },
  },
  {
    title: "a key pair with many tokens is revoked",
    async fill(context) {
      const { store } = context;
      const { id: service_account_id } = await aServiceAccount(store);
      const [pair, other] = [
        await aKeyPair(store, { service_account_id }),
        await aKeyPair(store, { service_account_id }),
      ];
      const app = await anApp(store);
      const of = { app_id: app.id, user_id: null, service_account_id };
      const got = (key_pair_id: string) => JSON.stringify({ grant_type: "x", scope: "", key_pair_id });
      for (const { id } of [pair, other]) {
        await make(store, (tx) => aToken(tx, { ...of, request_data: got(id) }));
      }
      return {
        end: () => revokeRecord(context, resourceOf("key_pairs"), pair.id),
        left: async () => (await store.count("oauth_tokens", { service_account_id, revoked: false })) - many,
      };
    },
  },
  {
    title: "a consent with many tokens is withdrawn",
    async fill(context) {
      const { store } = context;
      const { consent, ...of } = await givenMuch(store);
      return {
        end: () => revokeRecord(context, resourceOf("consents"), consent.id),
        left: () => leftOf(store, of),
      };
    },
  },
  {
    title: "a member with many tokens for the organization leaves it",
    async fill({ store, ...context }) {
      const [user, app, { id: organization_id }] = [
        await aUser(store),
        await anApp(store),
        await anOrganization(store),
      ];
      const of = { user_id: user.id, app_id: app.id };
      const { id: membership_id } = await aMembership(store, { user_id: user.id, organization_id });
      await make(store, (tx) => aToken(tx, { ...of, membership_id }));
      return {
        end: () => removeRecord({ ...context, store }, resourceOf("memberships"), membership_id),
        async left() {
          const unmarked = () => store.count("oauth_tokens", { ...of, revoked: false });
          assert.ok((await unmarked()) <= many - most, "most tokens are marked before the response");
          await store.markEndedTokens();
          return unmarked();
        },
      };
    },
  },
  {
    title: "a consent with many tokens is deleted",
    async fill(context) {
      const { store } = context;
      const { consent, ...of } = await givenMuch(store);
      return {
        end: () => removeRecord(context, resourceOf("consents"), consent.id),
        left: () => leftOf(store, of),
      };
    },
  },
  {
    title: "an app that never asked, with many tokens, is disconnected",
    async fill(context) {
      const { store } = context;
      const { consent, ...of } = await givenMuch(store, { first_party: true });
      await store.remove("oauth_consents", { id: consent.id });
      return { end: () => withdrawApp(context, of), left: () => leftOf(store, of) };
    },
  },
  {
    title: "a consent with many tokens is narrowed",
    async fill(context) {
      const { store } = context;
      const { consent, ...of } = await givenMuch(store);
      const within = await aToken(store, { ...of, scopes: ["openid"] });
      return {
        end: () => updateRecord(context, resourceOf("consents"), consent.id, { scopes: ["openid"] }),
        async left() {
          const { revoked } = (await store.find("oauth_tokens", { id: within.id })) ?? {};
          assert.equal(revoked, false);
          return (await store.count("oauth_tokens", { ...of, revoked: false })) - 1;
        },
      };
    },
  },
  {
    title: "a token of a long family is revoked",
    async fill(context) {
      const { store } = context;
      const family_id = store.newId(start);
      const { consent: _, ...of } = await givenMuch(store, {}, { family_id });
      const last = await aToken(store, { ...of, family_id });
      return {
        end: () => revokeRecord(context, resourceOf("tokens"), last.id),
        left: () => leftOf(store, of),
      };
    },
  },
  {
    title: "a long family is revoked because a token of it came twice",
    async fill(context) {
      const { store } = context;
      const family_id = store.newId(start);
      const { consent: _, ...of } = await givenMuch(store, {}, { family_id });
      return {
        end: () => store.revokeFamily(family_id, "replay", context.now()),
        left: () => leftOf(store, of),
      };
    },
  },
  {
    title: "a session with many tokens ends",
    async fill(context) {
      const { store } = context;
      const session_id = store.newId(start);
      const { consent: _, ...of } = await givenMuch(store, {}, { session_id });
      const session = await aSession(store, { id: session_id, user_id: of.user_id });
      return {
        end: () => revokeRecord(context, resourceOf("sessions"), session.id),
        left: () => leftOf(store, of),
      };
    },
  },
  {
    title: "a provider gets many links that waited for it",
    async fill(context) {
      const { store } = context;
      await make(store, (tx) => anOAuthAccount(tx, { provider: "corp", provider_id: null }));
      const input = { slug: "corp", label: "Corp", preset: "oidc", issuer: "https://corp.example" };
      return {
        end: () =>
          createRecord(context, resourceOf("providers"), {
            ...input,
            client_id: "postern",
            client_secret: "a secret of the client",
          }),
        left: async () =>
          (await store.count("oauth_accounts", { provider_id: null })) +
          (await store.count("providers", { active: false })) +
          Number((await store.count("providers")) !== 1),
      };
    },
  },
  {
    title: "a provider with many links is deleted",
    async fill(context) {
      const { store } = context;
      const provider = await aProvider(store);
      await make(store, async (tx) => {
        const link = await anOAuthAccount(tx, { provider: provider.slug, provider_id: provider.id });
        const methods = [{ kind: "provider", credential: link.id, at: link.created_at.toISOString() }];
        await aSession(tx, { user_id: link.user_id, methods: methods as never });
      });
      return {
        end: () =>
          removeRecord(context, resourceOf("providers"), provider.id, undefined, { links: "delete" }),
        left: async () =>
          (await store.count("providers")) +
          (await store.count("oauth_accounts")) +
          (await store.count("sessions", { ended_at: null })),
      };
    },
  },
  {
    title: "an organization with much of everything is deleted",
    async fill(context) {
      const { store } = context;
      const { id: organization_id } = await anOrganization(store);
      const provider = await aProvider(store, { organization_id });
      const [app, user] = [await anApp(store, { organization_id }), await aUser(store)];
      await make(store, (tx) => aMembership(tx, { organization_id }));
      await make(store, (tx) => anApiKey(tx, { organization_id, user_id: null }));
      await make(store, (tx) => anApp(tx, { organization_id, owner_id: user.id }));
      await make(store, (tx) => aServiceAccount(tx, { organization_id, created_by: user.id }));
      await make(store, (tx) => aConsent(tx, { app_id: app.id }));
      await make(store, (tx) => aCode(tx, { app_id: app.id, user_id: user.id }));
      await make(store, (tx) => aRefusal(tx, { app_id: app.id }));
      await make(store, (tx) => anOAuthAccount(tx, { provider: provider.slug, provider_id: provider.id }));
      return {
        end: () => removeRecord(context, resourceOf("organizations"), organization_id),
        left: async () =>
          (await store.count("organizations")) +
          (await store.count("oauth_apps", { owner_id: user.id })) +
          (await store.count("service_accounts")) +
          (await store.count("oauth_consents")) +
          (await store.count("oauth_accounts")) +
          (await store.count("refusals")),
      };
    },
  },
  {
    title: "a user whose own app has many consents is deleted",
    async fill(context) {
      const { store } = context;
      const { id } = await aUser(store);
      const app = await anApp(store, { owner_id: id });
      await make(store, (tx) => aConsent(tx, { app_id: app.id }));
      return {
        end: () => removeRecord(context, resourceOf("users"), id),
        left: async () => (await store.count("oauth_consents")) + (await store.count("users", { id })),
      };
    },
  },
  {
    title: "an account that is due, with many events, is removed and forgotten",
    async fill(context) {
      const { store, clock } = context;
      const { id } = await aUser(store, { active: false, deletion_at: clock.now() });
      clock.advance(3600);
      const of = { client_ip: "203.0.113.1", user_agent: "a browser" };
      await make(store, (tx) => anEvent(tx, { actor_kind: "user", actor_id: id, ...of }));
      await make(store, (tx) =>
        anEvent(tx, { target_table: "users", target_id: id, details: { after: { name: "Ann" } } }),
      );
      return {
        end: () => removeDueUsers(context),
        async left() {
          const [acted, targets] = [
            await store.list("audit_events", { actor_id: id }),
            await store.list("audit_events", { target_id: id }),
          ];
          assert.ok(acted.length >= many && targets.length > many);
          return (
            (await store.count("users", { id })) +
            acted.filter(({ client_ip, user_agent }) => client_ip !== null || user_agent !== null).length +
            targets.filter(({ details }) => details !== null).length
          );
        },
      };
    },
  },
];

for (const { title, fill } of cases) {
  test(`design 6.18: ${title}, changing at most ${most} rows in each transaction`, async () => {
    const { store, changed, begin } = await countedStore();
    const { end, left } = await fill(testContext(store));
    begin();
    await end();
    const dearest = Math.max(...changed);
    assert.ok(dearest <= most, `${dearest} rows in one transaction`);
    assert.equal(await left(), 0);
  });
}
