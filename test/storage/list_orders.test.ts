/** The sort orders of lists in both directions, and the total number of records. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { fieldsOf, type TableName } from "../../src/records/definition/definition.ts";
import { highestTotal, listOrdersOf, sortableColumnsOf } from "../../src/records/definition/list_orders.ts";
import { type ResourceType, tableOfResourceType } from "../../src/records/definition/permissions.ts";
import { mostSorted } from "../../src/storage/listing/branches.ts";
import type { ListQuery } from "../../src/storage/listing/listing.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  accessOnly,
  aMembership,
  anApp,
  anOrganization,
  aSecret,
  aUser,
  insertMany,
  later,
  tokenOf,
} from "../support/builders.ts";
import { databases, removeEverything } from "../support/databases.ts";
import { tableNames } from "./any_row.ts";
import { belongings } from "./belongings.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Query = Omit<ListQuery<TableName>, "limit" | "cursor">;

const most = 500;

/** Returns every page from the beginning, and every page from the last one back to the first. */
async function bothWays(store: Store, table: TableName, query: Query, limit: number) {
  const forth: string[][] = [];
  const back: string[][] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await store.listPage(table, { ...query, limit, cursor } as never);
    const ids = page.rows.map((row) => (row as Row).id);
    forth.push(ids);
    assert.equal(page.previous_cursor === null, cursor === undefined);
    assert.ok(forth.length < most, "the pages never end");
    if (page.next_cursor === null) {
      for (let previous = page.previous_cursor; previous !== null; ) {
        const before = await store.listPage(table, { ...query, limit, cursor: previous } as never);
        back.unshift(before.rows.map((row) => (row as Row).id));
        assert.ok(back.length < most, "the pages never begin");
        previous = before.previous_cursor;
      }
      return { forth, back: [...back, ids] };
    }
    cursor = page.next_cursor;
  }
}

const names = ["zoe", "Ada", "ada", "Émile", "_x", "b b", "𐐨", "ﬀ", "ADA"];
/** Returns the bytes by which a text is compared: A to Z count as lower case. */
const bytesOf = (text: string) => Buffer.from(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));

/** Returns unsorted values of a column, some of them equal, and some null if the column allows it. */
function valueAt(table: TableName, column: string, index: number): unknown {
  const field = fieldsOf(table)[column];
  if (field?.kind === "time") return !field.required && index % 3 === 0 ? null : later((index * 7) % 5);
  if (field?.values !== undefined) return field.values[index % field.values.length];
  const name = names[index % names.length] ?? "";
  return field?.unique || fieldsOf(table)[column]?.format === "email" ? `${name}${index}@example.com` : name;
}

function sorted(table: TableName, rows: readonly Row[], column: string): string[] {
  const { ids_hold_time } = listOrdersOf(table);
  const isById = column === "created_at" && ids_hold_time;
  const compared = (a: Row, b: Row) => {
    const [one, other] = [a[column], b[column]];
    const times = [one, other].map((value) => (value instanceof Date ? value.getTime() : 0));
    const keys = isById
      ? 0
      : typeof one === "string"
        ? Buffer.compare(bytesOf(one), bytesOf(String(other)))
        : (times[0] ?? 0) - (times[1] ?? 0);
    return keys === 0 ? (a.id < b.id ? -1 : 1) : keys;
  };
  return rows.toSorted(compared).map(({ id }) => id);
}

test("lists of every resource type can be sorted by creation time", () => {
  for (const resourceType of Object.keys(tableOfResourceType) as ResourceType[])
    assert.ok(sortableColumnsOf(tableOfResourceType[resourceType]).includes("created_at"), resourceType);
});

