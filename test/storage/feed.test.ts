/**
 * The feed of events: events are written with their causes and numbered after the commit, on both databases.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { AuditEvent, User } from "../../src/records/definition/definition.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import { feedOf } from "../../src/storage/database/feed.ts";
import { arg } from "../../src/storage/database/statement.ts";
import type { Transaction } from "../../src/storage/ports.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aFeedEvent,
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aRole,
  aSession,
  aUser,
  later,
  start,
} from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";

const program = fileURLToPath(new URL("telling_process.ts", import.meta.url));

const userLike = (id: string) => ({
  id,
  name: id,
  email: `${id}@example.com`,
  email_key: `${id}@example.com`,
});

for (const database of databases)
  describe(`the event feed, on ${database.title}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open({ events: true });
    });

    const inTransaction = (tx: Transaction) => ({ ...store, insert: tx.insert });
    const updated = (user: User, given: Partial<AuditEvent> = {}): Partial<AuditEvent> => ({
      type: "user.updated",
      target_table: "users",
      target_id: user.id,
      details: { before: { name: "Ada" }, after: { name: "Grace", email: "grace@example.com" } },
      ...given,
    });
    const toldOf = async ({ id }: { readonly id: string }) => {
      await store.numberEvents();
      const events = await store.list("events", { subject_id: id }, { order_by: "position" });
      return events.map(({ type, data }) => ({ type, data }));
    };

    test("EV-1: an event is written in the transaction of its cause, and contains no more data than necessary", async () => {
      const user = await aUser(store);
      await store.transaction((tx) => anEvent(inTransaction(tx), updated(user)));
      await assert.rejects(
        store.transaction(async (tx) => {
          await anEvent(inTransaction(tx), updated(user));
          throw new Error("undone");
        }),
        /undone/,
      );
      assert.deepEqual(await toldOf(user), [
        { type: "user.updated", data: { changed: ["name", "email"] } },
        { type: "user.email_changed", data: {} },
      ]);
    });

    test("EV-1: a changed or deleted group or role is reported for each member whose tokens it affects", async () => {
      const { id: organization_id } = await anOrganization(store);
      const role = await aRole(store, { organization_id });
      const [direct, grouped, other] = [await aUser(store), await aUser(store), await aUser(store)];
      const of = { organization_id, role: "member" };
      const membership = await aMembership(store, { ...of, user_id: direct.id, role_ids: [role.id] });
      const inGroup = await aMembership(store, { ...of, user_id: grouped.id });
      await aMembership(store, { ...of, user_id: other.id });
      const group = await aGroup(store, { organization_id, role_ids: [role.id] });
      await aGroupMember(store, inGroup, group);
      const cause = (type: string, target_id: string, details: NonNullable<AuditEvent["details"]>) =>
        anEvent(store, { type, target_id, details, organization_id });
      const added = crypto.randomUUID();
      const lists = { before: { role_ids: [role.id] }, after: { role_ids: [role.id, added] } };
      await cause("group.updated", group.id, lists);
      await cause("group.updated", group.id, { before: { external_id: null }, after: { external_id: "x" } });
      await cause("role.updated", role.id, { before: { name: "a" }, after: { name: "b" } });
      await cause("role.updated", role.id, { before: { description: null }, after: { description: "x" } });
      await cause("role.deleted", role.id, { before: {} });
      await cause("membership.updated", membership.id, lists);
      await cause("group.deleted", group.id, { before: {} });
      const told = async (user: User, { id }: { readonly id: string }) => {
        const events = await toldOf(user);
        assert.deepEqual(new Set(events.map(({ type }) => type)), new Set(["membership.updated"]));
        return events.map(({ data: { membership_id, ...data } }) => {
          assert.equal(membership_id, id);
          return data;
        });
      };
      const ofRole = [{ changed: ["role_ids"] }, { changed: ["role_ids"], removed: [role.id] }];
      const gained = { changed: ["role_ids"], added: [added] };
      assert.deepEqual(await told(direct, membership), [...ofRole, gained]);
      const left = { changed: ["groups"], removed: [group.id] };
      assert.deepEqual(await told(grouped, inGroup), [gained, ...ofRole, left]);
      assert.deepEqual(await toldOf(other), []);
      const [event] = await store.list("events", { subject_id: grouped.id });
      assert.equal(event?.organization_id, organization_id);
    });

    test("EV-1: a role of the server is reported in every organization, an organization's role only in its own", async () => {
      const [one, other] = [await anOrganization(store), await anOrganization(store)];
      const server = await aRole(store, { organization_id: null });
      const own = await aRole(store, { organization_id: one.id });
      const user = await aUser(store);
      for (const { id: organization_id } of [one, other])
        await aMembership(store, {
          ...{ user_id: user.id, organization_id, role: "member" },
          role_ids: [server.id, own.id],
        });
      for (const { id: target_id, organization_id } of [server, own])
        await anEvent(store, { type: "role.deleted", target_id, organization_id, details: { before: {} } });
      await store.numberEvents();
      const told = await store.list("events", { subject_id: user.id });
      assert.deepEqual(
        told.map(({ organization_id, data }) => [organization_id, data.removed]).toSorted(),
        [
          [one.id, [own.id]],
          [one.id, [server.id]],
          [other.id, [server.id]],
        ].toSorted(),
      );
    });

    test("EV-1: if a group of 5,000 members gets a role, one statement writes the events, without loading the members", async () => {
      const own = await database.open({ events: true });
      const { id: organization_id } = await anOrganization(own);
      const group = await aGroup(own, { organization_id });
      const many = Array.from({ length: 5000 }, () => crypto.randomUUID());
      await own.transaction(async (tx) => {
        for (let at = 0; at < many.length; at += 500) {
          const ids = many.slice(at, at + 500);
          const stamps = { created_at: start, updated_at: start };
          await tx.insertAll(
            "users",
            ids.map((id) => ({ ...userLike(id), ...stamps })),
          );
          await tx.insertAll(
            "memberships",
            ids.map((id) => ({ id, user_id: id, organization_id, role: "member", ...stamps })),
          );
          await tx.insertAll(
            "group_members",
            ids.map((id) => ({ id, group_id: group.id, user_id: id, membership_id: id, created_at: start })),
          );
        }
      });
      const details = { before: { role_ids: [] }, after: { role_ids: [crypto.randomUUID()] } };
      await anEvent(own, { type: "group.updated", target_id: group.id, details, organization_id });
      assert.equal(await own.count("events", { organization_id, type: "membership.updated" }), 5000);
    });

    test("FO-7: while the feature is off, no event is written", async () => {
      const off = await database.open();
      const user = await aUser(off);
      await anEvent(off, updated(user));
      await aSession(off, { user_id: user.id });
      await off.grantConsent(user.id, (await anApp(off)).id, ["openid"], start);
      assert.equal(await off.count("events"), 0);
      assert.equal(await off.numberEvents(), 0);
    });

    test("EV-1: sign-ins, sign-outs, consents, verified emails and new passwords are reported with their changes", async () => {
      const user = await aUser(store);
      const [one, other] = [
        await aSession(store, { user_id: user.id }),
        await aSession(store, { user_id: user.id }),
      ];
      const app = await anApp(store);
      await store.grantConsent(user.id, app.id, ["openid"], start);
      await store.endSession(one.id, later(1));
      await store.transaction(async (tx) => {
        await tx.lock(userLock(user.id));
        const changes = { password_hash: "new", email_verified_at: later(2) };
        await tx.update(
          "users",
          { id: user.id },
          { ...changes, tokens_not_before: later(2), updated_at: later(2) },
        );
      });
      await store.endEverythingOf(user.id, "password_changed", later(3));
      const told = await toldOf(user);
      assert.deepEqual(
        told.map(({ type, data }) => [type, data.session_id ?? data.app_id ?? data.credential]),
        [
          ["session.started", one.id],
          ["session.started", other.id],
          ["consent.granted", app.id],
          ["session.ended", one.id],
          ["session.ended", other.id],
          ["user.email_verified", undefined],
          ["user.credential_changed", "password"],
        ],
      );
    });

    test("design 5: sessions that ended are found by an index, however many others ended or wait", async () => {
      const driver = await openDriver(await database.tables());
      const { dialect, queryUnprepared } = driver;
      const feed = feedOf(dialect, () => store.newId(start));
      const told = feed
        .sessionsEnded(sql`s.id = ${arg.uuid("of")}`)
        .prepare({ of: crypto.randomUUID(), at: start, like: crypto.randomUUID() });
      const explain = database.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
      const plan = await queryUnprepared(`${explain} ${told.sql}`, told.parameters);
      const reported = plan.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n");
      assert.match(reported, /(SEARCH e USING INDEX|Index Scan using) events_ended_session/);
      // SQLite numbers arrivals by the latest event in this index. PostgreSQL uses its clock.
      if (database.name === "SQLite") assert.match(reported, /SEARCH events USING INDEX events_arrived/);
      await driver.close();
    });

    test("EV-2: positions are consecutive in the order of numbering, whatever the clocks showed", async () => {
      const user = await aUser(store);
      await store.numberEvents();
      const { newest } = await store.feedBounds();
      for (const seconds of [50, 10, 30]) {
        const created_at = later(seconds);
        const details = { after: { name: `at ${seconds}` } };
        await anEvent(store, updated(user, { id: store.newId(created_at), created_at, details }));
      }
      assert.deepEqual(await store.readFeed({ after: newest, limit: 9 }, newest + 9), {
        events: [],
        position: newest + 9,
      });
      assert.equal(await store.numberEvents(), 3);
      const { events } = await store.readFeed({ after: newest, limit: 9 }, newest + 3);
      assert.deepEqual(
        events.map(({ position, created_at }) => [position, created_at]),
        [50, 10, 30].map((seconds, index) => [newest + index + 1, later(seconds)]),
      );
    });

    test("EV-3: a reader limited to an organization or to event types gets exactly those events", async () => {
      const acme = await anOrganization(store);
      await store.numberEvents();
      const { newest: after } = await store.feedBounds();
      const mine = await aFeedEvent(store, { organization_id: acme.id, type: "membership.created" });
      await aFeedEvent(store, { type: "user.created" });
      await store.numberEvents();
      const { newest } = await store.feedBounds();
      const ids = async (query: object) =>
        (await store.readFeed({ after, limit: 9, ...query }, newest)).events.map(({ id }) => id);
      assert.deepEqual(await ids({ organization_ids: [acme.id] }), [mine.id]);
      assert.deepEqual(await ids({ organization_ids: [] }), []);
      assert.deepEqual(await ids({ types: ["membership.created", "user.deleted"] }), [mine.id]);
      assert.equal((await ids({})).length, 2);
    });

    test("EV-8: the deletion of a user is the last event about the user, whatever else happens at the time", async () => {
      const user = await aUser(store);
      const session = await aSession(store, { user_id: user.id });
      await store.transaction(async (tx) => {
        await tx.lock(userLock(user.id));
        await anEvent(inTransaction(tx), updated(user, { type: "user.deleted", details: null }));
        await store.notifyOfEnds(tx, user.id, start);
        await tx.remove("users", { id: user.id });
      });
      store.queueEvent({
        ...{
          type: "sign_in",
          outcome: "failure",
          actor_kind: "user",
          actor_id: user.id,
          created_at: later(9),
        },
        ...{
          target_table: null,
          target_id: null,
          client_ip: null,
          user_agent: null,
          request_id: null,
          details: null,
        },
      });
      await store.flush();
      assert.deepEqual(
        (await toldOf(user)).map(({ type, data }) => [type, data]),
        [
          ["session.started", { session_id: session.id }],
          ["session.ended", { session_id: session.id }],
          ["user.deleted", {}],
        ],
      );
    });

    test("EV-8: if a deleted user is imported again with the same id, new events about the user are in the feed", async () => {
      const user = await aUser(store);
      const tell = (type: "user.created" | "user.deleted") =>
        store.transaction((tx) => anEvent(inTransaction(tx), updated(user, { type, details: null })));
      const other = await aUser(store);
      await tell("user.created");
      await tell("user.deleted");
      await tell("user.created");
      await anEvent(store, updated(other, { type: "user.created", details: null }));
      assert.deepEqual(
        (await toldOf(user)).map(({ type }) => type),
        ["user.created", "user.deleted", "user.created"],
      );
    });

    test("EV-8: events from concurrent transactions never follow the deletion of their user", async () => {
      const [user, organization] = [await aUser(store), await anOrganization(store)];
      const app = await anApp(store);
      const kept = await aFeedEvent(store, { subject_id: crypto.randomUUID() });
      const [begun, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const tellAll = async (tx: Transaction) => {
        await anEvent(inTransaction(tx), updated(user));
        await anEvent(inTransaction(tx), updated(user, { type: "app.updated", target_id: app.id }));
        await anEvent(
          inTransaction(tx),
          updated(user, { type: "organization.updated", target_id: organization.id }),
        );
      };
      // SQLite has one writer at a time, so there the late events cannot come from a transaction that began
      // before the deletion.
      const late =
        database.name === "SQLite"
          ? deleted.promise.then(async () => {
              await aFeedEvent(store, { type: "user.updated", subject_id: user.id });
              for (const { id } of [app, organization])
                await aFeedEvent(store, { type: "organization.updated", subject_id: id });
            })
          : store.transaction(async (tx) => {
              await tellAll(tx);
              begun.resolve();
              await deleted.promise;
            });
      if (database.name !== "SQLite") await begun.promise;
      await store.transaction(async (tx) => {
        for (const [table, { id }, type] of [
          ["users", user, "user.deleted"],
          ["oauth_apps", app, "app.deleted"],
          ["organizations", organization, "organization.deleted"],
        ] as const) {
          await anEvent(inTransaction(tx), updated(user, { type, target_id: id, details: null }));
          await tx.remove(table, { id });
        }
      });
      for (const each of [user, app, organization])
        assert.equal((await toldOf(each)).at(-1)?.type.split(".")[1], "deleted");
      deleted.resolve();
      await late;
      for (const each of [user, app, organization])
        assert.equal((await toldOf(each)).at(-1)?.type.split(".")[1], "deleted");
      assert.equal(await store.count("events", { position: null }), 0);
      assert.notEqual((await store.find("events", { id: kept.id }))?.position, null);
    });

    test("EV-8: events are deleted from the oldest on without a gap, and the newest always stays", async () => {
      const kept = await database.open({ events: true });
      // The clocks of processes may differ, so a later event can have an earlier time.
      for (const days of [40, 90, 50, 1]) {
        const created_at = later(-days * 86_400);
        await aFeedEvent(kept, { id: kept.newId(created_at), created_at });
      }
      await kept.numberEvents();
      const positions = async () => (await kept.list("events")).map(({ position }) => position).toSorted();
      await kept.sweep(start, { retention: {} });
      assert.deepEqual(await positions(), [1, 2, 3, 4]);
      await kept.sweep(start, { retention: { events: 45 } });
      assert.deepEqual(await positions(), [1, 2, 3, 4]);
      await kept.sweep(start, { retention: { events: 39 } });
      assert.deepEqual(await positions(), [4]);
      await kept.sweep(later(90 * 86_400), { retention: { events: 30 } });
      assert.deepEqual(await positions(), [4]);
    });

    test("EV-2: with several processes writing at random times, a reader never skips or repeats an event", async () => {
      const address = await database.tables();
      const reader = await openStoreAt(address, { events: true });
      const user = await aUser(reader);
      const told = new Set<string>();
      const children = Array.from({ length: 3 }, () => {
        const child = spawn(process.execPath, [program, JSON.stringify(address), "60", user.id], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        let said = "";
        child.stdout.on("data", (chunk) => {
          said += chunk;
        });
        return once(child, "close").then(([code]) => {
          assert.equal(code, 0);
          for (const line of said.trim().split("\n")) told.add(line);
        });
      });
      let running = true;
      const ended = Promise.all(children).finally(() => {
        running = false;
      });
      const seen: { id: string; position: number | null }[] = [];
      const poll = async () => {
        const { newest } = await reader.feedBounds();
        const { events } = await reader.readFeed({ after: seen.length, limit: 7 }, newest);
        seen.push(...events);
        return events.length;
      };
      while (running) {
        await poll();
        await pause(3);
      }
      await ended;
      await reader.numberEvents();
      while ((await poll()) > 0);
      assert.deepEqual(
        seen.map(({ position }) => position),
        seen.map((_, index) => index + 1),
      );
      assert.deepEqual(new Set(seen.map(({ id }) => id)), told);
    });
  });
