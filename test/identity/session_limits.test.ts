import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityContext, IdentitySettings } from "../../src/people/core/context/context.ts";
import { addMethods, findSession, startSession } from "../../src/people/core/sessions.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { sessionErrors } from "../../src/records/formats/session_limits.ts";
import type { Store } from "../../src/storage/store.ts";
import { testServer } from "../support/authorization_server.ts";
import { aMembership, anOrganization, aUser, byPassword } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const hour = 3600;

describeInForm("limits on the life of a session", (database) => {
  async function setUp(settings: IdentitySettings = {}) {
    const { server, clock } = await testServer(await database.open());
    const context: IdentityContext & { store: Store } = identityOn(server, { settings });
    const user = await aUser(context.store);
    const begin = (methods = byPassword(clock.now()), keep?: boolean) =>
      startSession({ user, methods, origin, keep }, context);
    const lives = async (cookie: string) => (await findSession(cookie, context)) !== undefined;
    return { context, clock, user, begin, lives };
  }

  async function join(user: User, store: Store, settings: object, active = true): Promise<void> {
    const organization = await anOrganization(store, { settings: { ...settings }, active });
    await aMembership(store, { user_id: user.id, organization_id: organization.id });
  }

  test("OR-12: without settings a session has the usual limits, and its row stores none of its own", async () => {
    const { begin, clock } = await setUp();
    const { session } = await begin();
    assert.equal(session.expires_at.getTime() - clock.now().getTime(), 168 * hour * 1000);
    assert.equal(session.idle_ends_at, null);
  });

  test("OR-12: the settings determine the age and idle time of a session", async () => {
    const { begin, clock, lives } = await setUp({ session_max_age: 30 * 24 * hour, session_idle: 24 * hour });
    const { cookie } = await begin();
    for (let days = 1; days < 30; days += 1) {
      clock.advance(24 * hour - 1);
      assert.ok(await lives(cookie), `day ${days}`);
    }
    clock.advance(24 * hour);
    assert.ok(!(await lives(cookie)), "idle");
    const old = await begin();
    for (let hours = 0; hours < 30 * 24 - 12; hours += 12) {
      clock.advance(12 * hour);
      assert.ok(await lives(old.cookie));
    }
    clock.advance(12 * hour);
    assert.ok(!(await lives(old.cookie)), "old");
  });

  test("OR-12: the strictest of the user's active organizations shortens the server's limits, and none extends them", async () => {
    const { begin, clock, context, user } = await setUp({
      session_max_age: 10 * hour,
      session_idle: 5 * hour,
    });
    const limits = async () => {
      const { session } = await begin();
      const from = clock.now().getTime();
      const idle = session.idle_ends_at ?? assert.fail("no limit of its own");
      return [session.expires_at, idle].map((end) => (end.getTime() - from) / 1000);
    };
    const { store } = context;
    await join(user, store, { session: { max_age: 20 * hour, idle: 20 * hour } });
    await join(user, store, { session: { idle: 300 } }, false);
    await join(user, store, { brand: { name: "session" } });
    await join(await aUser(store), store, { session: { max_age: 300 } });
    assert.deepEqual(await limits(), [10 * hour, 5 * hour]);
    await join(user, store, { session: { max_age: 2 * hour } });
    await join(user, store, { session: { idle: hour } });
    assert.deepEqual(await limits(), [2 * hour, hour]);
    // A value below the minimum, stored before settings were validated, is ignored.
    await join(user, store, { session: { max_age: 1 } });
    assert.deepEqual(await limits(), [2 * hour, hour]);
  });

  test("OR-12: a session ends with the provider's session, also after a further proof", async () => {
    const { begin, clock, context, user } = await setUp();
    const { now } = clock;
    const by = (hours: number) =>
      [{ kind: "provider", credential: crypto.randomUUID(), at: now().getTime() }].map((method) => ({
        ...method,
        kind: "provider" as const,
        ends_at: now().getTime() + hours * hour * 1000,
      }));
    const ends = (at: Date) => (at.getTime() - now().getTime()) / 1000;
    const { session } = await begin(by(2));
    assert.equal(ends(session.expires_at), 2 * hour);
    // The same browser signs in again; the provider's end applies until it has passed.
    const again = { user, origin, previous: { session, user } };
    const renewed = await startSession({ ...again, methods: byPassword(now()) }, context);
    assert.equal(ends(renewed.session.expires_at), 2 * hour);
    clock.advance(2 * hour);
    const later = { ...again, previous: { session: renewed.session, user } };
    const free = await startSession({ ...later, methods: byPassword(now()) }, context);
    assert.equal(ends(free.session.expires_at), 168 * hour);
    assert.deepEqual(
      free.session.methods?.map(({ kind }) => kind),
      ["password"],
    );
  });

  test("OR-12: a further proof never lengthens a session", async () => {
    const { begin, clock, context, user } = await setUp({ session_idle: hour });
    const { session } = await begin();
    clock.advance(hour - 1);
    const added = await addMethods({ session, user }, byPassword(clock.now()), context);
    assert.deepEqual(added?.signedIn.session.expires_at, session.expires_at);
    assert.ok(added);
    clock.advance(hour - 1);
    assert.ok(await findSession(added.cookie, context), "but it is a use");
  });

  test("OR-16: a session kept by its user lasts for its days without use, unless a provider's session ends earlier", async () => {
    const settings = { session_remember_days: 30, session_max_age: 10 * hour, session_idle: hour };
    const { begin, clock, lives } = await setUp(settings);
    const kept = await begin(byPassword(clock.now()), true);
    assert.equal(kept.session.remembered, true);
    const usual = await begin();
    assert.equal(usual.session.remembered, false);
    const ends_at = clock.now().getTime() + 2 * hour * 1000;
    const provider = {
      kind: "provider",
      credential: crypto.randomUUID(),
      at: clock.now().getTime(),
      ends_at,
    };
    const upstream = await begin([{ ...provider, kind: "provider" }], true);
    clock.advance(hour);
    assert.deepEqual([await lives(usual.cookie), await lives(upstream.cookie)], [false, true]);
    clock.advance(hour);
    assert.ok(!(await lives(upstream.cookie)));
    clock.advance(30 * 24 * hour - 2 * hour - 1);
    assert.ok(await lives(kept.cookie));
    clock.advance(1);
    assert.ok(!(await lives(kept.cookie)), "after its days");
  });

  test("OR-16: a session has the usual limits if the feature is off or forbidden, or the user is an administrator", async () => {
    const off = await setUp();
    assert.equal((await off.begin(byPassword(off.clock.now()), true)).session.remembered, false);
    const { begin, clock, context, user } = await setUp({ session_remember_days: 30 });
    const kept = async () => {
      const { session } = await begin(byPassword(clock.now()), true);
      const age = (session.expires_at.getTime() - clock.now().getTime()) / 1000;
      return [session.remembered, age / hour];
    };
    await join(user, context.store, { session: { remember: true } });
    assert.deepEqual(await kept(), [true, 720]);
    await join(user, context.store, { session: { max_age: 10 * hour } });
    assert.deepEqual(await kept(), [true, 10], "an organization narrows it");
    await join(user, context.store, { session: { remember: false } }, false);
    assert.deepEqual(await kept(), [true, 10], "of an inactive organization");
    await join(user, context.store, { session: { remember: false } });
    assert.deepEqual(await kept(), [false, 10]);
    const administrator = { ...user, is_platform_admin: true };
    const begun = { user: administrator, methods: byPassword(clock.now()), origin, keep: true };
    assert.equal((await startSession(begun, context)).session.remembered, false);
  });

  test("OR-16: each sign-in asks again whether to keep the session, and a further proof changes nothing", async () => {
    const { begin, clock, context, user } = await setUp({ session_remember_days: 30 });
    const { session } = await begin(byPassword(clock.now()), true);
    const added = await addMethods({ session, user }, byPassword(clock.now()), context);
    assert.equal(added?.signedIn.session.remembered, true);
    assert.ok(added);
    const again = { user, methods: byPassword(clock.now()), origin, previous: added.signedIn };
    const renewed = await startSession(again, context);
    assert.deepEqual([renewed.session.id, renewed.session.remembered], [session.id, false]);
  });

  test("OR-12: after the session is deleted, the account's first browser is still known for seven days", async () => {
    const { begin, clock, context } = await setUp({ session_max_age: hour });
    const { session } = await begin();
    const swept = async () => {
      await context.store.sweep(clock.now());
      return (await context.store.find("sessions", { id: session.id })) === undefined;
    };
    clock.advance(2 * hour);
    assert.ok(!(await swept()));
    clock.advance(166 * hour);
    assert.ok(await swept());
  });
});

test("OR-12: settings.session of an organization accepts two limits within their ranges", () => {
  const errors = (session: unknown) => sessionErrors({ session }).map(({ path }) => path);
  for (const session of [
    {},
    { remember: false },
    { max_age: 300 },
    { idle: 31_536_000 },
    { max_age: 3600, idle: 600 },
  ])
    assert.deepEqual(errors(session), []);
  assert.deepEqual(errors([]), ["/settings/session"]);
  assert.deepEqual(errors({ max_age: 299, idle: 31_536_001 }), [
    "/settings/session/max_age",
    "/settings/session/idle",
  ]);
  assert.deepEqual(errors({ remember: "no" }), ["/settings/session/remember"]);
  assert.deepEqual(errors({ idle: "600", max_age: 600.5, age: 1 }), [
    "/settings/session/idle",
    "/settings/session/max_age",
    "/settings/session/age",
  ]);
});
