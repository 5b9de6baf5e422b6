/**
 * A list of a user depends only on that user's rows: it does not scan foreign rows, so its duration reveals
 * nothing about them.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { NewRow, TableName } from "../../src/records/definition/definition.ts";
import type { Owner } from "../../src/records/definition/ownership.ts";
import { mostRead } from "../../src/storage/listing/branches.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aConsent,
  accessOnly,
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aServiceAccount,
  aToken,
  aUser,
  insertMany,
  later,
  randomSignature,
  tokenOf,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";

/** More than a page reads. */
const many = mostRead + 500;

for (const database of databases)
  describe(`lists among many rows of others on ${database.name}`, () => {
    let store: Store;
    /**
     * The foreign records: an organization, its owner, an app and a service account, each with more rows than
     * a page reads.
     */
    let theirs: { organization: string; user: string; app: string; account: string };
    let mine: Owner & { user_id: string };
    let app: string;

    before(async () => {
      store = await database.open();
      const [other, me] = [await aUser(store), await aUser(store)];
      const [umbrella, acme] = [await anOrganization(store), await anOrganization(store)];
      await aMembership(store, { user_id: other.id, organization_id: umbrella.id });
      const theirApp = await anApp(store, { owner_id: other.id, organization_id: umbrella.id });
      const account = await aServiceAccount(store, { organization_id: umbrella.id, created_by: other.id });
      theirs = { organization: umbrella.id, user: other.id, app: theirApp.id, account: account.id };
      mine = { organization_ids: [acme.id], user_id: me.id };
      app = (await anApp(store, { owner_id: me.id, organization_id: acme.id })).id;
      await insertMany(store, "oauth_tokens", many, (index) => {
        const of = index % 2 ? { user_id: other.id } : { user_id: null, service_account_id: account.id };
        return tokenOf({ ...accessOnly, app_id: theirApp.id, ...of, created_at: later(index) });
      });
      await insertMany(store, "oauth_auth_codes", many, (index) => ({
        id: store.newId(later(index)),
        app_id: theirApp.id,
        user_id: other.id,
        redirect_uri: "https://app.example/callback",
        code_signature: randomSignature(),
        expires_at: later(index + 60),
        created_at: later(index),
      }));
      await insertMany(
        store,
        "audit_events",
        many,
        (index): NewRow<"audit_events"> => ({
          id: store.newId(later(index)),
          type: "app.updated",
          outcome: "success",
          actor_kind: "user",
          actor_id: other.id,
          organization_id: umbrella.id,
          target_table: "oauth_apps",
          target_id: theirApp.id,
          created_at: later(index),
        }),
      );
    });

    test("H-14: filters for others' records quickly return an empty last page (security finding 14)", async () => {
      const { organization, user, app, account } = theirs;
      const requested: { [T in TableName]?: readonly Readonly<Record<string, string>>[] } = {
        oauth_tokens: [
          { app_id: app },
          { user_id: user },
          { service_account_id: account },
          { app_id: app, user_id: user },
        ],
        oauth_auth_codes: [{ app_id: app }, { user_id: user }],
        audit_events: [
          { actor_id: user },
          { target_id: app },
          { organization_id: organization },
          { target_id: app, actor_id: user },
        ],
      };
      for (const [table, filters] of Object.entries(requested))
        for (const where of filters)
          for (const descending of [false, true]) {
            const page = await store.listPage(table as "oauth_tokens", {
              where,
              visible: mine,
              descending,
              limit: 50,
            });
            assert.deepEqual(
              page,
              { rows: [], next_cursor: null, previous_cursor: null },
              `${table} ${JSON.stringify(where)}`,
            );
          }
    });

    test("H-14: a user's own rows at others' apps are found too", async () => {
      const { organization, user, app: theirApp, account } = theirs;
      const [own, atMine] = [
        await aToken(store, { app_id: theirApp, user_id: mine.user_id, created_at: later(1_000_000) }),
        await aToken(store, { app_id: app, user_id: user, created_at: later(1_000_001) }),
      ];
      const machine = await aToken(store, {
        ...accessOnly,
        app_id: app,
        user_id: null,
        service_account_id: account,
        created_at: later(1_000_002),
      });
      const consents = [
        await aConsent(store, { app_id: theirApp, user_id: mine.user_id }),
        await aConsent(store, { app_id: app, user_id: user }),
      ];
      const [done, done_to] = [
        await anEvent(store, {
          actor_kind: "user",
          actor_id: mine.user_id,
          target_id: theirApp,
          created_at: later(1_000_003),
        }),
        await anEvent(store, {
          actor_kind: "user",
          actor_id: user,
          organization_id: mine.organization_ids[0] ?? "",
          target_id: mine.user_id,
        }),
      ];
      const ids = async <T extends TableName>(table: T, where: Readonly<Record<string, string>>) => {
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const query = {
            where: where as never,
            visible: mine,
            limit: 1,
            ...(cursor !== undefined && { cursor }),
          };
          const page = await store.listPage(table, query);
          found.push(...page.rows.map((row) => (row as { id: string }).id));
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
        return found;
      };
      assert.deepEqual(await ids("oauth_tokens", { app_id: theirApp }), [own.id]);
      assert.deepEqual(await ids("oauth_tokens", { user_id: user }), [atMine.id]);
      assert.deepEqual(await ids("oauth_tokens", { user_id: user, app_id: theirApp }), []);
      assert.deepEqual(await ids("oauth_tokens", { user_id: mine.user_id, app_id: theirApp }), [own.id]);
      assert.deepEqual(await ids("oauth_tokens", { service_account_id: account }), [machine.id]);
      assert.deepEqual(await ids("oauth_tokens", { family_id: own.family_id }), [own.id]);
      assert.deepEqual(await ids("oauth_tokens", { family_id: machine.family_id }), []);
      assert.deepEqual(await ids("oauth_consents", { app_id: theirApp }), [consents[0]?.id]);
      assert.deepEqual(await ids("oauth_consents", { user_id: user }), [consents[1]?.id]);
      assert.deepEqual(await ids("audit_events", { target_id: theirApp }), [done.id]);
      assert.deepEqual(await ids("audit_events", { actor_id: user }), [done_to.id]);
      assert.deepEqual(await ids("audit_events", { actor_id: user, target_id: mine.user_id }), [done_to.id]);
      assert.deepEqual(
        await ids("audit_events", { actor_id: mine.user_id, organization_id: organization }),
        [],
      );
      assert.deepEqual(await ids("memberships", { user_id: user }), []);
      assert.deepEqual(await ids("oauth_tokens", { app_id: randomUUID() }), []);
    });
  });
