/** Searches in lists of records that have no names themselves. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { resourceOf, resources } from "../../src/admin/resources/resources.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { searchedColumnsOf } from "../../src/records/definition/searched_columns.ts";
import { searchableTables } from "../../src/storage/database/search_words.ts";
import {
  aConsent,
  anApp,
  anEvent,
  anOrganization,
  aSecret,
  aSession,
  aToken,
  aUser,
  later,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aMembership } from "../support/management_fixture.ts";
import { refused, type TestContext, testContext } from "./context.ts";

test("every list can be searched", () => {
  for (const { table, resourceType, filters } of resources) {
    assert.ok(
      filters.some(({ name, to }) => name === "q" && to === "search"),
      resourceType,
    );
    assert.notEqual(searchableTables.has(table), searchedColumnsOf(table) !== undefined, resourceType);
  }
});

for (const database of databasesInForm)
  describe(`searches of records without names on ${database.name}`, () => {
    let context: TestContext;
    let people: { readonly ada: User; readonly bob: User };
    let ids: { readonly adas: string; readonly bobs: string; readonly others: string };
    let app_id: string;
    const by = (user: User): TestContext => ({ ...context, actor: { kind: "user", user } satisfies Actor });
    const found = async (of: TestContext, type: ResourceType, q: string, more = {}) =>
      (await listRecords(of, resourceOf(type), { q, ...more })).data.map(({ id }) => id);

    before(async () => {
      context = testContext(await database.open());
      const { store } = context;
      const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
      people = {
        ada: await aUser(store, { name: "Ada Lovelace", email: "ada@acme.example" }),
        bob: await aUser(store, { name: "Bob", email: "bob@umbrella.example" }),
      };
      const { ada, bob } = people;
      await aMembership(store, { user_id: ada.id, organization_id: acme.id, role: "owner" });
      await aMembership(store, { user_id: bob.id, organization_id: umbrella.id, role: "owner" });
      app_id = (await anApp(store, { name: "Timesheets", owner_id: ada.id, organization_id: acme.id })).id;
      const elsewhere = await anApp(store, {
        name: "Payroll",
        owner_id: bob.id,
        organization_id: umbrella.id,
      });
      const token = (user_id: string, at: string, index: number, client_ip: string | null = null) =>
        aToken(store, { user_id, app_id: at, created_at: later(index), client_ip });
      ids = {
        adas: (await token(ada.id, app_id, 0, "192.0.2.7")).id,
        bobs: (await token(bob.id, app_id, 1)).id,
        others: (await token(bob.id, elsewhere.id, 2)).id,
      };
    });

    test("a search finds records by the names of their user and app, and others by part of their text", async () => {
      const tokens = (q: string, more = {}) => found(context, "tokens", q, more);
      assert.deepEqual(await tokens("lovelace"), [ids.adas]);
      assert.deepEqual(await tokens("bob@umbrella.example"), [ids.others, ids.bobs]);
      assert.deepEqual(await tokens("sheet"), [ids.bobs, ids.adas]);
      assert.deepEqual(await tokens("bob timesheets"), [ids.bobs], "a word of each");
      assert.deepEqual(await tokens("bob", { app_id }), [ids.bobs]);
      assert.deepEqual(await tokens("bob", { sort: "last_used_at", order: "asc" }), [ids.bobs, ids.others]);
      assert.deepEqual(await tokens("7.0.2"), []);
      assert.deepEqual(await tokens("92.0.2.7"), [ids.adas]);
      for (const nothing of ["nobody", "bob nobody", "%", "192_0", "!"])
        assert.deepEqual(await tokens(nothing), [], nothing);
      const page = await listRecords(context, resourceOf("tokens"), { q: "bob", total: "true" });
      assert.deepEqual([page.total, page.total_is_more], [2, false]);
    });

    test("a search works for the records of every resource type", async () => {
      const { store } = context;
      const { ada } = people;
      const session = await aSession(store, { user_id: ada.id, user_agent: "Mozilla/5.0 (X11) Firefox/140" });
      assert.deepEqual(await found(context, "sessions", "FIREFOX/140"), [session.id]);
      assert.deepEqual(await found(context, "sessions", "ada"), [session.id]);
      const consent = await aConsent(store, { user_id: ada.id, app_id });
      assert.deepEqual(await found(context, "consents", "timesh"), [consent.id]);
      const secret = await aSecret(store, { app_id });
      assert.deepEqual(await found(context, "app_secrets", "timesh"), [secret.id]);
      const event = await anEvent(store, { type: "user.updated", actor_id: ada.id, actor_kind: "user" });
      const other = await anEvent(store, { type: "sign_out", client_ip: "192.0.2.99" });
      assert.deepEqual(await found(context, "audit_events", "lovelace"), [event.id]);
      assert.deepEqual(await found(context, "audit_events", "ign_ou"), [other.id]);
      assert.deepEqual(await found(context, "audit_events", "signxout"), []);
      assert.equal((await found(context, "memberships", "umbrella.example")).length, 1);
    });

    test("H-14: a search does not find records by a user's name that the caller may not read", async () => {
      const mine = by(people.ada);
      assert.deepEqual(await found(mine, "tokens", "timesheets"), [ids.bobs, ids.adas]);
      assert.deepEqual(await found(mine, "tokens", "lovelace"), [ids.adas]);
      for (const q of ["bob", "umbrella", "payroll"]) assert.deepEqual(await found(mine, "tokens", q), [], q);
    });

    test("a search for a name with more than a hundred matches is refused, and a longer name is accepted", async () => {
      const { store } = context;
      await store.transaction(async (tx) => {
        for (let index = 0; index < 101; index++) {
          const email = `cara${index}@example.com`;
          const at = { created_at: later(0), updated_at: later(0) };
          await tx.insert("users", {
            id: store.newId(later(0)),
            email,
            email_key: email,
            name: "Cara",
            ...at,
          });
        }
      });
      await refused(found(context, "tokens", "cara"), "invalid_filter /q");
      assert.deepEqual(await found(context, "tokens", "cara17"), []);
    });
  });
