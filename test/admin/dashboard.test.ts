import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { rotateKeys } from "../../src/admin/records/signing_keys.ts";
import { type DayFigure, dashboardOf, type Period, periods } from "../../src/admin/reports/dashboard.ts";
import { healthOf } from "../../src/admin/reports/health.ts";
import {
  countExpired,
  databaseFigures,
  signingKeysShown,
  sweptFigures,
} from "../../src/admin/reports/housekeeping.ts";
import { builtInClientId } from "../../src/records/names/names.ts";
import type { ProcessFigures } from "../../src/records/names/process_figures.ts";
import type { Switches } from "../../src/records/names/profiles.ts";
import type { StatisticKind } from "../../src/records/names/statistics.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aRefusal,
  aSession,
  aUser,
  later,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { type ManagementFixture, managementFixture } from "../support/management_fixture.ts";
import { problem, type TestContext, testContext } from "./context.ts";

/** Half past ten on a Thursday. */
const now = new Date("2030-03-14T10:30:00.000Z");
const hours = (count: number, from = new Date("2030-03-14T10:00:00.000Z")) => later(count * 3600, from);

function contextOf(store: Store, actor: Actor): TestContext {
  const context = testContext(store, actor);
  context.clock.advance((now.getTime() - context.now().getTime()) / 1000);
  return context;
}

/** Returns a figure as [count, before, change]. */
const reported = (figure: DayFigure | undefined) => figure && [figure.count, figure.before, figure.change];

const sum = (counts: readonly number[] | undefined) => counts?.reduce((total, each) => total + each, 0);

const figures: ProcessFigures = {
  version: "1.2.3",
  started_at: later(-10, now),
  workers: 1,
  hashing: { running: 2, waiting: 0, slots: 2, most_waiting: 100 },
  mail: { waiting: 0, failed: 3, failing: false },
  unwritten: { uses: 0, events: 0, refusals: 0, counts: 0 },
  swept_at: later(-1, now),
  retention: { audit_events: 30, addresses: 0, refusals: 7 },
};

