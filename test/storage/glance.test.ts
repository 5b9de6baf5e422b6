/** Some rows of a list, read at a cost that is independent of its length. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aMembership, anOrganization, aUser, later } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`the first matches of a list on ${database.name}`, () => {
    test("are the caller's newest rows, with the information whether there are more", async () => {
      const store = await database.open();
      const { id } = await anOrganization(store);
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const user = await aUser(store, {
          id: store.newId(later(count)),
          name: count === 0 ? "Oldest Person" : `Person ${count}`,
        });
        await aMembership(store, { user_id: user.id, organization_id: id });
        ids.unshift(user.id);
        await aUser(store, { id: store.newId(later(count)), name: "Person Elsewhere" });
      }
      const visible = { organization_ids: [id], user_id: null };
      const glance = async (search: string, limit: number, most_read: number, of = visible) => {
        const { rows, is_all } = await store.glanceAtList(
          "users",
          { search, visible: of },
          { limit, most_read },
        );
        return [rows.map((row) => row.id), is_all];
      };
      assert.deepEqual(await glance("erso", 10, 100), [ids, true]);
      assert.deepEqual(await glance("erso", 10, 3), [ids.slice(0, 3), false]);
      assert.deepEqual(await glance("oldest", 10, 3), [[], false]);
      assert.deepEqual(await glance("oldest", 10, 6), [ids.slice(5), true]);
      assert.deepEqual((await glance("erso", 2, 100))[1], true);
      assert.deepEqual(await glance("erso", 10, 100, { organization_ids: [], user_id: null }), [[], true]);
      assert.deepEqual(await glance("---", 10, 100), [[], true]);
    });

    test("are limited in number and in any order if the caller can see all rows", async () => {
      const store = await database.open();
      for (let count = 0; count < 6; count += 1) await aUser(store, { name: `Common ${count}` });
      const glance = (search: string, most_read: number) =>
        store.glanceAtList("users", { search }, { limit: 10, most_read });
      const all = await glance("commo", 100);
      assert.deepEqual([all.rows.length, all.is_all], [6, true]);
      const some = await glance("common", 3);
      assert.deepEqual([some.rows.length, some.is_all], [3, false]);
    });

    // SQLite prepares such a statement for one use.
    const onPostgres = database.name === "PostgreSQL" ? test : () => {};
    onPostgres("leave no prepared statements, however much their SQL varies", async () => {
      const store = await database.open({ connections: 1 });
      await aUser(store, { name: "Common Person" });
      const kept = () =>
        store.transaction(async ({ connection }) =>
          Number((await connection.first("SELECT count(*) AS n FROM pg_prepared_statements", []))?.n),
        );
      const glance = (search: string) =>
        store.glanceAtList("users", { search }, { limit: 10, most_read: 10 });
      await glance("ommon");
      await kept();
      const before = await kept();
      for (const search of ["ommon pers", "ommon pers son", "ommon pers ers rson"])
        assert.equal((await glance(search)).rows.length, 1, search);
      assert.equal(await kept(), before);
    });
  });
