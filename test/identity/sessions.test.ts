import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { formToken, isFormCookie, isFormToken, newFormCookie } from "../../src/people/core/form_tokens.ts";
import { endSession, findSession, rememberChoice, startSession } from "../../src/people/core/sessions.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aSession, aToken, aUser, byPassword, later, randomSignature, start } from "../support/builders.ts";
import { databasesInForm, describeInForm } from "../support/databases.ts";
import { deactivate, reactivate } from "../support/endings.ts";
import { identityOn } from "../support/identity_context.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const hours = 3600;

describeInForm("sessions", (database) => {
  async function setUp(): Promise<TestServer & { context: IdentityContext }> {
    const it = await testServer(await database.open());
    const { store, memory, passwords, sealer, now, report } = it.server;
    return { ...it, context: { store, memory, passwords, sealer, now, report, throttle: true } };
  }

  test("L-7: a session cookie finds its session and user, and any other text finds nothing", async () => {
    const { store, context } = await setUp();
    const user = await aUser(store);
    const { cookie, session } = await startSession({ methods: byPassword(), user, origin }, context);
    assert.match(cookie, /^pse_[A-Za-z0-9_-]{51}$/);
    const found = await findSession(cookie, context);
    assert.deepEqual(found?.session, session);
    assert.equal(found?.user.id, user.id);
    for (const other of ["", "pse_", cookie.slice(0, -1), `${cookie}x`, cookie.toUpperCase(), session.id]) {
      assert.equal(await findSession(other, context), undefined);
    }
    assert.deepEqual(session.authenticated_at, start);
    assert.equal(session.acr, "urn:postern:acr:password");
    assert.equal(session.client_ip, "192.0.2.1");
  });

  test("L-6: signing in again as the same user keeps the session id and changes the cookie", async () => {
    const { store, context, clock } = await setUp();
    const user = await aUser(store);
    const first = await startSession({ methods: byPassword(), user, origin }, context);
    clock.advance(60);
    const satisfied_request = randomSignature();
    const previous = { session: first.session, user };
    const second = await startSession(
      { methods: byPassword(), user, origin, previous, satisfied_request },
      context,
    );
    assert.equal(second.session.id, first.session.id);
    assert.notEqual(second.cookie, first.cookie);
    assert.equal(await findSession(first.cookie, context), undefined);
    const found = await findSession(second.cookie, context);
    assert.deepEqual(found?.session.authenticated_at, clock.now());
    assert.deepEqual(found?.session.satisfied_request, satisfied_request);
    assert.deepEqual(found?.session.created_at, start);
    assert.equal(await store.count("sessions"), 1);
  });

  test("L-6: signing in again does not take over a session that ended or was renewed meanwhile", async () => {
    const { store, context, clock } = await setUp();
    const user = await aUser(store);
    const { session } = await startSession({ methods: byPassword(), user, origin }, context);
    await startSession({ methods: byPassword(), user, origin, previous: { session, user } }, context);
    const third = await startSession(
      { methods: byPassword(), user, origin, previous: { session, user } },
      context,
    );
    assert.notEqual(third.session.id, session.id);
    await store.endSession(third.session.id, clock.now());
    const fourth = await startSession(
      { methods: byPassword(), user, origin, previous: { session: third.session, user } },
      context,
    );
    assert.notEqual(fourth.session.id, third.session.id);
    assert.ok(await findSession(fourth.cookie, context));
  });

  test("L-6: signing in as another user ends the earlier session and its tokens", async () => {
    const { store, context, events } = await setUp();
    const [ada, bob] = [await aUser(store), await aUser(store)];
    const first = await startSession({ methods: byPassword(), user: ada, origin }, context);
    const token = await aToken(store, { user_id: ada.id, session_id: first.session.id });
    const previous = { session: first.session, user: ada };
    const second = await startSession({ methods: byPassword(), user: bob, origin, previous }, context);
    assert.notEqual(second.session.id, first.session.id);
    assert.equal(await findSession(first.cookie, context), undefined);
    assert.equal((await findSession(second.cookie, context))?.user.id, bob.id);
    assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "logout");
    assert.deepEqual(
      events.map(({ type, actor }) => [type, actor.id]),
      [["sign_out", ada.id]],
    );
  });

  test("L-7: a session ends after twelve hours without use", async () => {
    const { store, context, clock } = await setUp();
    const { cookie } = await startSession(
      { methods: byPassword(), user: await aUser(store), origin },
      context,
    );
    clock.advance(12 * hours - 1);
    assert.ok(await findSession(cookie, context));
    clock.advance(12 * hours - 1);
    assert.ok(await findSession(cookie, context));
    clock.advance(12 * hours);
    assert.equal(await findSession(cookie, context), undefined);
  });

  test("L-7: a session ends after seven days of use", async () => {
    const { store, context, clock } = await setUp();
    const { cookie } = await startSession(
      { methods: byPassword(), user: await aUser(store), origin },
      context,
    );
    for (let day = 0; day < 7 * 3 - 1; day += 1) {
      clock.advance(8 * hours);
      assert.ok(await findSession(cookie, context));
    }
    clock.advance(8 * hours);
    assert.equal(await findSession(cookie, context), undefined);
  });

  test("L-7: signing out and deactivation end a session immediately, and reactivation does not revive it", async () => {
    const { store, context, clock, events } = await setUp();
    const user = await aUser(store);
    const one = await startSession({ methods: byPassword(), user, origin }, context);
    const other = await startSession({ methods: byPassword(), user, origin }, context);
    await endSession({ session: one.session, user }, origin, context);
    assert.equal(await findSession(one.cookie, context), undefined);
    assert.ok(await findSession(other.cookie, context));
    assert.equal(events.at(-1)?.type, "sign_out");
    await deactivate(store, "users", user.id, clock.now());
    assert.equal(await findSession(other.cookie, context), undefined);
    await reactivate(store, "users", user.id, clock.now());
    assert.equal(await findSession(other.cookie, context), undefined);
  });

  test("L-7: a session created while its user was being deactivated does not survive", async () => {
    const { store, context, clock } = await setUp();
    const user = await aUser(store);
    await deactivate(store, "users", user.id, clock.now());
    const { cookie } = await startSession({ methods: byPassword(), user, origin }, context);
    await reactivate(store, "users", user.id, clock.now());
    assert.equal(await findSession(cookie, context), undefined);
  });

  test("last_seen_at of a session is written at most once a minute", async () => {
    const { store, context, clock } = await setUp();
    const { cookie, session } = await startSession(
      { methods: byPassword(), user: await aUser(store), origin },
      context,
    );
    const seen = async () => (await store.find("sessions", { id: session.id }))?.last_seen_at;
    clock.advance(59);
    await findSession(cookie, context);
    assert.deepEqual(await seen(), start);
    clock.advance(1);
    await findSession(cookie, context);
    assert.deepEqual(await seen(), later(60));
  });

  test("the session remembers which account its user chose", async () => {
    const { store, context } = await setUp();
    const user = await aUser(store);
    const { cookie, session } = await startSession({ methods: byPassword(), user, origin }, context);
    const hash = randomSignature();
    await rememberChoice({ session, user }, hash, context);
    assert.deepEqual((await findSession(cookie, context))?.session.satisfied_request, hash);
  });
});

test("L-5: a form token belongs to the browser before a sign-in, and to the session afterwards", async () => {
  const [sqlite] = databasesInForm;
  assert.ok(sqlite);
  const { server, store } = await testServer(await sqlite.open());
  const context = identityOn(server);
  const user = await aUser(store);
  const holders = [
    { form_cookie: newFormCookie(context) },
    { form_cookie: newFormCookie(context) },
    { session: await aSession(store, { user_id: user.id }), user },
    { session: await aSession(store, { user_id: user.id }), user },
  ];
  for (const holder of holders) {
    const token = formToken(holder, context);
    for (const other of holders) assert.equal(isFormToken(token, other, context), other === holder);
    assert.equal(isFormToken("", holder, context), false);
    assert.equal(isFormToken(token.toLowerCase(), holder, context), false);
  }
  assert.ok(isFormCookie(newFormCookie(context)));
  for (const text of ["", "pot_", "chosen", "pse_x"]) assert.equal(isFormCookie(text), false);
});
