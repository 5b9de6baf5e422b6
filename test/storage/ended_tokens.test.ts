import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { NewRow } from "../../src/records/definition/definition.ts";
import type { TokenCarrier } from "../../src/records/definition/token_carriers.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  aConsent,
  accessOnly,
  aMembership,
  anApp,
  anOrganization,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  insertMany,
  later,
  start,
  tokenOf,
} from "../support/builders.ts";
import { everyDatabaseInForm } from "../support/databases.ts";

/** More than two batches. */
const many = 520;

for (const database of everyDatabaseInForm)
  describe(`tokens of records that were deactivated or deleted, on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    async function addTokens(count: number, of: Partial<NewRow<"oauth_tokens">>): Promise<void> {
      const app_id = of.app_id ?? (await anApp(store)).id;
      const row = () => tokenOf({ user_id: null, ...accessOnly, ...of, app_id });
      await insertMany(store, "oauth_tokens", count, row);
    }

    /**
     * Creates a record of each kind, with tokens of more than one app or account if possible. `of` has the
     * columns that further such tokens need.
     */
    const records: Record<
      TokenCarrier,
      () => Promise<{ id: string; tokens: number; of: Partial<NewRow<"oauth_tokens">> }>
    > = {
      oauth_apps: async () => {
        const { id } = await anApp(store);
        await addTokens(many, { app_id: id });
        return { id, tokens: many, of: { app_id: id } };
      },
      service_accounts: async () => {
        const { id } = await aServiceAccount(store);
        await addTokens(many, { service_account_id: id });
        return { id, tokens: many, of: { service_account_id: id } };
      },
      organizations: async () => {
        const { id } = await anOrganization(store);
        for (const name of ["first", "second"]) {
          const app = await anApp(store, { organization_id: id, name });
          await addTokens(many / 2, { app_id: app.id });
        }
        const account = await aServiceAccount(store, { organization_id: id });
        await addTokens(3, { service_account_id: account.id });
        return { id, tokens: many + 3, of: { service_account_id: account.id } };
      },
      users: async () => {
        const { id } = await aUser(store);
        for (const _ of ["first app", "second app"]) await addTokens(many / 2, { user_id: id });
        return { id, tokens: many, of: { user_id: id } };
      },
    };

    const marked = () => store.count("oauth_tokens", { revoked: true });
    const waiting = () => store.count("ephemera", { kind: "ended" });

    for (const table of Object.keys(records) as TokenCarrier[]) {
      test(`design 6.18: marking the tokens of one of ${table} resumes where it stopped, and marks no others`, async () => {
        const { id, tokens } = await records[table]();
        await addTokens(2, {});
        const had = await marked();
        const keep = (at: Date) => store.transaction((tx) => store.storeEnded(tx, table, id, at));
        await keep(later(60));
        await store.markSomeTokens(id, 1);
        assert.ok((await marked()) - had < tokens);
        assert.equal(await waiting(), 1);

        await Promise.all([store.markEndedTokens(), store.markEndedTokens()]);
        assert.deepEqual([(await marked()) - had, await waiting()], [tokens, 0]);
        // An end that is older than the tokens ends none of them.
        await keep(later(-60));
        await store.markEndedTokens();
        assert.deepEqual([(await marked()) - had, await waiting()], [tokens, 0]);
      });

      test(`design 6.18: if one of ${table} is deactivated twice, all tokens of the later time are marked`, async () => {
        const { id, tokens } = await records[table]();
        const had = await marked();
        const keep = (at: Date) => store.transaction((tx) => store.storeEnded(tx, table, id, at));
        await keep(later(-60));
        await store.markSomeTokens(id, 1);
        await keep(later(60));
        assert.equal(await waiting(), 1);
        await store.markEndedTokens();
        assert.equal((await marked()) - had, tokens);
      });

      test(`design 6.18: a reactivated one of ${table} keeps new tokens while earlier ones are marked`, async () => {
        const { id, tokens, of } = await records[table]();
        const had = await marked();
        await store.transaction((tx) => store.storeEnded(tx, table, id, later(60)));
        await store.update(table, { id }, { active: false });
        await store.markSomeTokens(id, 1);
        await store.update(table, { id }, { active: true, tokens_not_before: later(200) });
        await addTokens(1, { ...of, created_at: later(300) });
        await store.markEndedTokens();
        assert.equal((await marked()) - had, tokens);
      });

      test(`the tokens of a deleted one of ${table} are deleted in batches, and all others stay`, async () => {
        const { id, tokens } = await records[table]();
        await addTokens(2, {});
        const had = await store.count("oauth_tokens");
        assert.equal(await store.hasMany(table, id), true);
        await store.removeMany(table, id);
        assert.equal(await store.count("oauth_tokens"), had - tokens);
        assert.equal(await store.hasMany(table, id), false);
      });
    }

    for (const grant of ["app", "family", "session"] as const)
      test(`design 6.18: tokens of an ended ${grant} are inactive before they are marked, and later ones stay active`, async () => {
        const [user, app] = [await aUser(store), await anApp(store, { first_party: true })];
        const input = { user_id: user.id, app_id: app.id };
        const [session_id, family_id] = [randomUUID(), randomUUID()];
        const of = { ...input, ...{ app: {}, family: { family_id }, session: { session_id } }[grant] };
        await addTokens(many, of);
        // Another server's clock is ahead, but its token was created before the end.
        const last = await aToken(store, { ...of, created_at: later(90) });
        const had = await marked();
        await store.transaction(async (tx) => {
          await tx.lock(userLock(user.id));
          const id = { app: app.id, family: family_id, session: session_id }[grant];
          await store.endGrant(tx, { grant, user_id: user.id, id }, "revoked", later(60));
        });
        assert.equal((await marked()) - had, 0);
        const rotated = (id: string, now: Date) => {
          const replacement = { ...tokenOf({ ...input, created_at: now }), family_id };
          return store.rotateRefreshToken({ id, replacement, now });
        };
        assert.equal(await rotated(last.id, later(100)), "ended");
        const next = await aToken(store, { ...input, created_at: later(300) });
        await store.markEndedTokens();
        assert.deepEqual([(await marked()) - had, await waiting()], [many + 1, 0]);
        assert.equal((await store.find("users", { id: user.id }))?.ended_grants, null);
        assert.equal(await rotated(next.id, later(310)), "spent");
      });

    test("design 6.18: after a consent is narrowed, another server ends exactly the tokens that exceed it", async () => {
      const { user_id, app_id } = await aConsent(store, { scopes: ["openid", "email"] });
      await addTokens(many, { user_id, app_id, scopes: ["openid", "phone"] });
      const data = (scope: string) => JSON.stringify({ grant_type: "refresh_token", scope });
      const within = { scopes: ["email"], request_data: data("openid email") };
      await addTokens(2, { user_id, app_id, ...within });
      await addTokens(2, { user_id, app_id, ...within, request_data: null });
      await addTokens(1, { user_id, app_id, ...within, request_data: data("openid phone") });
      const had = await marked();
      await store.transaction((tx) => store.keepNarrowed(tx, { user_id, app_id }, later(60)));
      await store.markEndedTokens();
      assert.deepEqual([(await marked()) - had, await waiting()], [many + 1, 0]);
    });

    test("marking tokens stops on request, and waits while another server does it", async () => {
      const { id } = await records.oauth_apps();
      await store.transaction((tx) => store.storeEnded(tx, "oauth_apps", id, later(60)));
      await store.markEndedTokens(AbortSignal.abort());
      assert.equal(await waiting(), 1);
      await store.markEndedTokens();
      assert.equal(await waiting(), 0);
    });

    test("codes, consents, sessions and memberships are deleted before the record on which they depend", async () => {
      const { id: organization_id } = await anOrganization(store);
      const app = await anApp(store);
      const user = await aUser(store);
      await aMembership(store, { organization_id });
      const other = await aMembership(store);
      await aCode(store, { app_id: app.id, user_id: user.id });
      await aConsent(store, { app_id: app.id, user_id: user.id });
      await aSession(store, { user_id: user.id });
      assert.equal(await store.hasMany("organizations", organization_id), false);

      await store.removeMany("organizations", organization_id);
      assert.equal(await store.count("memberships", { organization_id }), 0);
      assert.notEqual(await store.find("memberships", { id: other.id }), undefined);
      await store.removeMany("oauth_apps", app.id);
      for (const table of ["oauth_auth_codes", "oauth_consents"] as const)
        assert.equal(await store.count(table, { app_id: app.id }), 0, table);
      await store.removeMany("users", user.id);
      assert.equal(await store.count("sessions", { user_id: user.id }), 0);
      await store.transaction(async (tx) => {
        for (let made = 0; made <= 250; made += 1) {
          const at = { created_at: start, updated_at: start };
          const { id: user_id } = await aUser({ insert: tx.insert, newId: store.newId } as Store);
          await tx.insert("memberships", {
            id: store.newId(start),
            user_id,
            organization_id,
            role: "member",
            ...at,
          });
        }
      });
      assert.equal(await store.hasMany("organizations", organization_id), true);
    });
  });
