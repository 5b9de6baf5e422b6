/** The background worker finds its work among any number of other rows, on both databases. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { databaseOn } from "../../src/storage/database/database.ts";
import type { Driver } from "../../src/storage/database/driver.ts";
import { outboxRules } from "../../src/storage/operation/outbox.ts";
import { upstreamRevocationRules } from "../../src/storage/people/upstream_revocations.ts";
import type { Store } from "../../src/storage/store.ts";
import { anOAuthAccount, aUser, insertMany, later, randomSignature, start } from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { aProvider } from "../support/scripted_providers.ts";
import { storeStatistics } from "../support/statistics_of_tables.ts";

const rows = 4000;

for (const database of databases)
  describe(`mails and token revocations that wait, on ${database.name}`, () => {
    let store: Store;
    let driver: Driver;
    const requested: { sql: string; parameters: readonly unknown[] }[] = [];

    before(async () => {
      const address = await database.tables();
      store = await openStoreAt(address);
      driver = await openDriver(address);
      if (address.kind === "postgres") await driver.queryUnprepared(storeStatistics, []);
      await insertMany(store, "ephemera", rows, (index) => {
        const created_at = later(index / 1000);
        const row = { id: store.newId(created_at), key: randomSignature(), count: 1, created_at };
        return { ...row, kind: "throttle", value: null, expires_at: later(900) };
      });
    });

    after(() => driver.close());

    const keep = (mail: string, at = start) =>
      store.transaction((tx) =>
        store.enqueueMail(tx, [randomSignature()], { mail, expires_at: later(86_400, at) }, at),
      );

    const claimAll = async (at: Date) => {
      const claimed: string[] = [];
      for (;;) {
        const some = await store.claimMails(at);
        if (some.length === 0) return claimed;
        claimed.push(...some.map(({ mail }) => mail));
      }
    };

    test("design 5: are found by their own index, with and without table statistics", async () => {
      const watched = databaseOn({
        ...driver,
        all(sql, parameters) {
          requested.push({ sql, parameters });
          return driver.all(sql, parameters);
        },
      });
      await keep("the only one");
      for (const analyzed of [false, true]) {
        if (analyzed) await driver.queryUnprepared("ANALYZE", []);
        for (const look of [
          () => outboxRules(watched, store.newId).claimMails(start),
          () => upstreamRevocationRules(watched, store.newId).claimRevocations(start),
        ]) {
          requested.length = 0;
          await look();
          const looked = requested.filter(({ sql }) => /^select/i.test(sql));
          assert.equal(looked.length, 1);
          for (const { sql, parameters } of looked) {
            const explain = database.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN (FORMAT JSON)";
            const plan = JSON.stringify(await driver.queryUnprepared(`${explain} ${sql}`, parameters));
            assert.match(plan, /ephemera_waiting/, plan);
            assert.doesNotMatch(plan, /Seq Scan|SCAN |TEMP B-TREE/, plan);
          }
        }
      }
    });

    test("are claimed once when due, including those beyond the first batch", async () => {
      const at = later(10);
      for (let index = 0; index < 230; index++) await keep(`mail ${index}`, at);
      const claimed = await claimAll(at);
      assert.equal(new Set(claimed).size, claimed.length);
      assert.equal(claimed.filter((mail) => mail.startsWith("mail ")).length, 230);
    });

    test("H-24: are due at once if a clock that was ahead had scheduled their next attempt", async () => {
      const ahead = later(90 * 86_400);
      await keep("ahead", ahead);
      assert.ok((await claimAll(ahead)).includes("ahead"));
      assert.ok(!(await claimAll(later(1, ahead))).includes("ahead"));
      assert.ok((await claimAll(later(20))).includes("ahead"));
    });

    test("H-24: do not delay a mail's first attempt if the clock was set back", async () => {
      const [kept_at, set_back] = [later(7200), later(3600)];
      await keep("kept before", kept_at);
      const provider = await aProvider(store);
      const user = await aUser(store);
      const link = await anOAuthAccount(store, { user_id: user.id, provider: provider.slug });
      await store.transaction((tx) => store.enqueueRevocation(tx, link, kept_at));
      assert.ok((await claimAll(set_back)).includes("kept before"));
      assert.ok(!(await claimAll(later(1, set_back))).includes("kept before"), "the next one waits");
      const tries = await store.claimRevocations(set_back);
      assert.deepEqual(
        tries.map((each) => each.link.id),
        [link.id],
      );
      assert.deepEqual(await store.claimRevocations(set_back), []);
    });
  });
