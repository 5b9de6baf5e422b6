import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, beforeEach, describe, test } from "node:test";
import { type StatisticKind, statisticKinds } from "../../src/records/names/statistics.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aUser, later, start } from "../support/builders.ts";
import { databases, openStoreAt, removeEverything } from "../support/databases.ts";
import { staysInMemory } from "../support/stays_in_memory.ts";

const hour = 3600;
const day = 24 * hour;

for (const database of databases)
  describe(`hourly counts of events on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(async () => {
      await store.flushCounts();
      await removeEverything(store);
    });

    const counts = async (subject: string | null, kinds: readonly StatisticKind[] = statisticKinds) =>
      (await store.countsByHour(subject, kinds, start, later(day))).map(({ kind, hour: at, count }) => [
        kind,
        at,
        count,
      ]);

    test("events of the same subject and kind within an hour are one row", async () => {
      const app = randomUUID();
      store.increment("tokens_code", [null, app], start);
      store.increment("tokens_code", [null], later(hour - 0.001));
      store.increment("tokens_code", [null], later(hour));
      store.increment("sign_ins", [null], later(10));
      await store.flushCounts();
      assert.deepEqual(await counts(null), [
        ["sign_ins", start, 1],
        ["tokens_code", start, 2],
        ["tokens_code", later(hour), 1],
      ]);
      assert.deepEqual(await counts(app), [["tokens_code", start, 1]]);
    });

    test("counts are written only at a flush, and further ones are added at the next", async () => {
      store.increment("refusals", [null], start, 3);
      assert.deepEqual(await counts(null), []);
      await store.flushCounts();
      await store.flushCounts();
      assert.deepEqual(await counts(null), [["refusals", start, 3]]);
      store.increment("refusals", [null], start, 4);
      await store.flushCounts();
      assert.deepEqual(await counts(null), [["refusals", start, 7]]);
      assert.equal(await store.count("statistics"), 1);
    });

    test("a range of hours includes the hour of its start, and ends before its end", async () => {
      for (const at of [start, later(hour), later(2 * hour)]) store.increment("swept", [null], at);
      await store.flushCounts();
      const between = async (from: Date, until: Date) =>
        (await store.countsByHour(null, ["swept"], from, until)).map(({ hour: at }) => at);
      assert.deepEqual(await between(later(hour + 1), later(2 * hour)), [later(hour)]);
      assert.deepEqual(await between(later(hour + 1), later(2 * hour + 1)), [later(hour), later(2 * hour)]);
      assert.deepEqual(await between(later(3 * hour), later(day)), []);
      assert.deepEqual(await store.countsByHour(null, [], start, later(day)), []);
      assert.deepEqual(await store.countsByHour(null, ["sign_ins"], start, later(day)), []);
    });

    test("concurrent counts of several processes are added up, in any order", async () => {
      const address = await database.tables();
      const stores = [];
      for (let index = 0; index < 4; index++) stores.push(await openStoreAt(address));
      const subjects = Array.from({ length: 1200 }, () => randomUUID());
      for (let round = 0; round < 3; round++) {
        for (const [index, each] of stores.entries()) {
          const order = index % 2 === 0 ? subjects : subjects.toReversed();
          for (const subject of order) each.increment("tokens_machine", [subject, null], start);
        }
        await Promise.all(stores.map((each) => each.flushCounts()));
      }
      const [first] = stores;
      assert.ok(first);
      const of = async (subject: string | null) =>
        (await first.countsByHour(subject, ["tokens_machine"], start, later(day))).map(({ count }) => count);
      assert.deepEqual(await of(null), [4 * 3 * 1200]);
      for (const subject of [subjects[0], subjects[600], subjects[1199]])
        assert.deepEqual(await of(subject ?? ""), [12]);
      assert.equal(await first.count("statistics"), 1201);
    });

    test("counts that cannot be written wait for the next flush", async () => {
      const address = await database.address();
      const empty = await openStoreAt(address);
      empty.increment("sign_ins", [null], start, 2);
      await assert.rejects(empty.flushCounts());
      empty.increment("sign_ins", [null], start);
      await empty.migrate(start);
      await empty.flushCounts();
      assert.deepEqual(
        (await empty.countsByHour(null, ["sign_ins"], start, later(day))).map(({ count }) => count),
        [3],
      );
    });

    test("closing the store writes all counts", async () => {
      const address = await database.tables();
      const closing = await openStoreAt(address);
      closing.increment("introspections", [null], start);
      await closing.close();
      const again = await openStoreAt(address);
      assert.equal((await again.list("statistics"))[0]?.count, 1);
    });

    test("the memory for counts between two flushes is limited, and existing counts continue", async () => {
      store.increment("refusals", [null], start);
      for (let index = 0; index < 50_010; index++) store.increment("swept", [null], later(index * hour));
      store.increment("refusals", [null], start);
      await store.flushCounts();
      assert.equal(await store.count("statistics"), 50_000);
      assert.deepEqual(await counts(null, ["refusals"]), [["refusals", start, 2]]);
    });

    test("writing counts does not invalidate caches", async () => {
      await staysInMemory(store, () => {
        store.increment("sign_ins", [null], start);
        return store.flushCounts();
      });
      assert.ok((await store.count("statistics")) > 0);
    });

    describe("the busiest apps", () => {
      test("are those with the most tokens of any grant since the given time", async () => {
        const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
        const { id: owner_id } = await aUser(store);
        const one = await anApp(store, { owner_id, organization_id: acme.id });
        const two = await anApp(store, { owner_id, organization_id: umbrella.id });
        const three = await anApp(store, { owner_id });
        store.increment("tokens_code", [null, one.id, acme.id], later(hour), 5);
        store.increment("tokens_refresh", [null, one.id, acme.id], later(2 * hour), 2);
        store.increment("tokens_machine", [null, two.id, umbrella.id], later(hour), 6);
        store.increment("tokens_code", [null, three.id], later(hour), 1);
        store.increment("tokens_code", [null, three.id], start, 100);
        store.increment("refusals", [null, three.id], later(hour), 100);
        store.increment("tokens_code", [randomUUID()], later(hour), 100);
        await store.flushCounts();
        const [from, before] = [later(hour + 60), later(300 * hour)];
        assert.deepEqual(await store.busiestApps({ from, before, limit: 10 }), [
          { app_id: one.id, tokens: 7 },
          { app_id: two.id, tokens: 6 },
          { app_id: three.id, tokens: 1 },
        ]);
        assert.deepEqual(await store.busiestApps({ from, before, limit: 1 }), [
          { app_id: one.id, tokens: 7 },
        ]);
        assert.deepEqual(
          await store.busiestApps({ from, before, limit: 10, organization_ids: [umbrella.id] }),
          [{ app_id: two.id, tokens: 6 }],
        );
        const both = { from, before, limit: 10, organization_ids: [umbrella.id, acme.id] };
        assert.equal((await store.busiestApps(both)).length, 2);
        assert.deepEqual(await store.busiestApps({ from, before, limit: 10, organization_ids: [] }), []);
        assert.equal((await store.busiestApps({ from: start, before, limit: 10 }))[0]?.app_id, three.id);
        assert.deepEqual(await store.busiestApps({ from: later(3 * hour), before, limit: 10 }), []);
      });

      test("are summed over days, and found among any number of other subjects", async () => {
        const app = await anApp(store);
        for (const at of [0, 1, 23, 24, 25, 47, 48, 200])
          store.increment("tokens_machine", [null, app.id], later(at * hour));
        for (let index = 0; index < 600; index++)
          store.increment("tokens_code", [randomUUID()], later(index), 9);
        await store.flushCounts();
        const before = later(201 * hour);
        assert.deepEqual(await store.busiestApps({ from: later(hour + 1), before, limit: 2 }), [
          { app_id: app.id, tokens: 7 },
        ]);
        assert.deepEqual(await store.busiestApps({ from: start, before, limit: 2 }), [
          { app_id: app.id, tokens: 8 },
        ]);
        assert.deepEqual(await store.busiestApps({ from: start, before: later(25 * hour), limit: 2 }), [
          { app_id: app.id, tokens: 4 },
        ]);
      });

      test("are summed only for the requested range, even if a wrong clock recorded counts in another year", async () => {
        let requested = 0;
        const counting = await database.open({
          around: (driver) => ({
            ...driver,
            all(sql, parameters) {
              requested += 1;
              return driver.all(sql, parameters);
            },
          }),
        });
        counting.increment("tokens_code", [null], new Date("9999-01-01T00:00:00.000Z"));
        await counting.flushCounts();
        requested = 0;
        assert.deepEqual(await counting.busiestApps({ from: start, before: later(3 * day), limit: 1 }), []);
        assert.equal(requested, 3, "a question for each day");
      });
    });
  });
