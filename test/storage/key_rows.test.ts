import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { later, signingKeyOf, start } from "../support/builders.ts";
import { databases, removeEverything } from "../support/databases.ts";

const day = 86_400;

for (const database of databases)
  describe(`stored signing keys on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(() => removeEverything(store));

    const find = async (id: string) => (await store.listSigningKeys()).find((key) => key.id === id);

    test("D-4: if many processes start at the same time, only one adds the first key", async () => {
      await Promise.all(Array.from({ length: 12 }, () => store.addFirstSigningKey(signingKeyOf())));
      const [first, ...others] = await store.listSigningKeys();
      assert.ok(first);
      assert.deepEqual(others, []);
      await store.addFirstSigningKey(signingKeyOf());
      assert.deepEqual(await store.listSigningKeys(), [first]);
    });

    test("D-4: the current key signs until the next one takes over, and is kept until its last token expires", async () => {
      const first = signingKeyOf();
      await store.addFirstSigningKey(first);
      const next = signingKeyOf({ created_at: later(day), activates_at: later(day + 3600) });
      await store.addNextSigningKey(next, 900);
      assert.deepEqual(await find(first.id), {
        ...first,
        retires_at: later(day + 3600),
        expires_at: later(day + 3600 + 900),
      });
      assert.deepEqual(await find(next.id), next);
    });

    test("D-4: a next key that does not sign yet can be replaced, and the current key signs until then", async () => {
      const first = signingKeyOf();
      await store.addFirstSigningKey(first);
      const hasty = signingKeyOf({ created_at: later(day), activates_at: later(day + 3600) });
      await store.addNextSigningKey(hasty, 900);
      const next = signingKeyOf({ created_at: later(day + 1800), activates_at: later(day + 5400) });
      await store.addNextSigningKey(next, 900);
      assert.equal(await find(hasty.id), undefined);
      const present = await find(first.id);
      // The current key retires exactly when the new one takes over.
      assert.deepEqual(present?.retires_at, next.activates_at);
      assert.deepEqual(present?.expires_at, later(day + 5400 + 900));
    });

    test("D-4: a retired key is not activated again by later rotations", async () => {
      const keys = [0, day, 2 * day].map((seconds) =>
        signingKeyOf({ created_at: later(seconds), activates_at: later(seconds) }),
      );
      const [first, second, third] = keys;
      assert.ok(first && second && third);
      await store.addFirstSigningKey(first);
      await store.addNextSigningKey(second, 900);
      await store.addNextSigningKey(third, 900);
      assert.deepEqual((await find(first.id))?.retires_at, second.activates_at);
      assert.deepEqual((await find(second.id))?.retires_at, third.activates_at);
      assert.equal((await find(third.id))?.retires_at, null);
    });

    test("D-4: a key is deleted after its expiry and not before, and one without expiry is kept", async () => {
      const expiring = signingKeyOf({ retires_at: later(10), expires_at: later(100) });
      await store.insert("signing_keys", expiring);
      await store.insert("signing_keys", signingKeyOf());
      assert.equal(await store.removeExpiredSigningKeys(later(99)), 0);
      assert.equal(await store.removeExpiredSigningKeys(later(100)), 1);
      assert.equal(await find(expiring.id), undefined);
      assert.equal(await store.removeExpiredSigningKeys(later(1e9)), 0);
      assert.equal((await store.listSigningKeys()).length, 1);
    });

    test("processes that cache signing keys are notified of changes", async () => {
      let reported = 0;
      store.onChange(() => {
        reported++;
      });
      await store.addFirstSigningKey(signingKeyOf({ created_at: start }));
      assert.ok(reported > 0);
    });
  });
