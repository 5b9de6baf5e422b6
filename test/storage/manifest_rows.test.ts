import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`records that a manifest created on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("are listed by table, once, until they are removed", async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await store.markApplied("users", one, start);
      await store.markApplied("users", one, start);
      await store.markApplied("users", two, start);
      await store.markApplied("oauth_apps", one, start);
      assert.deepEqual((await store.appliedRecords("users")).toSorted(), [one, two].toSorted());
      assert.deepEqual(await store.appliedRecords("organizations"), []);
      await store.forgetApplied("users", one);
      assert.deepEqual(await store.appliedRecords("users"), [two]);
      assert.deepEqual(await store.appliedRecords("oauth_apps"), [one]);
    });

    test("are not listed if their transaction is rolled back", async () => {
      const id = randomUUID();
      const undone = store.transaction(async (tx) => {
        await store.markApplied("sessions", id, start, tx);
        assert.deepEqual(await store.appliedRecords("sessions", tx), [id]);
        throw new Error("undone");
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(await store.appliedRecords("sessions"), []);
    });
  });
