import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  accessOnly,
  aSession,
  aToken,
  later,
  randomSignature,
  signingKeyOf,
  start,
} from "../support/builders.ts";
import { databases, removeEverything } from "../support/databases.ts";
import { anAuthorization, descendant, firstToken, redeem, rotate } from "./authorization.ts";

const week = 604_800;
/** Codes and access tokens made at the start have expired; refresh tokens have not. */
const afternoon = later(4 * 3600);
const nothing = { oauth_tokens: 0, oauth_auth_codes: 0, sessions: 0, ephemera: 0, signing_keys: 0 };

for (const database of databases)
  describe(`the sweep on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(() => removeEverything(store));

    test("H-11: what has not expired stays", async () => {
      const of = await anAuthorization(store);
      await firstToken(store, of);
      await aToken(store, { user_id: null, ...accessOnly });
      await aToken(store, { user_id: null, ...accessOnly, revoked: true, revoked_at: start });
      await store.countUp("throttle", randomSignature(), later(60), start);
      await store.insert("signing_keys", signingKeyOf());
      await store.insert("signing_keys", signingKeyOf({ expires_at: later(60) }));
      assert.deepEqual(await store.sweep(later(59)), nothing);
    });

    test("H-11: what has expired goes, and nothing else does", async () => {
      const code = await aCode(store);
      const machine = await aToken(store, { user_id: null, ...accessOnly });
      const addition = await aToken(store, accessOnly);
      const whole = await aToken(store);
      const session = await aSession(store);
      await store.countUp("throttle", randomSignature(), later(60), start);
      await store.insert("signing_keys", signingKeyOf());
      await store.insert("signing_keys", signingKeyOf({ expires_at: later(60) }));

      assert.deepEqual(await store.sweep(afternoon), {
        oauth_tokens: 2,
        oauth_auth_codes: 1,
        sessions: 0,
        ephemera: 1,
        signing_keys: 1,
      });
      for (const { id } of [machine, addition])
        assert.equal(await store.find("oauth_tokens", { id }), undefined);
      assert.equal(await store.find("oauth_auth_codes", { id: code.id }), undefined);
      assert.deepEqual(await store.find("oauth_tokens", { id: whole.id }), whole);
      assert.deepEqual(await store.sweep(later(week)), { ...nothing, oauth_tokens: 1, sessions: 1 });
      assert.equal(await store.find("sessions", { id: session.id }), undefined);
    });

    test("R-4: a spent code and rotated tokens stay for as long as their family has a live row", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      assert.equal(await redeem(store, of, later(10), first), "spent");
      const second = descendant(of, later(20));
      await store.rotateRefreshToken({ id: first.id, replacement: second, now: later(20) });
      assert.equal(await rotate(store, of, second.id, later(30)), "spent");

      assert.deepEqual(await store.sweep(later(29 + week)), { ...nothing, sessions: 1 });
      // A replay of any generation is still seen.
      assert.equal(await redeem(store, of, afternoon), "already_used");
      assert.equal(await rotate(store, of, first.id, afternoon), "already_used");
      assert.deepEqual(await store.sweep(later(30 + week)), {
        ...nothing,
        oauth_tokens: 3,
        oauth_auth_codes: 1,
      });
    });

    test("R-4: a family that was revoked leaves once its access tokens have expired", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      await redeem(store, of, later(10), first);
      await rotate(store, of, first.id, later(20));
      await store.revokeFamily(of.code.id, "replay", later(30));
      assert.deepEqual(await store.sweep(later(61)), { ...nothing, oauth_auth_codes: 1 });
      assert.deepEqual(await store.sweep(later(20 + 900)), { ...nothing, oauth_tokens: 2 });
    });

    test("R-4: a live access token keeps its family although no refresh token lives", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      await redeem(store, of, later(10), first);
      await aToken(store, { ...descendant(of, afternoon), ...accessOnly });
      await store.update(
        "oauth_tokens",
        { id: first.id },
        { refresh_expires_at: later(20), rotated_at: later(15) },
      );
      assert.deepEqual(await store.sweep(afternoon), nothing);
      assert.deepEqual(await store.sweep(later(900, afternoon)), {
        ...nothing,
        oauth_tokens: 2,
        oauth_auth_codes: 1,
      });
    });

    test("H-11: a walk in small steps comes around to everything that has expired, and hurries where much has", async () => {
      const madeAt = (created_at: Date) => ({ id: store.newId(created_at), created_at });
      const machine = { user_id: null, ...accessOnly };
      for (let row = 0; row < 12; row++) await aToken(store, { ...machine, ...madeAt(later(row)) });
      const living = await aToken(store, madeAt(later(20)));
      const steps: number[] = [];
      for (let step = 0; step < 4; step++) {
        steps.push(await store.sweepSome(afternoon, { batch: 2, batches: 3 }));
      }
      assert.deepEqual(steps, [6, 6, 0, 0]);
      assert.ok(await store.find("oauth_tokens", { id: living.id }));
      const late = await aToken(store, { ...machine, ...madeAt(start) });
      for (let step = 0; step < 3; step++) await store.sweepSome(afternoon, { batch: 2, batches: 3 });
      assert.equal(await store.find("oauth_tokens", { id: late.id }), undefined);
    });

    test("a dry run counts what a sweep would remove and removes nothing", async () => {
      const of = await anAuthorization(store);
      await redeem(store, of);
      await aCode(store);
      for (let count = 0; count < 3; count++) await aToken(store, { user_id: null, ...accessOnly });
      await store.countUp("throttle", randomSignature(), later(60), start);
      await store.insert("signing_keys", signingKeyOf({ expires_at: later(60) }));
      const foreseen = await store.sweep(afternoon, { dry_run: true });
      assert.deepEqual(foreseen, {
        oauth_tokens: 3,
        oauth_auth_codes: 1,
        sessions: 0,
        ephemera: 1,
        signing_keys: 1,
      });
      assert.deepEqual(await store.sweep(afternoon, { dry_run: true, batch: 1 }), foreseen);
      assert.equal(await store.count("oauth_tokens"), 4);
      assert.deepEqual(await store.sweep(afternoon), foreseen);
      assert.deepEqual(await store.sweep(afternoon), nothing);
    });

    for (const batch of [1, 2, 5])
      test(`batches of ${batch} reach every row of a table that is larger`, async () => {
        const { app_id } = await aToken(store, { user_id: null, ...accessOnly });
        for (let index = 0; index < 10; index++) {
          const lifetime = index % 2 === 0 ? 900 : 2 * week;
          await aToken(store, { app_id, user_id: null, ...accessOnly, access_expires_at: later(lifetime) });
        }
        assert.deepEqual(await store.sweep(afternoon, { batch }), { ...nothing, oauth_tokens: 6 });
        assert.equal(await store.count("oauth_tokens"), 5);
      });
  });
