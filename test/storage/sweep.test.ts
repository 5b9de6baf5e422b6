import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import {
  aCode,
  accessOnly,
  anEvent,
  aRefusal,
  aSession,
  aToken,
  insertMany,
  later,
  randomSignature,
  signingKeyOf,
  start,
  tokenOf,
} from "../support/builders.ts";
import { everyDatabaseInForm, removeEverything, serializable } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { anAuthorization, descendant, firstToken, redeem, rotate } from "./authorization.ts";

const week = 604_800;
/** Codes and access tokens created at the start have expired by then; refresh tokens have not. */
const afternoon = later(4 * 3600);
const nothing = {
  oauth_auth_codes: 0,
  oauth_tokens: 0,
  sessions: 0,
  ephemera: 0,
  audit_events: 0,
  refusals: 0,
  statistics: 0,
  invitations: 0,
  devices: 0,
  recoveries: 0,
  deliveries: 0,
  events: 0,
  open_clients: 0,
  signing_keys: 0,
};

for (const database of everyDatabaseInForm)
  describe(`the deletion of expired rows on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });
    beforeEach(async () => {
      await store.flushCounts();
      await removeEverything(store);
    });

    test("H-11: unexpired rows are kept", async () => {
      const of = await anAuthorization(store);
      await firstToken(store, of);
      await aToken(store, { user_id: null, ...accessOnly });
      await aToken(store, { user_id: null, ...accessOnly, revoked: true, revoked_at: start });
      await store.countUp("throttle", randomSignature(), later(60), start);
      await store.insert("signing_keys", signingKeyOf());
      await store.insert("signing_keys", signingKeyOf({ expires_at: later(60) }));
      assert.deepEqual(await store.sweep(later(59)), nothing);
    });

    test("H-11: expired rows are deleted, and no others", async () => {
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
        audit_events: 0,
        refusals: 0,
        statistics: 0,
        invitations: 0,
        devices: 0,
        recoveries: 0,
        deliveries: 0,
        events: 0,
        open_clients: 0,
        signing_keys: 1,
      });
      for (const { id } of [machine, addition])
        assert.equal(await store.find("oauth_tokens", { id }), undefined);
      assert.equal(await store.find("oauth_auth_codes", { id: code.id }), undefined);
      assert.deepEqual(await store.find("oauth_tokens", { id: whole.id }), whole);
      assert.deepEqual(await store.sweep(later(week)), { ...nothing, oauth_tokens: 1, sessions: 1 });
      assert.equal(await store.find("sessions", { id: session.id }), undefined);
    });

    test("R-4: a used code and used refresh tokens are kept while their token family is active", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      assert.equal(await redeem(store, of, later(10), first), "spent");
      const second = descendant(of, later(20));
      await store.rotateRefreshToken({ id: first.id, replacement: second, now: later(20) });
      assert.equal(await rotate(store, of, second.id, later(30)), "spent");

      assert.deepEqual(await store.sweep(later(29 + week)), { ...nothing, sessions: 1 });
      // A replay of any generation is still detected.
      assert.equal(await redeem(store, of, afternoon), "already_used");
      assert.equal(await rotate(store, of, first.id, afternoon), "already_used");
      assert.deepEqual(await store.sweep(later(30 + week)), {
        ...nothing,
        oauth_tokens: 3,
        oauth_auth_codes: 1,
      });
    });

    test("R-4: a revoked token family is deleted once its access tokens have expired", async () => {
      const of = await anAuthorization(store);
      const first = descendant(of);
      await redeem(store, of, later(10), first);
      await rotate(store, of, first.id, later(20));
      await store.revokeFamily(of.code.id, "replay", later(30));
      assert.deepEqual(await store.sweep(later(61)), { ...nothing, oauth_auth_codes: 1 });
      assert.deepEqual(await store.sweep(later(20 + 900)), { ...nothing, oauth_tokens: 2 });
    });

    test("R-4: an active access token keeps its token family even without an active refresh token", async () => {
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

    test("H-11: all expired rows are deleted in small batches, faster if there are many", async () => {
      const madeAt = (created_at: Date) => ({ id: store.newId(created_at), created_at });
      const machine = { user_id: null, ...accessOnly };
      for (let row = 0; row < 12; row++) await aToken(store, { ...machine, ...madeAt(later(row)) });
      const living = await aToken(store, madeAt(later(20)));
      // The step first finds just-ended rows, then continues the full pass: three batches of two each.
      const steps: number[] = [];
      for (let step = 0; step < 3; step++) {
        steps.push(await store.sweepSome(afternoon, { batch: 2, batches: 3 }));
      }
      assert.deepEqual(steps, [12, 0, 0]);
      assert.ok(await store.find("oauth_tokens", { id: living.id }));
      const late = await aToken(store, { ...machine, ...madeAt(start) });
      for (let step = 0; step < 3; step++) await store.sweepSome(afternoon, { batch: 2, batches: 3 });
      assert.equal(await store.find("oauth_tokens", { id: late.id }), undefined);
    });

    describe("F-23: expired rows among long-lived ones are deleted one call later (reliability finding 10)", () => {
      const many = [160, 20_000];
      const few = database === serializable ? [20, 1000] : [40, 4000];
      const [perSecond = 0, living = 0] = inForm(few, many);
      const lifetime = 10;
      const seconds = 30;

      async function fill(rows: number, row: (index: number) => Parameters<typeof aToken>[1]): Promise<void> {
        const { app_id } = await aToken(store, { user_id: null, ...accessOnly, access_expires_at: start });
        const token = (index: number) => tokenOf({ app_id, user_id: null, ...accessOnly, ...row(index) });
        await insertMany(store, "oauth_tokens", rows, token);
      }

      test(`F-23: ${perSecond} tokens a second among ${living} that live an hour keep few expired rows, below 1.2 times rate by lifetime`, async () => {
        await fill(living, () => ({ access_expires_at: later(3600) }));
        await fill(perSecond * seconds, (index) => {
          const created_at = later(index / perSecond);
          return { id: store.newId(created_at), created_at, access_expires_at: later(lifetime, created_at) };
        });
        // All rows are stored at the start; those issued later than the current second are not counted.
        const unissued = (second: number) => perSecond * (seconds - second);
        let peak = 0;
        for (let second = 0; second <= seconds + lifetime; second++) {
          const stored = (await store.count("oauth_tokens")) - living - Math.max(0, unissued(second));
          peak = Math.max(peak, stored);
          await store.sweepSome(later(second));
        }
        assert.ok(peak <= 1.2 * perSecond * lifetime, `${peak} rows at the peak`);
        assert.equal(await store.count("oauth_tokens"), living);
      });

      test("F-23: a used code and used refresh tokens are deleted with the last token of their family", async () => {
        const of = await anAuthorization(store);
        const first = descendant(of);
        await redeem(store, of, later(10), first);
        const last = await aToken(store, { ...descendant(of, later(20)), ...accessOnly });
        await store.update(
          "oauth_tokens",
          { id: first.id },
          { revoked: true, revoked_at: later(30), rotated_at: later(30) },
        );
        await store.sweepSome(later(900));
        assert.ok(await store.find("oauth_auth_codes", { id: of.code.id }));
        assert.ok(await store.find("oauth_tokens", { id: first.id }));
        await store.sweepSome(last.access_expires_at);
        assert.deepEqual([await store.count("oauth_tokens"), await store.count("oauth_auth_codes")], [0, 0]);
      });

      test("F-23: expired sessions, throttle counters and events are deleted among older rows that are kept", async () => {
        const created_at = later(-week);
        const kept = await aSession(store, { created_at, expires_at: later(week) });
        await aSession(store, { created_at, user_id: kept.user_id, expires_at: later(10) });
        await store.countUp("throttle", randomSignature(), later(week), start);
        await store.countUp("throttle", randomSignature(), later(10), start);
        await anEvent(store);
        await anEvent(store, { created_at: later(86_400) });
        await store.sweepSome(later(86_400), { retention: { audit_events: 1 } });
        assert.deepEqual(
          [await store.count("sessions"), await store.count("ephemera"), await store.count("audit_events")],
          [1, 1, 1],
        );
      });
    });

    describe("with a retention period", () => {
      const day = 86_400;
      const from = { client_ip: "192.0.2.7", user_agent: "Browser/1" };
      const retention = { audit_events: 365, addresses: 90 };
      const whence = async (
        table: "oauth_tokens" | "oauth_auth_codes" | "sessions" | "audit_events" | "refusals",
        id: string,
      ) => {
        const row = await store.find(table, { id });
        return row && [row.client_ip, row.user_agent];
      };

      test("H-11: audit events are deleted at that age, and kept forever without one", async () => {
        const old = await anEvent(store);
        const young = await anEvent(store, { created_at: later(1) });
        const at = later(365 * day);
        assert.deepEqual(await store.sweep(at), nothing);
        assert.deepEqual(await store.sweep(at, { retention: { audit_events: 0, addresses: 1 } }), nothing);
        assert.deepEqual(await store.sweep(at, { retention, dry_run: true }), {
          ...nothing,
          audit_events: 1,
        });
        assert.deepEqual(await store.sweep(at, { retention }), { ...nothing, audit_events: 1 });
        assert.equal(await store.find("audit_events", { id: old.id }), undefined);
        assert.ok(await store.find("audit_events", { id: young.id }));
      });

      test("H-11: a refusal is deleted when it expires, and its IP address earlier if so configured", async () => {
        const long = { expires_at: later(90 * day) };
        const refusal = await aRefusal(store, { ...from, ...long });
        const laterRefusal = await aRefusal(store, { ...from, ...long, created_at: later(1) });
        await store.sweep(later(60 * day), { retention: { addresses: 60 } });
        assert.deepEqual(await whence("refusals", refusal.id), [null, null]);
        assert.deepEqual(await whence("refusals", laterRefusal.id), Object.values(from));
        await aRefusal(store, { expires_at: later(90 * day + 1) });
        assert.deepEqual(await store.sweep(later(90 * day - 1)), nothing);
        assert.deepEqual(await store.sweep(later(90 * day)), { ...nothing, refusals: 2 });
        assert.equal(await store.count("refusals"), 1);
      });

      test("H-11: hourly counts are deleted after 400 days", async () => {
        store.increment("sign_ins", [null], later(100));
        store.increment("sign_ins", [null], later(3600));
        await store.flushCounts();
        assert.deepEqual(await store.sweep(later(400 * day - 1)), nothing);
        assert.deepEqual(await store.sweep(later(400 * day)), { ...nothing, statistics: 1 });
        assert.deepEqual(await store.sweep(later(400 * day + 3600)), { ...nothing, statistics: 1 });
      });

      test("H-11: IP addresses of rows that ended that long ago are deleted, and those of active rows are kept", async () => {
        const long = { access_expires_at: later(400 * day), refresh_expires_at: later(400 * day) };
        const living = await aToken(store, { ...from, ...long });
        const revoked = await aToken(store, { ...from, ...long, revoked: true, revoked_at: start });
        const revokedLater = await aToken(store, { ...from, ...long, revoked: true, revoked_at: later(1) });
        const session = await aSession(store, { ...from, expires_at: later(400 * day) });
        const ended = await aSession(store, { ...from, expires_at: later(400 * day), ended_at: start });
        const event = await anEvent(store, from);
        const laterEvent = await anEvent(store, { ...from, created_at: later(1) });
        const at = later(90 * day);
        await store.sweep(at, { retention: { addresses: 0 } });
        assert.deepEqual(await whence("audit_events", event.id), Object.values(from));
        await store.sweep(at, { retention, dry_run: true });
        assert.deepEqual(await whence("audit_events", event.id), Object.values(from));

        await store.sweep(at, { retention });
        assert.deepEqual(await whence("oauth_tokens", revoked.id), [null, null]);
        assert.deepEqual(await whence("sessions", ended.id), [null, null]);
        assert.deepEqual(await whence("audit_events", event.id), [null, null]);
        assert.deepEqual(await store.find("oauth_tokens", { id: revoked.id }), {
          ...revoked,
          client_ip: null,
          user_agent: null,
        });
        for (const [table, { id }] of [
          ["oauth_tokens", living],
          ["oauth_tokens", revokedLater],
          ["sessions", session],
          ["audit_events", laterEvent],
        ] as const)
          assert.deepEqual(await whence(table, id), Object.values(from), table);
      });

      test("H-11: used codes and expired tokens that their active family keeps lose their IP address too", async () => {
        const of = await anAuthorization(store);
        const first = { ...descendant(of), ...from };
        assert.equal(await redeem(store, of, later(10), first), "spent");
        await store.update("oauth_auth_codes", { id: of.code.id }, from);
        const second = descendant(of, later(20));
        assert.equal(
          await store.rotateRefreshToken({ id: first.id, replacement: second, now: later(20) }),
          "spent",
        );
        await store.update("oauth_tokens", { id: second.id }, { refresh_expires_at: later(400 * day) });
        await store.sweep(later(91 * day), { retention });
        assert.deepEqual(await whence("oauth_tokens", first.id), [null, null]);
        assert.deepEqual(await whence("oauth_auth_codes", of.code.id), [null, null]);
      });

      test("H-11: deletion in small batches applies it in the same way", async () => {
        for (let index = 0; index < 7; index++) await anEvent(store, { ...from, created_at: later(index) });
        const young = await anEvent(store, { ...from, created_at: later(300 * day) });
        const step = () => store.sweepSome(later(366 * day), { batch: 3, batches: 1, retention });
        const gone = [await step(), await step(), await step(), await step()];
        assert.equal(
          gone.reduce((sum, count) => sum + count),
          7,
        );
        const again = { batch: 3, batches: 1, retention: { addresses: 60 } };
        for (let turn = 0; turn < 3; turn++) await store.sweepSome(later(366 * day), again);
        assert.deepEqual(await whence("audit_events", young.id), [null, null]);
      });
    });

    test("deleted rows are counted, except in a dry run", async () => {
      await store.flushCounts();
      const counted = async () => {
        await store.flushCounts();
        const hours = await store.countsByHour(null, ["swept"], start, later(86_400));
        return hours.map(({ hour, count }) => [hour, count]);
      };
      await removeEverything(store);
      await aCode(store);
      await aToken(store, { user_id: null, ...accessOnly });
      await store.sweep(afternoon, { dry_run: true });
      assert.deepEqual(await counted(), []);
      await store.sweep(afternoon);
      assert.deepEqual(await counted(), [[afternoon, 2]]);
      await aCode(store);
      await store.sweepSome(afternoon);
      await store.sweepSome(afternoon);
      assert.deepEqual(await counted(), [[afternoon, 3]]);
    });

    test("H-1: while all expired rows are counted, other requests are served between two batches", async () => {
      for (let index = 0; index < 10; index++) await aToken(store, accessOnly);
      let served = 0;
      let counting = true;
      const serve = () => {
        if (!counting) return;
        served += 1;
        setImmediate(serve);
      };
      setImmediate(serve);
      await store.sweep(later(week), { dry_run: true, batch: 1 });
      counting = false;
      assert.ok(served >= 10, `served ${served} times`);
    });

    test("a dry run counts the rows that would be deleted, and deletes none", async () => {
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
        audit_events: 0,
        refusals: 0,
        statistics: 0,
        invitations: 0,
        devices: 0,
        recoveries: 0,
        deliveries: 0,
        events: 0,
        open_clients: 0,
        signing_keys: 1,
      });
      assert.deepEqual(await store.sweep(afternoon, { dry_run: true, batch: 1 }), foreseen);
      assert.equal(await store.count("oauth_tokens"), 4);
      assert.deepEqual(await store.sweep(afternoon), foreseen);
      assert.deepEqual(await store.sweep(afternoon), nothing);
    });

    for (const batch of [1, 2, 5])
      test(`deletion in batches of ${batch} reaches every row of a larger table`, async () => {
        const { app_id } = await aToken(store, { user_id: null, ...accessOnly });
        for (let index = 0; index < 10; index++) {
          const lifetime = index % 2 === 0 ? 900 : 2 * week;
          await aToken(store, { app_id, user_id: null, ...accessOnly, access_expires_at: later(lifetime) });
        }
        assert.deepEqual(await store.sweep(afternoon, { batch }), { ...nothing, oauth_tokens: 6 });
        assert.equal(await store.count("oauth_tokens"), 5);
      });
  });