for (const database of databases)
  describe(`sort orders of lists on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("every list can be read in each of its orders, forwards and backwards, with any page size", async () => {
      await removeEverything(store);
      const all = await belongings(store);
      for (let index = 0; index < 9; index++) await aUser(store);
      for (const table of tableNames) {
        const columns = sortableColumnsOf(table);
        if (columns.length === 0) continue;
        for (const [index, { id }] of (await store.list(table)).entries()) {
          const values = columns.map((column) => [column, valueAt(table, column, index)] as const);
          const uniques = fieldsOf(table).email_key ? { email_key: `key${index}@example.com` } : {};
          const ids = listOrdersOf(table).ids_hold_time ? {} : Object.fromEntries(values);
          const changes = { ...Object.fromEntries(values.slice(1)), ...ids, ...uniques };
          await store.update(table, { id } as never, changes as never);
        }
        const rows = (await store.list(table)) as unknown as Row[];
        const [mine] = all[table];
        const visible = mine?.owner;
        for (const sort of columns) {
          const expected = sorted(table, rows, sort);
          for (const descending of [false, true]) {
            const what = `${table} by ${sort}${descending ? ", descending" : ""}`;
            const wanted = descending ? expected.toReversed() : expected;
            for (const limit of [1, 2, 50]) {
              const { forth, back } = await bothWays(store, table, { sort, descending }, limit);
              assert.deepEqual(forth.flat(), wanted, what);
              assert.deepEqual(back, forth, `${what}, on the way back`);
            }
            if (visible === undefined) continue;
            const seen = await bothWays(store, table, { visible }, 50);
            const theirs = wanted.filter((id) => seen.forth.flat().includes(id));
            const { forth, back } = await bothWays(store, table, { sort, descending, visible }, 2);
            assert.deepEqual(forth.flat(), theirs, `${what}, of somebody`);
            assert.deepEqual(back, forth, `${what}, of somebody, on the way back`);
          }
        }
      }
    });

    test("rows that are added or deleted while a sorted list is read do not affect the others", async () => {
      await removeEverything(store);
      const made = [];
      for (const name of ["a", "c", "e", "g", "i"]) made.push(await aUser(store, { name }));
      const query = { sort: "name", limit: 2 } as const;
      const named = (page: { rows: readonly { name: string }[] }) => page.rows.map(({ name }) => name);
      const first = await store.listPage("users", query);
      await aUser(store, { name: "b" });
      await aUser(store, { name: "d" });
      await store.remove("users", { id: made[3]?.id ?? "" });
      const second = await store.listPage("users", { ...query, cursor: first.next_cursor ?? "" });
      assert.deepEqual(
        [named(first), named(second)],
        [
          ["a", "c"],
          ["d", "e"],
        ],
      );
      // Rows added before the page are found in the reverse direction, and the first page is full.
      const back = await store.listPage("users", { ...query, cursor: second.previous_cursor ?? "" });
      assert.deepEqual(named(back), ["b", "c"]);
      const start = await store.listPage("users", { ...query, cursor: back.previous_cursor ?? "" });
      assert.deepEqual([named(start), start.previous_cursor], [["a", "b"], null]);
      // A page whose rows were all deleted links to the remaining ones.
      const last = await store.listPage("users", { ...query, cursor: second.next_cursor ?? "" });
      assert.deepEqual(named(last), ["i"]);
      await store.remove("users", { id: made[4]?.id ?? "" });
      const gone = await store.listPage("users", { ...query, cursor: second.next_cursor ?? "" });
      assert.deepEqual([named(gone), gone.next_cursor], [[], null]);
      const left = await store.listPage("users", { ...query, cursor: gone.previous_cursor ?? "" });
      assert.deepEqual(named(left), ["d", "e"]);
    });

    test("filters and search words apply in every sort order", async () => {
      await removeEverything(store);
      const organization_id = (await anOrganization(store)).id;
      const owner = await aUser(store, { name: "Nobody" });
      for (const [index, name] of ["Orders Z", "orders a", "Bills", "Orders M"].entries())
        await anApp(store, {
          name,
          owner_id: owner.id,
          organization_id: index === 3 ? null : organization_id,
          active: index !== 1,
        });
      const found = async (query: Omit<ListQuery<"oauth_apps">, "limit">) =>
        (await store.listPage("oauth_apps", { sort: "name", limit: 9, ...query })).rows.map(
          ({ name }) => name,
        );
      assert.deepEqual(await found({ search: "ord" }), ["orders a", "Orders M", "Orders Z"]);
      assert.deepEqual(await found({ search: "ord", descending: true }), [
        "Orders Z",
        "Orders M",
        "orders a",
      ]);
      assert.deepEqual(await found({ search: "ord", where: { organization_id } }), ["orders a", "Orders Z"]);
      assert.deepEqual(await found({ where: { active: true } }), ["Bills", "Orders M", "Orders Z"]);
      const visible = { organization_ids: [organization_id], user_id: null };
      assert.deepEqual(await found({ visible, search: "ord" }), ["orders a", "Orders Z"]);
      assert.deepEqual(await found({ created_from: later(9) }), []);
    });

    test("a list counts up to 10,000 matches, each record once, and sorts larger lists only by an index", async () => {
      await removeEverything(store);
      const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
      const owner = await aUser(store, { name: "Ada" });
      for (const { id } of [acme, umbrella])
        await aMembership(store, { user_id: owner.id, organization_id: id });
      const app = await anApp(store, { owner_id: owner.id, organization_id: acme.id });
      const other = await anApp(store, { owner_id: owner.id, organization_id: acme.id });
      const visible = { organization_ids: [acme.id, umbrella.id], user_id: owner.id };
      // Two memberships lead to the same user.
      assert.deepEqual(await store.countListed("users", { visible }), { total: 1, total_is_more: false });
      assert.deepEqual(await store.countListed("users", { search: "ad" }), {
        total: 1,
        total_is_more: false,
      });
      assert.deepEqual(await store.countListed("users", { search: "-" }), { total: 0, total_is_more: false });
      assert.deepEqual(await store.countListed("users", {}), { total: 1, total_is_more: false });

      const tokens = (count: number, app_id: string) =>
        insertMany(store, "oauth_tokens", count, (index) =>
          tokenOf({ ...accessOnly, app_id, user_id: null, created_at: later(index) }),
        );
      await tokens(highestTotal, app.id);
      const exactly = { total: highestTotal, total_is_more: false };
      assert.deepEqual(await store.countListed("oauth_tokens", {}), exactly);
      assert.deepEqual(await store.countListed("oauth_tokens", { where: { app_id: app.id } }), exactly);
      await tokens(3, other.id);
      const more = { total: highestTotal, total_is_more: true };
      assert.deepEqual(await store.countListed("oauth_tokens", {}), more);
      assert.deepEqual(await store.countListed("oauth_tokens", { visible }), more);
      const few = { total: 3, total_is_more: false };
      assert.deepEqual(await store.countListed("oauth_tokens", { where: { app_id: other.id } }), few);
      assert.deepEqual(
        await store.countListed("oauth_tokens", { where: { revoked: true } }),
        { total: 0, total_is_more: false },
        "what no index finds is counted too, as long as it is not too much to read",
      );
      assert.deepEqual(await store.countListed("oauth_tokens", { created_before: later(10) }), {
        total: 13,
        total_is_more: false,
      });

      const query = { sort: "last_used_at", limit: 2 } as const;
      assert.ok(mostSorted <= highestTotal);
      for (const refused of [{}, { visible }])
        await assert.rejects(store.listPage("oauth_tokens", { ...query, ...refused }), {
          status: 400,
          code: "invalid_filter",
        });
      for (const app_id of [app.id, other.id])
        assert.equal((await store.listPage("oauth_tokens", { ...query, where: { app_id } })).rows.length, 2);
    });

    test("lists of more than a thousand rows are sorted by id instead of creation time", async () => {
      await removeEverything(store);
      const app = await anApp(store, { owner_id: (await aUser(store)).id });
      const count = 1001;
      await insertMany(store, "oauth_app_secrets", count, (index) => {
        const created_at = later(index);
        const id = store.newId(created_at);
        return { id, app_id: app.id, secret_hash: "x", secret_prefix: "x", created_at };
      });
      // The id was chosen so that it comes last; the record was the first to be created.
      const id = "ffffffff-0000-4000-8000-000000000000";
      const chosen = await aSecret(store, { id, app_id: app.id, created_at: later(-1) });
      const query = { where: { app_id: app.id }, sort: "created_at", limit: 200 } as const;
      const first = await store.listPage("oauth_app_secrets", query);
      assert.notEqual(first.rows[0]?.id, chosen.id);
      const { forth, back } = await bothWays(store, "oauth_app_secrets", query as Query, 200);
      assert.deepEqual([forth.flat().length, forth.flat().at(-1)], [count + 1, chosen.id]);
      assert.deepEqual(back, forth);
      // In an unrestricted list an index provides the order, however many rows there are.
      const all = await store.listPage("oauth_app_secrets", { sort: "created_at", limit: 2 });
      assert.equal(all.rows[0]?.id, chosen.id);
      for (const { id } of first.rows.slice(0, 2)) await store.remove("oauth_app_secrets", { id });
      const now = await store.listPage("oauth_app_secrets", query);
      assert.equal(now.rows[0]?.id, chosen.id);
    });
  });
