import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { later, randomSignature, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`short-lived values on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("a stored value is found until it expires, and only under its kind and key", async () => {
      const key = randomSignature();
      await store.storeEphemeral("setup_link", key, "content", later(60), start);
      assert.equal(await store.findEphemeral("setup_link", key, later(59)), "content");
      assert.equal(await store.findEphemeral("setup_link", key, later(60)), undefined);
      assert.equal(await store.findEphemeral("consent_form", key, start), undefined);
      assert.equal(await store.findEphemeral("setup_link", randomSignature(), start), undefined);
    });

    test("storing a value again replaces its content and expiry", async () => {
      const key = randomSignature();
      await store.storeEphemeral("setup_link", key, "old", later(60), start);
      await store.storeEphemeral("setup_link", key, "new", later(30), start);
      assert.equal(await store.findEphemeral("setup_link", key, later(29)), "new");
      assert.equal(await store.findEphemeral("setup_link", key, later(30)), undefined);
    });

    test("A-21, H-13: a one-time value is accepted once of twenty concurrent times, and again only after expiry", async () => {
      const key = randomSignature();
      const uses = Array.from({ length: 20 }, () => store.useOnce("consent_form", key, later(60), start));
      assert.equal((await Promise.all(uses)).filter(Boolean).length, 1);
      assert.equal(await store.useOnce("consent_form", key, later(120), later(59)), false);
      assert.equal(await store.useOnce("consent_form", key, later(120), later(60)), true);
      assert.equal(await store.useOnce("consent_form", randomSignature(), later(60), start), true);
    });

    test("L-10: parallel attempts are counted exactly and separately", async () => {
      const key = randomSignature();
      const attempts = Array.from({ length: 30 }, () => store.countUp("throttle", key, later(60), start));
      const counts = (await Promise.all(attempts)).toSorted((a, b) => a - b);
      assert.deepEqual(
        counts,
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
    });

    test("L-10: a counter expires at the time set by its first attempt, and then starts again", async () => {
      const key = randomSignature();
      assert.equal(await store.countUp("throttle", key, later(60), start), 1);
      // Later attempts do not extend the window, so a throttle never becomes permanent.
      assert.equal(await store.countUp("throttle", key, later(90), later(30)), 2);
      assert.equal(await store.countUp("throttle", key, later(120), later(59)), 3);
      assert.equal(await store.countUp("throttle", key, later(120), later(60)), 1);
      assert.equal(await store.countUp("throttle", key, later(180), later(119)), 2);
    });

    test("a counter can be reset", async () => {
      const [key, other] = [randomSignature(), randomSignature()];
      await store.countUp("throttle", key, later(60), start);
      await store.countUp("throttle", other, later(60), start);
      await store.forgetEphemeral("throttle", key);
      assert.equal(await store.countUp("throttle", key, later(60), start), 1);
      assert.equal(await store.countUp("throttle", other, later(60), start), 2);
    });
  });
