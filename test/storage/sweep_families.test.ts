/** The sweep of rows with a refresh token, which are kept as long as their family is active. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { accessOnly, aToken, insertMany, later, tokenOf } from "../support/builders.ts";
import { everyDatabaseInForm, removeEverything } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { type Authorization, anAuthorization, descendant, redeem } from "./authorization.ts";

/** Returns a row of the family, created at `made`, without storing it. */
const rotatedToken = (store: Store, of: Authorization, made: Date, lifetime: number, spent: boolean) =>
  tokenOf({
    ...descendant(of, made),
    id: store.newId(made),
    access_expires_at: later(lifetime, made),
    refresh_expires_at: later(lifetime, made),
    ...(spent && { revoked: true, revoked_at: made, rotated_at: made }),
  });

for (const database of everyDatabaseInForm)
  describe(`the deletion of expired token families on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(async () => {
      await store.flushCounts();
      await removeEverything(store);
    });

    /** Stores a family whose tokens were rotated every tenth of a second, except the last one. */
    async function rotations(of: Authorization, count: number, lifetime: number): Promise<void> {
      const row = (index: number) => rotatedToken(store, of, later(index / 10), lifetime, index < count - 1);
      await insertMany(store, "oauth_tokens", count, row);
    }

    test("F-23: short-lived families among long-lived ones keep few expired rows, below 1.2 times rate by lifetime", async () => {
      const [perSecond, seconds, lifetime] = inForm([5, 15, 10], [40, 30, 10]);
      const of = await anAuthorization(store);
      const days = 20 * perSecond;
      const ofDays = () => tokenOf({ ...descendant(of), family_id: crypto.randomUUID() });
      await insertMany(store, "oauth_tokens", days, ofDays);
      const families = Array.from({ length: perSecond * seconds }, () => crypto.randomUUID());
      for (const was_rotated of [true, false])
        await insertMany(store, "oauth_tokens", families.length, (index) => {
          const made = later(index / perSecond + (was_rotated ? 0 : 1));
          const family_id = families[index] ?? "";
          return { ...rotatedToken(store, of, made, lifetime - 1, was_rotated), family_id };
        });
      // All rows are stored at the start; families that begin later than the current second are not counted.
      let peak = 0;
      for (let second = 0; second <= seconds + lifetime; second++) {
        const unissued = 2 * Math.max(0, perSecond * (seconds - second));
        peak = Math.max(peak, (await store.count("oauth_tokens")) - days - unissued);
        await store.sweepSome(later(second));
      }
      assert.ok(peak <= 1.2 * 2 * perSecond * lifetime, `${peak} rows at the peak`);
      assert.equal(await store.count("oauth_tokens"), days);
    });

    test("F-23: a row is kept until a second after both its access and refresh token have expired", async () => {
      const token = await aToken(store, {
        access_expires_at: later(900),
        refresh_expires_at: later(60),
      });
      for (const second of [60, 61, 899]) await store.sweepSome(later(second));
      assert.ok(await store.find("oauth_tokens", { id: token.id }));
      await store.sweepSome(later(900));
      assert.equal(await store.count("oauth_tokens"), 0);
    });

    test("F-23: an expired token without a refresh token is deleted although its family is active", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      assert.equal(await redeem(store, of, later(10), first), "spent");
      const addition = await aToken(store, { ...descendant(of, later(20)), ...accessOnly });
      await store.sweepSome(addition.access_expires_at);
      assert.equal(await store.find("oauth_tokens", { id: addition.id }), undefined);
      assert.ok(await store.find("oauth_tokens", { id: first.id }));
      assert.ok(await store.find("oauth_auth_codes", { id: of.code.id }));
    });

    test("F-23: a family larger than one batch is deleted completely", async () => {
      const of = await anAuthorization(store);
      await rotations(of, 30, 10);
      const gone: number[] = [];
      for (let second = 0; second <= 13; second++)
        gone.push(await store.sweepSome(later(second), { batch: 2, batches: 3 }));
      assert.deepEqual(gone, [...Array(13).fill(0), 30]);
    });
  });
