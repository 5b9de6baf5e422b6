import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anApp, anEvent, aRefusal, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases) {
  describe(`the store's state in numbers on ${database.name}`, () => {
    test("writes that wait in memory are counted until they are stored", async () => {
      const store = await database.open();
      const waiting = () => [
        store.unwrittenUses(),
        store.unwrittenEvents(),
        store.unwrittenRefusals(),
        store.unwrittenCounts(),
      ];
      assert.deepEqual(waiting(), [0, 0, 0, 0]);
      const { id } = await anApp(store);
      const { id: _event, ...event } = await anEvent(store);
      const { id: _refusal, ...refusal } = await aRefusal(store);
      store.queueUse("oauth_tokens", id, start);
      store.queueUse("oauth_tokens", id, later(1));
      store.queueEvent(event);
      store.queueEvent(event);
      for (const short_id of ["AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"])
        store.queueRefusal({ ...refusal, short_id });
      store.increment("swept", [null, id], start);
      store.increment("swept", [null, id], later(7200));
      assert.deepEqual(waiting(), [1, 2, 3, 4]);
      await store.flushUses();
      await store.flushEvents();
      await store.flushRefusals();
      await store.flushCounts();
      assert.deepEqual(waiting(), [0, 0, 0, 0]);
    });

    test("the size on disk grows with the number of records", async () => {
      const store = await database.open();
      const before = await store.size();
      assert.ok(before > 50_000, String(before));
      const metadata = { text: "a text that takes some room in the database ".repeat(500) };
      for (let count = 0; count < 60; count += 1)
        await anApp(store, { metadata: { ...metadata, count: String(count) } });
      const grown = await store.size();
      assert.ok(grown > before, `${before} and then ${grown}`);
    });
  });
}