for (const database of databasesInForm) {
  describe(`the dashboard on ${database.name}`, () => {
    let store: Store;
    const of = (actor: Actor, period: Period = "day", within?: string) =>
      dashboardOf(contextOf(store, actor), { period, within });

    async function counted(
      kind: StatisticKind,
      subjects: readonly (string | null)[],
      ...at: readonly (readonly [Date, number])[]
    ): Promise<void> {
      for (const [moment, count] of at) store.increment(kind, subjects, moment, count);
      await store.flushCounts();
    }

    describe("of a server whose counts lie at the limits of its periods", () => {
      let root: Actor;
      before(async () => {
        store = await database.open();
        root = { kind: "user", user: await aUser(store, { is_platform_admin: true }) };
        await anApp(store);
        await counted(
          "tokens_code",
          [null],
          // The preceding 24 hours from their first to their last moment, and the moment before them.
          [later(-0.001, hours(-47)), 1],
          [hours(-47), 10],
          [later(-0.001, hours(-23)), 100],
          // The last 24 hours.
          [hours(-23), 1000],
          [later(-0.001, hours(0)), 10_000],
          [hours(0), 100_000],
        );
        await counted("tokens_machine", [null], [later(-0.001, now), 7]);
        await counted("sign_in_failures", [null], [hours(-24 * 29), 3], [hours(-6), 4]);
      });

      test("the last 24 hours include the current hour, and are compared with the 24 hours before them", async () => {
        const { activity } = await of(root);
        assert.deepEqual(activity?.tokens.count, 1000 + 10_000 + 100_000 + 7);
        assert.deepEqual(activity?.tokens.before, 110);
        assert.deepEqual(reported(activity?.sign_in_failures), [4, 0, undefined]);
        assert.deepEqual(reported(activity?.sign_ins), [0, 0, undefined]);
      });

      test("the period of 24 hours has one point per hour, and leaves out older events", async () => {
        const { activity } = await of(root, "day");
        assert.deepEqual(activity?.moments.length, 24);
        assert.deepEqual(activity?.moments[0], hours(-23));
        assert.deepEqual(activity?.moments.at(-1), hours(0));
        const code = activity?.counts.tokens_code;
        assert.deepEqual(
          [code?.[0], code?.at(-2), code?.at(-1), sum(code)],
          [1000, 10_000, 100_000, 111_000],
        );
        assert.equal(activity?.counts.tokens_machine?.at(-1), 7);
      });

      test("the period of 7 days has one point per quarter of a UTC day", async () => {
        const { activity } = await of(root, "week");
        assert.equal(activity?.moments.length, 28);
        assert.deepEqual(activity?.moments.at(-1), new Date("2030-03-14T06:00:00.000Z"));
        assert.deepEqual(activity?.moments[0], new Date("2030-03-07T12:00:00.000Z"));
        const code = activity?.counts.tokens_code;
        // 09:59 and 10:00 belong to the same quarter, from 06:00 to 12:00.
        assert.equal(code?.at(-1), 110_000);
        assert.equal(sum(code), 111_111);
        assert.deepEqual(activity?.counts.sign_in_failures?.slice(-3), [0, 4, 0]);
      });

      test("the period of 30 days has one point per UTC day", async () => {
        const { activity } = await of(root, "month");
        assert.equal(activity?.moments.length, 30);
        assert.deepEqual(activity?.moments[0], new Date("2030-02-13T00:00:00.000Z"));
        assert.deepEqual(activity?.counts.tokens_code?.slice(-3), [11, 1100, 110_000]);
        assert.deepEqual(
          [activity?.counts.sign_in_failures?.[0], sum(activity?.counts.sign_in_failures)],
          [3, 7],
        );
      });
    });

    test("the incomplete current hour is compared with the same part of that hour a day earlier", async () => {
      store = await database.open();
      const root: Actor = { kind: "user", user: await aUser(store, { is_platform_admin: true }) };
      const steady = Array.from({ length: 47 }, (_, index) => [hours(-47 + index), 10] as const);
      await counted("tokens_refresh", [null], ...steady, [hours(0), 5]);
      await counted("refusals", [null], ...steady, [hours(0), 240]);
      await counted("sign_ins", [null], [hours(-30), 19], [hours(-3), 80]);
      await counted("sign_in_failures", [null], [hours(-30), 20]);
      const { activity } = await of(root);
      assert.deepEqual(reported(activity?.tokens), [235, 240, 0]);
      assert.deepEqual(reported(activity?.refusals), [470, 240, 1]);
      // Nineteen sign-ins are too few for a comparison; twenty suffice.
      assert.deepEqual(reported(activity?.sign_ins), [80, 19, undefined]);
      assert.deepEqual(reported(activity?.sign_in_failures), [0, 20, -1]);
    });

    describe("of several organizations", () => {
      let fixture: ManagementFixture;
      before(async () => {
        store = await database.open();
        fixture = await managementFixture(store);
        const { acme, other, app } = fixture;
        const foreign = await anApp(store, { organization_id: other.id });
        await counted("tokens_code", [null, app.id, acme.id], [hours(-1), 3]);
        await counted("tokens_code", [null, foreign.id, other.id], [hours(-1), 5]);
        await counted("refusals", [null, acme.id], [hours(-1), 20]);
        await counted("refusals", [null, other.id], [hours(-1), 30]);
        await counted("sign_ins", [null], [hours(-1), 7]);
        await aRefusal(store, { app_id: app.id, error: "of_acme", created_at: hours(-1) });
        await aRefusal(store, { app_id: foreign.id, error: "of_other", created_at: hours(-1) });
        await aRefusal(store, { error: "of_nobody", created_at: hours(-1) });
        const failed = { type: "sign_in", outcome: "failure" } as const;
        await anEvent(store, {
          ...failed,
          actor_kind: "user",
          actor_id: fixture.people.member.id,
          organization_id: acme.id,
          details: { reason: "wrong_password" },
        });
        await anEvent(store, {
          ...failed,
          actor_kind: "anonymous",
          actor_id: null,
          details: { reason: "unknown_user" },
        });
        await anEvent(store, { ...failed, outcome: "success", actor_kind: "user", organization_id: acme.id });
      });

      const seen = async (actor: Actor, organization_id?: string) => {
        const dashboard = await of(actor, "day", organization_id);
        const { activity, apps, refusals, failed_sign_ins } = dashboard;
        return {
          tokens: activity?.tokens.count,
          refused: activity?.refusals?.count,
          sign_ins: activity?.sign_ins?.count,
          apps: apps.map(({ tokens }) => tokens),
          refusals: refusals.map(({ error }) => error).sort(),
          failed: failed_sign_ins.length,
        };
      };

      test("a platform administrator sees the whole server", async () => {
        assert.deepEqual(await seen(fixture.actors.platform_administrator), {
          tokens: 8,
          refused: 50,
          sign_ins: 7,
          apps: [5, 3],
          refusals: ["of_acme", "of_nobody", "of_other"],
          failed: 2,
        });
      });

      test("managers of an organization see its figures, but not those of the server or of others", async () => {
        const own = { tokens: 3, refused: 20, sign_ins: undefined, apps: [3], refusals: ["of_acme"] };
        assert.deepEqual(await seen(fixture.actors.owner), { ...own, failed: 1 });
        // A developer reads only audit events of their own actions.
        assert.deepEqual(await seen(fixture.actors.developer), { ...own, failed: 0 });
        assert.deepEqual(await seen(fixture.actors.outsider), {
          tokens: 5,
          refused: 30,
          sign_ins: undefined,
          apps: [5],
          refusals: ["of_other"],
          failed: 0,
        });
      });

      test("callers who may not read tokens see no figures, and only the apps that they may read", async () => {
        const none = { tokens: undefined, refused: undefined, sign_ins: undefined, refusals: [], failed: 0 };
        assert.deepEqual(await seen(fixture.actors.subject), { ...none, apps: [] });
        // The failed sign-in was the member's own.
        assert.deepEqual(await seen(fixture.actors.member), { ...none, apps: [undefined], failed: 1 });
      });

      test("H-51: a dashboard narrowed to an organization that the viewer does not belong to is empty", async () => {
        const { owner, member, platform_administrator } = fixture.actors;
        const none = { tokens: undefined, refused: undefined, sign_ins: undefined, refusals: [], failed: 0 };
        assert.deepEqual(await seen(owner, fixture.other.id), { ...none, apps: [] });
        assert.deepEqual(await seen(owner, "nonsense"), { ...none, apps: [] });
        assert.equal((await seen(member, fixture.acme.id)).tokens, undefined);
        const one = await seen(platform_administrator, fixture.other.id);
        assert.deepEqual([one.tokens, one.refused, one.apps, one.refusals], [5, 30, [5], ["of_other"]]);
        assert.equal(one.sign_ins, undefined);
      });

      test("a viewer of more than ten organizations must first select one", async () => {
        const user = await aUser(store);
        const many: Actor = { kind: "user", user };
        for (let count = 0; count < 11; count += 1) {
          const { id: organization_id } = await anOrganization(store);
          await aMembership(store, { user_id: user.id, organization_id, role: "admin" });
        }
        const { asks_for_one, activity } = await of(many);
        assert.deepEqual([asks_for_one, activity], [true, undefined]);
      });

      test("a viewer of several organizations sees their sum, or the figures of the selected one", async () => {
        const user = await aUser(store);
        const both: Actor = { kind: "user", user };
        for (const { id } of [fixture.acme, fixture.other])
          await aMembership(store, { user_id: user.id, organization_id: id, role: "admin" });
        const empty = await anOrganization(store, { name: "Barely" });
        await aMembership(store, { user_id: user.id, organization_id: empty.id, role: "developer" });
        const plain = await anOrganization(store, { name: "Aside" });
        await aMembership(store, { user_id: user.id, organization_id: plain.id, role: "member" });
        const all = await seen(both);
        assert.deepEqual([all.tokens, all.refused, all.apps], [8, 50, [5, 3]]);
        assert.deepEqual(all.refusals, ["of_acme", "of_other"]);
        const one = await seen(both, fixture.other.id);
        assert.deepEqual([one.tokens, one.refused, one.apps, one.refusals], [5, 30, [5], ["of_other"]]);
        const none = await seen(both, empty.id);
        assert.deepEqual([none.tokens, none.apps, none.refusals], [0, [], []]);
      });

      test("a deactivated organization appears in no dashboard", async () => {
        const user = await aUser(store);
        const closed = await anOrganization(store, { active: false });
        await aMembership(store, { user_id: user.id, organization_id: closed.id, role: "owner" });
        const { asks_for_one, activity } = await of({ kind: "user", user });
        assert.deepEqual([asks_for_one, activity], [false, undefined]);
      });

      test("only platform administrators see the reason of a failed sign-in", async () => {
        const { failed_sign_ins: whole } = await of(fixture.actors.platform_administrator);
        assert.deepEqual(whole.map(({ reason, user }) => [reason, user?.id]).sort(), [
          ["unknown_user", undefined],
          ["wrong_password", fixture.people.member.id],
        ]);
        const { failed_sign_ins: part } = await of(fixture.actors.owner);
        assert.deepEqual(
          part.map(({ reason, user }) => [reason, user?.email]),
          [[undefined, fixture.people.member.email]],
        );
      });

      test("refused requests are listed with their app, newest first", async () => {
        await aRefusal(store, { app_id: fixture.app.id, error: "newest", created_at: now });
        const { refusals } = await of(fixture.actors.admin);
        assert.deepEqual(
          refusals.map(({ error, app_name }) => [error, app_name]),
          [
            ["newest", fixture.app.name],
            ["of_acme", fixture.app.name],
          ],
        );
      });
    });

    test("the first steps are shown to callers who may create apps, while the built-in app is the only one", async () => {
      store = await database.open();
      const root: Actor = { kind: "user", user: await aUser(store, { is_platform_admin: true }) };
      const user = await aUser(store);
      const { id: organization_id } = await anOrganization(store);
      await aMembership(store, { user_id: user.id, organization_id, role: "developer" });
      const developer: Actor = { kind: "user", user };
      const stranger: Actor = { kind: "user", user: await aUser(store) };
      const first = async () =>
        Promise.all([root, developer, stranger].map(async (actor) => (await of(actor)).first_steps));
      assert.deepEqual(await first(), [true, true, false]);
      await anApp(store, { client_id: builtInClientId });
      assert.deepEqual(await first(), [true, true, false]);
      await anApp(store, {});
      assert.deepEqual(await first(), [false, true, false]);
      await anApp(store, { organization_id });
      assert.deepEqual(await first(), [false, false, false]);
    });

    test("a new server reports zero for every figure and period", async () => {
      store = await database.open();
      const root: Actor = { kind: "user", user: await aUser(store, { is_platform_admin: true }) };
      for (const period of periods) {
        const { activity, apps, refusals, failed_sign_ins } = await of(root, period);
        assert.deepEqual(reported(activity?.tokens), [0, 0, undefined]);
        for (const counts of Object.values(activity?.counts ?? {}))
          assert.deepEqual([counts?.length, sum(counts)], [activity?.moments.length, 0]);
        assert.deepEqual([apps, refusals, failed_sign_ins], [[], [], []]);
      }
    });
  });

  describe(`health and cleanup of the server on ${database.name}`, () => {
    let store: Store;
    let root: TestContext;
    before(async () => {
      store = await database.open();
      root = contextOf(store, { kind: "user", user: await aUser(store, { is_platform_admin: true }) });
    });

    test("only platform administrators see the server's health and cleanup", async () => {
      const { actors } = await managementFixture(await database.open());
      for (const actor of [actors.owner, actors.member, actors.organization_key]) {
        const context = contextOf(store, actor);
        for (const requested of [
          () => healthOf(context, figures),
          () => sweptFigures(context),
          () => countExpired(context, figures.retention),
          () => databaseFigures(context),
          () => signingKeysShown(context),
        ])
          await assert.rejects(requested, problem("forbidden", undefined));
      }
    });

    test("deleted expired rows are counted for the last 24 hours and for the last 7 UTC days", async () => {
      for (const [at, count] of [
        [later(-0.001, new Date("2030-03-08T00:00:00.000Z")), 1],
        [new Date("2030-03-08T00:00:00.000Z"), 10],
        [later(-0.001, hours(-23)), 100],
        [hours(-23), 1000],
        [now, 10_000],
      ] as const)
        store.increment("swept", [null], at, count);
      await store.flushCounts();
      assert.deepEqual(await sweptFigures(root), { day: 11_000, week: 11_110 });
    });

    test("reading the health of the server counts expired rows and deletes none", async () => {
      await aSession(store, { expires_at: later(-1, now) });
      await aSession(store, { expires_at: later(1, now) });
      await anEvent(store, { created_at: later(-31 * 86_400, now) });
      const counts = await countExpired(root, figures.retention);
      assert.deepEqual([counts.sessions, counts.audit_events], [1, 1]);
      assert.deepEqual(counts, await countExpired(root, figures.retention));
      assert.equal((await countExpired(root, { ...figures.retention, audit_events: 0 })).audit_events, 0);
      assert.equal(await store.count("sessions"), 2);
    });

    test("the health of the database states its kind, its size and its migrations", async () => {
      const { kind, size, migrations } = await databaseFigures(root);
      assert.equal(kind, store.dialect);
      assert.ok(size > 50_000 && size < 1_000_000_000, String(size));
      assert.equal(migrations, (await store.migrationStatus()).length);
      assert.ok(migrations > 3);
    });

    test("signing keys are listed newest first, and a key that has signed for 90 days is due for rotation", async () => {
      store = await database.open();
      root = contextOf(store, { kind: "user", user: await aUser(store, { is_platform_admin: true }) });
      const states = async () => {
        const { keys, rotation_due } = await signingKeysShown(root);
        return [keys.map(({ state }) => state), rotation_due];
      };
      const mark = async () => (await healthOf(root, undefined)).signing_key;
      assert.deepEqual(await states(), [[], false]);
      assert.deepEqual(await mark(), { mark: "failure", seconds: undefined });
      await rotateKeys(root);
      assert.deepEqual(await states(), [["signing"], false]);
      root.clock.advance(90 * 86_400 - 1);
      assert.deepEqual(await states(), [["signing"], false]);
      root.clock.advance(1);
      assert.deepEqual(await states(), [["signing"], true]);
      assert.deepEqual(await mark(), { mark: "caution", seconds: 90 * 86_400 });
      await rotateKeys(root);
      assert.deepEqual(await states(), [["next", "signing"], false]);
      root.clock.advance(600);
      assert.deepEqual(await states(), [["signing", "retired"], false]);
      assert.deepEqual(await mark(), { mark: "fine", seconds: 0 });
    });

    test("the health page names a private address from which nearly all sign-ins come", async () => {
      const { store } = root;
      const reported = async (issuer = "https://id.example") =>
        (await healthOf({ ...root, issuer }, undefined)).addresses?.address;
      const people = await Promise.all(Array.from({ length: 5 }, () => aUser(store)));
      let made = 0;
      const sessions = async (count: number, client_ip: string | null) => {
        for (let each = 0; each < count; each += 1) {
          made += 1;
          const user_id = String(people[made % people.length]?.id);
          await aSession(store, { user_id, client_ip, created_at: later(made, root.now()) });
        }
      };
      await sessions(19, "10.0.0.5");
      assert.equal(await reported(), undefined, "too few to say");
      await sessions(1, "10.0.0.5");
      assert.equal(await reported(), "10.0.0.5");
      await sessions(3, "203.0.113.7");
      assert.equal(await reported(), undefined, "others have their own");
      await sessions(50, "8.8.8.8");
      assert.equal(await reported(), undefined, "a public address may be an office's");
      await sessions(50, "127.0.0.1");
      assert.equal(await reported(), "127.0.0.1");
      assert.equal(await reported("http://localhost:3000"), undefined, "the browsers are on this machine");
      root.clock.advance(8 * 86_400);
      assert.equal(await reported(), undefined, "a week ago");
      people.splice(4);
      await sessions(50, "127.0.0.1");
      assert.equal(await reported(), undefined, "few people, as in development");
    });

    test("the health of each component is determined by the figures of the process", async () => {
      const marks = async (overrides: Partial<ProcessFigures>, switches: Switches = {}) => {
        const { database, hashing, mail, sweep } = await healthOf(
          { ...root, switches },
          {
            ...figures,
            started_at: later(-10, root.now()),
            swept_at: later(-1, root.now()),
            ...overrides,
          },
        );
        return [database.mark, hashing?.mark, typeof mail === "string" ? mail : mail?.mark, sweep?.mark];
      };
      assert.deepEqual(await marks({}), ["fine", "fine", "fine", "fine"]);
      const hashing = (waiting: number) => ({ hashing: { ...figures.hashing, waiting } });
      assert.deepEqual((await marks(hashing(51)))[1], "caution");
      assert.deepEqual((await marks(hashing(100)))[1], "failure");
      assert.deepEqual((await marks({ mail: undefined }))[2], "off");
      assert.deepEqual((await marks({ mail: undefined }, { extra_sign_in: ["totp"] }))[2], "missed");
      assert.deepEqual((await marks({ mail: { waiting: 0, failed: 1, failing: true } }))[2], "failure");
      assert.deepEqual((await marks({ mail: { waiting: 101, failed: 0, failing: false } }))[2], "caution");
      assert.deepEqual((await marks({ swept_at: later(-301, root.now()) }))[3], "caution");
      assert.deepEqual((await marks({ swept_at: undefined }))[3], "fine");
      const longAgo = { swept_at: undefined, started_at: later(-301, root.now()) };
      assert.deepEqual((await marks(longAgo))[3], "caution");
    });

    test("the health page reports a database that fails or is slow", async () => {
      const broken: Store = { ...store, ping: async () => Promise.reject(new Error("gone")) };
      assert.equal((await healthOf({ ...root, store: broken }, undefined)).database.mark, "failure");
      const slow: Store = { ...store, ping: async () => root.clock.advance(0.6) };
      assert.equal((await healthOf({ ...root, store: slow }, undefined)).database.mark, "caution");
    });
  });
}
