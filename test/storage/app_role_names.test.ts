import assert from "node:assert/strict";
import { test } from "node:test";
import { anAppRole, aResource, later, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

describeInForm("app roles of earlier versions", (database) => {
  test("OC-6: the upgrade stores the names that new app roles cannot have; of two equal names, only the older one", async () => {
    const store = await database.open();
    const [one, other] = [await aResource(store), await aResource(store)];
    const expected = new Map<string, string | null>();
    const add = async (resource_id: string, name: string, key: string | null, at: number) => {
      const { id } = await anAppRole(store, { resource_id, name, name_key: null, created_at: later(at) });
      expected.set(id, key);
    };
    await add(one.id, "Ｃlerk", `${one.id} clerk`, 1);
    await add(one.id, "clerk", null, 2);
    await add(other.id, "CLERK", `${other.id} clerk`, 3);
    // More than are read in one batch.
    for (let n = 0; n < 1005; n += 1) await add(other.id, `R ${n}`, `${other.id} r ${n}`, 4 + n);
    await store.transaction(async ({ connection }) => {
      await connection.run("DROP INDEX app_roles_name_key_key", []);
      await connection.run("ALTER TABLE app_roles DROP COLUMN name_key", []);
      await connection.run("DELETE FROM postern_migrations WHERE version = 77", []);
    });
    const applied = await store.migrate(start);
    assert.deepEqual(
      applied.map(({ version }) => version),
      [77],
    );
    const rows = await store.list("app_roles");
    assert.deepEqual(new Map(rows.map(({ id, name_key }) => [id, name_key])), expected);
  });
});
