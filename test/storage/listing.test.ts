import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import type { ListQuery } from "../../src/storage/listing/listing.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  accessOnly,
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aSession,
  aToken,
  aUser,
  later,
  start,
  tokenOf,
} from "../support/builders.ts";
import { databases, removeEverything } from "../support/databases.ts";
import { type Belonging, type Belongings, belongings } from "./belongings.ts";

/** Returns the ids of every page, and the number of pages. */
async function walk<T extends TableName>(
  store: Store,
  table: T,
  query: Omit<ListQuery<T>, "limit" | "cursor"> & { readonly limit?: number },
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = await store.listPage(table, { limit: 50, ...query, cursor });
    ids.push(...page.rows.map((row) => (row as { id: string }).id));
    if (page.next_cursor === null) return { ids, pages };
    cursor = page.next_cursor;
    assert.ok(pages < 500, "the pages never end");
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

for (const database of databases)
  describe(`pages of lists on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    async function users(count: number, overrides: Parameters<typeof aUser>[1] = {}) {
      const made: { id: string; created_at: Date }[] = [];
      for (let index = 0; index < count; index++) {
        const created_at = later(index);
        made.push(await aUser(store, { created_at, ...overrides }));
      }
      return made;
    }

    test("rows are listed in order of time, each once, with any page size", async () => {
      await removeEverything(store);
      const made = await users(7);
      for (const limit of [1, 2, 3, 6, 7, 8, 200]) {
        const { ids, pages } = await walk(store, "users", { limit });
        assert.deepEqual(ids, idsOf(made), String(limit));
        assert.equal(pages, Math.max(1, Math.ceil(7 / limit)), String(limit));
      }
      const { rows } = await store.listPage("users", { limit: 1 });
      assert.deepEqual(rows, [made[0]]);
    });

    test("newest first is exactly the reverse order", async () => {
      await removeEverything(store);
      const made = await users(5);
      for (const limit of [1, 2, 5]) {
        const { ids } = await walk(store, "users", { limit, descending: true });
        assert.deepEqual(ids, idsOf(made).toReversed());
      }
    });

    test("rows that are added or deleted while pages are read do not affect the others", async () => {
      await removeEverything(store);
      const made = await users(6);
      const first = await store.listPage("users", { limit: 2 });
      await aUser(store, { created_at: later(-10) });
      await aUser(store, { created_at: later(1.5) });
      await store.remove("users", { id: made[3]?.id ?? "" });
      const second = await store.listPage("users", { limit: 2, cursor: first.next_cursor ?? "" });
      assert.deepEqual(idsOf([...first.rows, ...second.rows]), [
        made[0]?.id,
        made[1]?.id,
        ...idsOf(second.rows),
      ]);
      const rest = await store.listPage("users", { limit: 9, cursor: second.next_cursor ?? "" });
      const met = idsOf([...first.rows, ...second.rows, ...rest.rows]);
      assert.equal(new Set(met).size, met.length);
      for (const index of [0, 1, 2, 4, 5]) assert.ok(met.includes(made[index]?.id ?? ""), String(index));
    });

    test("an invalid cursor, or a cursor of another list, is refused as invalid_page", async () => {
      await removeEverything(store);
      await users(3, { name: "Ada" });
      const { next_cursor } = await store.listPage("users", { limit: 1 });
      const sorted = await store.listPage("users", { limit: 1, sort: "name" });
      const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const wrong = [
        "",
        "x",
        "%%%",
        `${next_cursor}=`,
        `${next_cursor} `,
        next_cursor?.slice(0, -2) ?? "",
        json(null),
        json("text"),
        json([]),
        json(["no id"]),
        json([randomUUID(), "ada"]),
        json([randomUUID(), "ada", "ada"]),
        json([1]),
        json({ id: randomUUID() }),
        sorted.next_cursor ?? "",
      ];
      for (const cursor of wrong)
        await assert.rejects(
          store.listPage("users", { limit: 1, cursor }),
          { status: 400, code: "invalid_page" },
          cursor,
        );
      const wrongInOrder = [
        next_cursor ?? "",
        json([randomUUID()]),
        json([randomUUID(), null]),
        json([randomUUID(), 1]),
        json([randomUUID(), "ada\ud800"]),
        json([randomUUID(), "ada\0"]),
        json([randomUUID(), "ada", "next"]),
        json([randomUUID(), "ada", "previous", "more"]),
      ];
      for (const cursor of wrongInOrder)
        await assert.rejects(
          store.listPage("users", { limit: 1, sort: "name", cursor }),
          { status: 400, code: "invalid_page" },
          cursor,
        );
      const outOfTime = json([randomUUID(), 9e15]);
      await assert.rejects(store.listPage("users", { limit: 1, sort: "created_at", cursor: outOfTime }), {
        status: 400,
      });
      const beyondAll = json(["ffffffff-ffff-4fff-bfff-ffffffffffff"]);
      assert.equal((await store.listPage("users", { limit: 1, cursor: beyondAll })).rows.length, 0);
    });

    test("several filters apply together, also for missing values", async () => {
      await removeEverything(store);
      const acme = await anOrganization(store);
      const owner = await aUser(store);
      const of = { owner_id: owner.id };
      const [a, b, c] = [
        await anApp(store, { ...of, organization_id: acme.id }),
        await anApp(store, { ...of, organization_id: acme.id, active: false, created_at: later(1) }),
        await anApp(store, { ...of, created_at: later(2) }),
      ];
      const ids = async (where: ListQuery<"oauth_apps">["where"]) =>
        (await walk(store, "oauth_apps", { where: where ?? {}, limit: 1 })).ids;
      assert.deepEqual(await ids({ organization_id: acme.id }), [a.id, b.id]);
      assert.deepEqual(await ids({ organization_id: acme.id, active: false }), [b.id]);
      assert.deepEqual(await ids({ active: true }), [a.id, c.id]);
      assert.deepEqual(await ids({ organization_id: null }), [c.id]);
      assert.deepEqual(await ids({ owner_id: owner.id, organization_id: null, active: true }), [c.id]);
      assert.deepEqual(await ids({ client_id: b.client_id }), [b.id]);
      assert.deepEqual(await ids({ client_id: b.client_id, active: true }), []);
      assert.deepEqual(await ids({ id: a.id }), [a.id]);
      assert.deepEqual(await ids({ owner_id: randomUUID() }), []);
    });

    test("a filter may accept several values, in order of time, also for a user's rows", async () => {
      await removeEverything(store);
      const organization_id = (await anOrganization(store)).id;
      const types = ["a.created", "sign_in", "b.created", "token_issued", "a.created"];
      const made = [];
      for (const [index, type] of types.entries())
        made.push(await anEvent(store, { type, organization_id, created_at: later(index) }));
      const where = { type: ["a.created", "b.created"] } as never;
      const expected = [made[4], made[2], made[0]].map((event) => event?.id);
      const visible = { organization_ids: [organization_id], user_id: null };
      for (const whose of [{}, { visible }]) {
        const query = { where, descending: true, limit: 2, ...whose };
        assert.deepEqual((await walk(store, "audit_events", query)).ids, expected);
        const total = await store.countListed("audit_events", { where, ...whose });
        assert.deepEqual(total, { total: 3, total_is_more: false });
      }
      const none = await store.listPage("audit_events", { where: { type: [] } as never, limit: 2 });
      assert.deepEqual(none.rows, []);
    });

    test("a list can be limited to creation times from (inclusive) and to (exclusive)", async () => {
      await removeEverything(store);
      const app = await anApp(store);
      const owner = await aUser(store);
      const at = [0, 1000, 5000, 5001, 90_000].map((seconds) => later(seconds));
      const tokens: string[] = [];
      const events: string[] = [];
      const sessions: string[] = [];
      for (const created_at of at) {
        tokens.push((await aToken(store, { created_at, app_id: app.id, user_id: owner.id })).id);
        events.push((await anEvent(store, { created_at })).id);
        sessions.push((await aSession(store, { created_at, user_id: owner.id })).id);
      }
      for (const [table, ids] of [
        ["oauth_tokens", tokens],
        ["audit_events", events],
        ["sessions", sessions],
      ] as const) {
        for (const descending of [false, true]) {
          const found = async (created_from?: Date, created_before?: Date) => {
            const walked = await walk(store, table, { created_from, created_before, descending, limit: 2 });
            return descending ? walked.ids.toReversed() : walked.ids;
          };
          assert.deepEqual(await found(), ids);
          assert.deepEqual(await found(at[1]), ids.slice(1));
          assert.deepEqual(await found(undefined, at[2]), ids.slice(0, 2));
          assert.deepEqual(await found(at[1], at[3]), ids.slice(1, 3));
          assert.deepEqual(await found(later(100_000)), []);
        }
      }
    });

    test("tokens are found by family, session and user, and machines' tokens also by family", async () => {
      await removeEverything(store);
      const app = await anApp(store);
      const user = await aUser(store);
      const family_id = store.newId(start);
      const session_id = randomUUID();
      const of = { app_id: app.id, user_id: user.id, family_id };
      const one = await aToken(store, { ...of, session_id });
      const two = await aToken(store, { ...of, created_at: later(5000) });
      const machines = { app_id: app.id, user_id: null, ...accessOnly };
      const machine = await aToken(store, { ...machines, family_id: store.newId(start) });
      await aToken(store, machines);
      const ids = async (where: ListQuery<"oauth_tokens">["where"]) =>
        (await walk(store, "oauth_tokens", { where: where ?? {}, limit: 1 })).ids;
      assert.deepEqual(await ids({ family_id }), [one.id, two.id]);
      assert.deepEqual(await ids({ family_id: machine.family_id }), [machine.id]);
      assert.deepEqual(await ids({ family_id, revoked: true }), []);
      assert.deepEqual(await ids({ session_id }), [one.id]);
      assert.deepEqual(await ids({ user_id: user.id }), [one.id, two.id]);
      assert.deepEqual(await ids({ user_id: user.id, app_id: app.id, revoked: false }), [one.id, two.id]);
      assert.equal((await ids({ app_id: app.id })).length, 4);
    });

    describe("the rows that a user can see", () => {
      let all: Belongings;
      before(async () => {
        await removeEverything(store);
        all = await belongings(store);
      });

      const umbrella = () => all.organizations[1]?.owner.organization_ids[0] ?? "";
      const acme = () => all.organizations[0]?.owner.organization_ids[0] ?? "";
      const person = (index: number) => all.users[index]?.id ?? "";

      for (const table of Object.keys(tables) as TableName[])
        test(`${table}: exactly the rows of the user's organizations and of the user are listed`, async () => {
          const sights = [
            { organization_ids: [acme()], user_id: null },
            { organization_ids: [umbrella()], user_id: null },
            { organization_ids: [acme(), umbrella()], user_id: null },
            { organization_ids: [], user_id: person(0) },
            { organization_ids: [], user_id: person(1) },
            { organization_ids: [], user_id: person(2) },
            { organization_ids: [acme()], user_id: person(2) },
            { organization_ids: [umbrella()], user_id: person(1) },
            { organization_ids: [], user_id: null },
            { organization_ids: [randomUUID()], user_id: randomUUID() },
          ];
          for (const visible of sights) {
            const belongsToThem = ({ owner }: Belonging) =>
              owner.organization_ids.some((id) => visible.organization_ids.includes(id)) ||
              (owner.user_id !== null && owner.user_id === visible.user_id);
            const expected = all[table].filter(belongsToThem).map(({ id }) => id);
            for (const limit of [1, 2, 50]) {
              const { ids } = await walk(store, table, { visible, limit });
              assert.deepEqual(ids, expected.toSorted(), JSON.stringify([visible, limit]));
            }
            // With a condition on the id and with newest first, the result is the same.
            for (const { id } of all[table]) {
              const { ids } = await walk(store, table, {
                visible,
                where: { id } as never,
                descending: true,
              });
              assert.deepEqual(ids, expected.includes(id) ? [id] : []);
            }
          }
          const everything = await walk(store, table, {});
          for (const { id } of all[table]) assert.ok(everything.ids.includes(id));
        });
    });

    test("a filter on the column that decides visibility narrows the list, also for missing values", async () => {
      await removeEverything(store);
      const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
      const owner = await aUser(store);
      const ofAcme = await anApp(store, { owner_id: owner.id, organization_id: acme.id });
      await anApp(store, { owner_id: owner.id, organization_id: umbrella.id });
      const personal = await anApp(store, { owner_id: owner.id });
      const machine = { user_id: null, ...accessOnly };
      const [one, two] = [
        await aToken(store, { app_id: ofAcme.id, user_id: owner.id }),
        await aToken(store, { app_id: ofAcme.id, ...machine, created_at: later(1) }),
      ];
      const visible = { organization_ids: [acme.id], user_id: owner.id };
      const apps = async (where: ListQuery<"oauth_apps">["where"]) =>
        (await walk(store, "oauth_apps", { visible, where: where ?? {}, limit: 1 })).ids;
      assert.deepEqual(await apps({ organization_id: null }), [personal.id]);
      assert.deepEqual(await apps({ organization_id: acme.id }), [ofAcme.id]);
      assert.deepEqual(await apps({ organization_id: umbrella.id }), []);
      const tokens = async (where: ListQuery<"oauth_tokens">["where"]) =>
        (await walk(store, "oauth_tokens", { visible, where: where ?? {}, limit: 1 })).ids;
      assert.deepEqual(await tokens({ user_id: null }), [two.id]);
      assert.deepEqual(await tokens({ user_id: owner.id }), [one.id]);
      assert.deepEqual(await tokens({ app_id: personal.id }), []);
      assert.deepEqual(await tokens({ revoked: false }), [one.id, two.id]);
    });

    test("a user who sees very many apps sees the tokens of all of them", async () => {
      await removeEverything(store);
      const organization = await anOrganization(store);
      const owner = await aUser(store);
      const expected: string[] = [];
      for (let index = 0; index < 40; index++) {
        const app = await anApp(store, { owner_id: owner.id, organization_id: organization.id });
        expected.push((await aToken(store, { app_id: app.id, user_id: null, ...accessOnly })).id);
      }
      await aToken(store, { user_id: null, ...accessOnly });
      const visible = { organization_ids: [organization.id], user_id: null };
      const { ids } = await walk(store, "oauth_tokens", { visible, limit: 7 });
      assert.deepEqual(ids, expected.toSorted());
    });

    test("if few rows match, a page ends after some thousands of other rows, and has a next page", async () => {
      await removeEverything(store);
      const app = await anApp(store);
      const [user, other] = [await aUser(store), await aUser(store)];
      const revoked: string[] = [];
      for (let from = 0; from < 7000; from += 500) {
        await store.transaction(async (tx) => {
          for (let index = from; index < from + 500; index++) {
            const dead = index === 6500 || index === 3200;
            const created_at = later(index);
            const token = tokenOf({
              app_id: app.id,
              user_id: index % 1000 === 1 ? other.id : user.id,
              created_at,
              revoked: dead,
            });
            if (dead) revoked.push(token.id);
            await tx.insert("oauth_tokens", token);
          }
        });
      }
      for (const where of [{ revoked: true }, { revoked: true, app_id: app.id }]) {
        const first = await store.listPage("oauth_tokens", { where, limit: 50 });
        assert.deepEqual(first.rows, []);
        const { ids, pages } = await walk(store, "oauth_tokens", { where });
        assert.deepEqual(ids, revoked);
        assert.equal(pages, 3);
        const back = await walk(store, "oauth_tokens", { where, descending: true, limit: 1 });
        assert.deepEqual(back.ids, revoked.toReversed());
      }
      // If an owner has few rows, all of them are read and sorted; if many, they are read in the order of an
      // index.
      const few = await store.listPage("oauth_tokens", { where: { user_id: other.id }, limit: 50 });
      assert.equal(few.rows.length, 7);
      assert.equal(few.next_cursor, null);
      const many = await walk(store, "oauth_tokens", { where: { user_id: user.id }, limit: 200 });
      assert.equal(many.ids.length, 6993);
      assert.deepEqual(many.ids, many.ids.toSorted());
      for (const user_id of [user.id, other.id]) {
        const visible = { organization_ids: [], user_id };
        const { ids } = await walk(store, "oauth_tokens", { visible, limit: 200 });
        assert.equal(ids.length, user_id === user.id ? 6993 : 7);
      }
    });

    test("a list of an organization's users is found through its memberships", async () => {
      await removeEverything(store);
      const organization_id = (await anOrganization(store)).id;
      const members: string[] = [];
      for (const [index, user] of (await users(9)).entries()) {
        if (index % 3 === 0) continue;
        await aMembership(store, { user_id: user.id, organization_id });
        members.push(user.id);
      }
      const visible = { organization_ids: [organization_id], user_id: members[0] ?? null };
      for (const descending of [false, true]) {
        const { ids } = await walk(store, "users", { visible, descending, limit: 2 });
        assert.deepEqual(ids, descending ? members.toReversed() : members);
      }
    });
  });
