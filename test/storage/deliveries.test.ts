/** The outbox: the rows for the end of a session, and the claiming of attempts, on both databases. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { OAuthApp, Session, User } from "../../src/records/definition/definition.ts";
import { lastMoment } from "../../src/records/names/liveness.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Connection } from "../../src/storage/database/driver.ts";
import type { Store } from "../../src/storage/store.ts";
import { aDelivery, anApp, aSession, aUser, insertMany, later, start, tokenOf } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

const hour = 3600;
const week = 7 * 24 * hour;
const process_id = "01900000-0000-7000-8000-000000000001";
const answered = { last_status: 503, last_fault: null };

for (const database of databases)
  describe(`deliveries of logout tokens and webhooks, on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const anAppWithNotices = (given: Partial<OAuthApp> = {}) =>
      anApp(store, { backchannel_logout_uri: "https://app.example.com/logout", ...given });

    async function meet(user: User, apps: readonly OAuthApp[], sessions: number) {
      const met: string[] = [];
      for (let index = 0; index < sessions; index++) {
        const { id } = await aSession(store, { user_id: user.id });
        await store.transaction(async (tx) => {
          for (const app of apps) await store.noteSessionApp(tx, id, app.id, start);
        });
        met.push(id);
      }
      return met;
    }

    const noticesOf = async (user: User) =>
      (await store.list("deliveries", { subject_key: user.id })).map(({ target_id, event_id }) => ({
        target_id,
        event_id,
      }));

    const endAll = (user: User, up_to = later(1)) =>
      store.transaction(async (tx) => {
        await tx.lock(userLock(user.id));
        await tx.update("users", { id: user.id }, { tokens_not_before: up_to, updated_at: later(1) });
      });

    test("BL-3: many sessions that end together share one logout token, unless the app needs one for each session", async () => {
      const apps = [await anAppWithNotices(), await anAppWithNotices()];
      const few = await aUser(store);
      const sessions = await meet(few, apps, 4);
      await endAll(few);
      const notices = await noticesOf(few);
      assert.equal(notices.length, 8);
      for (const app of apps) {
        const told = notices.filter(({ target_id }) => target_id === app.id).map(({ event_id }) => event_id);
        assert.deepEqual(told.toSorted(), sessions.toSorted());
      }

      const many = await aUser(store);
      await meet(many, apps, 200);
      await endAll(many);
      assert.deepEqual(
        (await noticesOf(many)).map(({ event_id }) => event_id),
        [null, null],
      );

      const named = await aUser(store);
      const needs = await anAppWithNotices({ backchannel_logout_session_required: true });
      const each = await meet(named, [needs], 7);
      await endAll(named);
      assert.deepEqual((await noticesOf(named)).map(({ event_id }) => event_id).toSorted(), each.toSorted());
    });

    test("FO-1: logout tokens are stored once, in the transaction that ends the session, for apps that used it", async () => {
      const [app, other, silent] = [
        await anAppWithNotices(),
        await anAppWithNotices(),
        await anApp(store, { backchannel_logout_uri: null }),
      ];
      const user = await aUser(store);
      const [ended = "", lives = ""] = await meet(user, [app, silent], 2);
      await assert.rejects(
        store.transaction(async (tx) => {
          await tx.update("sessions", { id: ended }, { ended_at: later(1) });
          throw new Error("taken back");
        }),
        /taken back/,
      );
      assert.deepEqual(await noticesOf(user), []);
      await store.endSession(ended, later(1));
      await store.endSession(ended, later(2));
      assert.deepEqual(await noticesOf(user), [{ target_id: app.id, event_id: ended }]);
      assert.equal(await store.count("session_apps", { session_id: lives }), 2);
      // Even without a transaction, the end of the session and the notices are one commit.
      await store.update("sessions", { id: lives }, { ended_at: later(3) });
      assert.equal((await noticesOf(user)).length, 2);
      assert.ok(!(await noticesOf(user)).some(({ target_id }) => target_id === other.id));
      const [row] = await store.list("deliveries", { subject_key: user.id });
      assert.match(row?.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    });

    test("BL-2: an expired session is reported once to its apps, and an active or recently used one is not", async () => {
      const app = await anAppWithNotices();
      const user = await aUser(store);
      const expiries: Readonly<Record<string, Partial<Session>>> = {
        lives: { last_seen_at: later(12 * hour) },
        "just expired": { expires_at: later(24 * hour - 30), last_seen_at: later(24 * hour - 40) },
        "past its end": { expires_at: later(20 * hour), last_seen_at: later(19 * hour) },
        unused: { last_seen_at: later(12 * hour - 60) },
        "past its own idle end": { idle_ends_at: later(23 * hour), last_seen_at: later(22 * hour) },
        "within its own idle time": { idle_ends_at: later(25 * hour) },
        ended: { ended_at: later(hour) },
      };
      const names = new Map<string, string>();
      for (let round = 0; round < 3; round++)
        for (const [name, times] of Object.entries(expiries)) {
          const { id } = await aSession(store, { user_id: user.id, expires_at: later(week), ...times });
          await store.transaction((tx) => store.noteSessionApp(tx, id, app.id, start));
          names.set(id, name);
        }
      const now = later(24 * hour);
      // A second pass over the sessions reports none of them twice.
      for (let turn = 0; turn < 8; turn++) await store.notifyOfExpired(now, { batch: 5, batches: 3 });
      const told = (await noticesOf(user)).map(({ event_id }) => names.get(event_id ?? "") ?? "all");
      const expected = ["past its end", "past its own idle end", "unused"].flatMap((name) => [
        ...[name, name, name],
      ]);
      assert.deepEqual(told.toSorted(), expected);
      const [row] = await store.list("deliveries", { subject_key: user.id });
      assert.deepEqual(row?.due_at, now);
    });

    test("BL-2: an expired session is kept until its logout tokens are created, for at most a day", async () => {
      const app = await anAppWithNotices();
      const expired = await aSession(store, { expires_at: later(week) });
      await store.transaction((tx) => store.noteSessionApp(tx, expired.id, app.id, start));
      const stays = async (now: Date, notify_on_expiry: boolean) => {
        await store.sweep(now, { retention: { notify_on_expiry } });
        return (await store.find("sessions", { id: expired.id })) !== undefined;
      };
      assert.equal(await stays(later(week + 3600), true), true);
      await store.notifyOfExpired(later(week + 3600));
      assert.equal(await store.count("deliveries", { event_id: expired.id }), 1);
      assert.equal(await stays(later(week + 3600), true), false);
      for (const [retention, since] of [
        [true, 25 * hour],
        [false, 1],
      ] as const) {
        const other = await aSession(store, { expires_at: later(week) });
        await store.transaction((tx) => store.noteSessionApp(tx, other.id, app.id, start));
        await store.sweep(later(week + since), { retention: { notify_on_expiry: retention } });
        assert.equal(await store.find("sessions", { id: other.id }), undefined);
      }
    });

    test("FO-1: ending a session again creates no logout token", async () => {
      const app = await anAppWithNotices();
      const user = await aUser(store, { active: false });
      const [session = ""] = await meet(user, [app], 1);
      const changes = { tokens_not_before: later(1), updated_at: later(1) };
      await store.update("users", { id: user.id, active: true }, changes);
      await store.update("sessions", { id: session, user_id: app.id }, { ended_at: later(1) });
      assert.deepEqual(await noticesOf(user), []);
      assert.equal(await store.count("session_apps", { session_id: session }), 1);
    });

    test("FO-6: ending many sessions at a time creates logout tokens only for sessions that it ends", async () => {
      const app = await anAppWithNotices();
      const user = await aUser(store);
      const [old = ""] = await meet(user, [app], 1);
      const { id: kept } = await aSession(store, { user_id: user.id, authenticated_at: later(2) });
      await store.transaction((tx) => store.noteSessionApp(tx, kept, app.id, start));
      await endAll(user, later(1));
      assert.deepEqual(await noticesOf(user), [{ target_id: app.id, event_id: old }]);
      await store.transaction((tx) => store.notifyOfEnds(tx, user.id, later(3)));
      assert.equal((await noticesOf(user)).length, 2);
    });

    test("FO-6: ending a user's sessions takes as many statements with 5,000 tokens as with a few", async () => {
      let statements = 0;
      const counted = <C extends Connection>(connection: C): C => {
        const noted =
          <R>(run: (sql: string, parameters: readonly unknown[]) => R) =>
          (sql: string, parameters: readonly unknown[]) => {
            statements += 1;
            return run(sql, parameters);
          };
        const { all, first, run } = connection;
        return { ...connection, all: noted(all), first: noted(first), run: noted(run) };
      };
      const counting = await openStoreAt(await database.address(), {
        events: true,
        around: (driver) => ({
          ...counted(driver),
          transaction: (work, options) =>
            driver.transaction((connection) => work(counted(connection)), options),
        }),
      });
      await counting.migrate(start);
      const app = await anApp(counting, { backchannel_logout_uri: "https://app.example.com/logout" });
      const statementsFor = async (tokens: number): Promise<Record<string, number>> => {
        const user = await aUser(counting);
        const [one] = [
          await aSession(counting, { user_id: user.id }),
          await aSession(counting, { user_id: user.id }),
        ];
        await counting.transaction((tx) => counting.noteSessionApp(tx, one.id, app.id, start));
        const of = { user_id: user.id, app_id: app.id, session_id: one.id };
        await insertMany(counting, "oauth_tokens", tokens, () => tokenOf(of));
        statements = 0;
        await counting.endSession(one.id, later(1));
        const session = statements;
        statements = 0;
        await counting.transaction(async (tx) => {
          await tx.lock(userLock(user.id));
          await tx.update("users", { id: user.id }, { tokens_not_before: later(2), updated_at: later(2) });
        });
        return { session, everything: statements };
      };
      assert.deepEqual(await statementsFor(5000), await statementsFor(300));
    });

    test("FO-5: if 10,000 deliveries wait for a receiver, further ones are dropped with the reason", async () => {
      const app = await anAppWithNotices();
      await insertMany(store, "deliveries", 10_000, () => ({
        id: store.newId(start),
        kind: "logout_token" as const,
        target_id: app.id,
        subject_key: "someone",
        due_at: later(86_400 * 365),
        expires_at: later(86_400 * 365),
        created_at: start,
      }));
      const user = await aUser(store);
      const [session = ""] = await meet(user, [app], 1);
      await store.endSession(session, later(1));
      const [row] = await store.list("deliveries", { subject_key: user.id });
      assert.equal(row?.state, "given_up");
      assert.equal(row?.last_fault, "too_many_waiting");
      await store.remove("deliveries", { target_id: app.id });
    });

    const dueTo = async (target_id: string, now: Date) =>
      (await store.dueDeliveries(now, 100, [])).filter((each) => each.target_id === target_id);

    test("FO-1: only one of two processes claims a delivery, and after its lease expires another one can", async () => {
      const row = await aDelivery(store);
      const both = await Promise.all([
        store.claimDeliveries([row], process_id, start),
        store.claimDeliveries([row], process_id, start),
      ]);
      const [first] = both.flat();
      assert.ok(first);
      assert.equal(both.flat().length, 1);
      const [again] = await dueTo(row.target_id, later(72));
      assert.ok(again);
      const [second] = await store.claimDeliveries([again], process_id, later(72));
      // An attempt interrupted by a stop does not count.
      assert.equal(second?.attempt, 1);
      // The result of the first attempt comes too late, and changes nothing.
      await store.finishDelivery(first, "done", { last_status: 200, last_fault: null }, later(73));
      assert.equal((await store.find("deliveries", { id: row.id }))?.state, "waiting");
      assert.ok(second);
      await store.finishDelivery(second, "done", { last_status: 200, last_fault: null }, later(73));
      const done = await store.find("deliveries", { id: row.id });
      assert.equal(done?.state, "done");
      assert.deepEqual(done?.expires_at, later(73 + 7 * 86_400));
    });

    test("FO-1: of two processes whose clocks differ by a minute, only one makes the attempt", async () => {
      const address = await database.tables();
      const [one, other] = [await openStoreAt(address), await openStoreAt(address)];
      const row = await aDelivery(one);
      const [claimed] = await one.claimDeliveries([row], process_id, start);
      assert.ok(claimed);
      // The other clock is a minute ahead; the attempt takes ten seconds.
      for (const passed of [0, 10]) {
        const now = later(60 + passed);
        assert.deepEqual(await other.dueDeliveries(now, 10, []), []);
        assert.deepEqual(await other.claimDeliveries([row], crypto.randomUUID(), now), []);
      }
      await one.finishDelivery(claimed, "done", { last_status: 200, last_fault: null }, later(10));
      assert.deepEqual(await other.dueDeliveries(later(200), 10, []), []);
      await Promise.all([one.close(), other.close()]);
    });

    test("FO-1: deliveries about one user keep their order, and a failing one delays only those about its user", async () => {
      const target_id = crypto.randomUUID();
      const first = await aDelivery(store, { target_id, subject_key: "ada" });
      const second = await aDelivery(store, { target_id, subject_key: "ada", created_at: later(1) });
      const other = await aDelivery(store, { target_id, subject_key: "bob", created_at: later(1) });
      const ids = async (now: Date) => (await dueTo(target_id, now)).map(({ id }) => id).toSorted();
      assert.deepEqual(await ids(later(2)), [first.id, other.id].toSorted());
      const [claimed] = await store.claimDeliveries([first], process_id, later(2));
      assert.ok(claimed);
      assert.deepEqual(await ids(later(2)), [other.id]);
      await store.postponeDelivery(claimed, answered, later(60), later(2));
      assert.deepEqual(await ids(later(59)), [other.id]);
      assert.deepEqual(await ids(later(60)), [first.id, other.id].toSorted());
      const due = (await dueTo(target_id, later(60))).filter(({ id }) => id === first.id);
      const [again] = await store.claimDeliveries(due, process_id, later(60));
      assert.ok(again);
      await store.finishDelivery(
        again,
        "failed",
        { last_status: 400, last_fault: "invalid_request" },
        later(61),
      );
      assert.deepEqual(await ids(later(61)), [second.id, other.id].toSorted());
    });

    test("FO-1: a clock that is set back delays no delivery, and shortens no pause", async () => {
      const own = await database.open();
      const postponed = async (at: Date, due_at: Date) => {
        const row = await aDelivery(own, { due_at: at });
        const [claimed] = await own.claimDeliveries([row], process_id, at);
        assert.ok(claimed);
        await own.postponeDelivery(claimed, answered, due_at, at);
        return row;
      };
      const ahead = later(2 * hour);
      const ids = async (now: Date) => (await own.dueDeliveries(now, 100, [])).map(({ id }) => id).toSorted();
      assert.deepEqual(await ids(ahead), []);
      const tried = await postponed(ahead, later(2 * hour + 10));
      const untried = await aDelivery(own, { due_at: ahead });
      const paused = await postponed(start, later(hour));
      await postponed(ahead, lastMoment);
      assert.deepEqual(await ids(ahead), [untried.id, paused.id].toSorted());
      assert.deepEqual(await ids(later(60)), [tried.id, untried.id].toSorted());
    });

    test("FO-1: the result of a delivery is stored whatever characters its error contains", async () => {
      const row = await aDelivery(store);
      const [claimed] = await store.claimDeliveries([row], process_id, start);
      assert.ok(claimed);
      const result = { last_status: 400, last_fault: "a half \ud83d and a null \0" };
      await store.finishDelivery(claimed, "failed", result, later(1));
      assert.match(
        (await store.find("deliveries", { id: row.id }))?.last_fault ?? "",
        /^a half . and a null/,
      );
    });

    test("FO-3: receivers that used up their share are skipped, and others' deliveries are found behind them", async () => {
      const [busy, free] = [crypto.randomUUID(), crypto.randomUUID()];
      for (let index = 0; index < 20; index++) {
        await aDelivery(store, { target_id: busy, due_at: later(-1000) });
      }
      await aDelivery(store, { target_id: free, due_at: later(-10) });
      const found = await store.dueDeliveries(start, 5, [busy]);
      assert.ok(found.every(({ target_id }) => target_id !== busy));
      assert.ok(found.some(({ target_id }) => target_id === free));
      const figures = (await store.countWaiting()).find(({ kind }) => kind === "logout_token");
      assert.ok((figures?.rows ?? 0) >= 21);
      assert.deepEqual(figures?.oldest, start);
    });

    test("FO-5: deliveries are deleted at the end of their retention", async () => {
      const gone = await aDelivery(store, { state: "done", expires_at: later(10) });
      const stays = await aDelivery(store, { state: "failed", expires_at: later(1000) });
      await store.sweepSome(later(11));
      assert.equal(await store.find("deliveries", { id: gone.id }), undefined);
      assert.ok(await store.find("deliveries", { id: stays.id }));
      // Deliveries of a paused target do not expire. This one is deleted because its target does not exist.
      const held = await aDelivery(store, { kind: "webhook", due_at: lastMoment, expires_at: lastMoment });
      await store.sweep(later(11));
      assert.equal(await store.find("deliveries", { id: held.id }), undefined);
    });
  });
