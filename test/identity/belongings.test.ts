import assert from "node:assert/strict";
import { test } from "node:test";
import { type Actor, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { grantableScopes } from "../../src/admin/access/grantable.ts";
import { endSessionsOf } from "../../src/admin/resources/sign_out.ts";
import { countTokensOf, withdrawApp } from "../../src/admin/resources/withdraw_app.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import { connectedApps, findConnectedApp } from "../../src/people/account/connected_apps.ts";
import { ownOrganizations } from "../../src/people/account/own_organizations.ts";
import { recentAccountEvents } from "../../src/people/core/account_events.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { activeSessions } from "../../src/people/core/sessions.ts";
import type { NewRow, OAuthApp } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { problem, testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import {
  aCode,
  aConsent,
  aMembership,
  anApp,
  anOrganization,
  aSession,
  aToken,
  aUser,
  later,
  start,
} from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";

function setting(store: Store, actor?: Actor) {
  const admin = testContext(store, actor);
  const { passwords, sealer, now, clock } = admin;
  const identity: IdentityContext = {
    store,
    memory: serverMemory(),
    passwords,
    sealer,
    now,
    throttle: true,
    report() {},
  };
  return { admin, identity, clock };
}

describeInForm("records that belong to a user", (database) => {
  test("A-20: a user's connected apps are those with an active consent or an active token", async () => {
    const store = await database.open();
    const { identity, clock } = setting(store);
    const user = await aUser(store);
    const globex = await anOrganization(store, { name: "Globex" });
    const named = (name: string) => anApp(store, { name, organization_id: name === "B" ? globex.id : null });
    const [b, a, c, d, e, f] = [
      await named("B"),
      await named("A"),
      await named("C"),
      await named("D"),
      await named("E"),
      await named("F"),
    ];
    const of = (app: OAuthApp) => ({ user_id: user.id, app_id: app.id });
    await aConsent(store, { ...of(b), scopes: ["openid", "orders:read"], granted_at: later(-60) });
    await aToken(store, { ...of(b), scopes: ["email"] });
    await aToken(store, { ...of(a), scopes: ["openid"], created_at: later(-50) });
    await aToken(store, { ...of(a), scopes: ["profile"], created_at: later(-20), last_used_at: later(-5) });
    await aToken(store, { ...of(c), revoked: true });
    await aToken(store, { ...of(d), access_expires_at: later(0), refresh_expires_at: later(0) });
    await aConsent(store, { ...of(e), revoked: true });
    await aToken(store, { app_id: f.id });

    const found = await connectedApps(user, identity);
    assert.deepEqual(
      found.map(({ app, owner_name, scopes, since, last_used_at, unasked, off }) => [
        ...[app.name, owner_name, scopes.toSorted(), since, last_used_at, unasked, off],
      ]),
      [
        ["A", "Ada", ["openid", "profile"], later(-50), later(-5), true, false],
        ["B", "Globex", ["openid", "orders:read"], later(-60), null, false, false],
      ],
    );
    for (const [app, unasked] of [
      [a, true],
      [b, false],
      [c, undefined],
      [d, undefined],
      [e, undefined],
      [f, undefined],
    ] as const) {
      assert.equal((await findConnectedApp(user, app.id, identity))?.unasked, unasked);
    }
    assert.equal(await findConnectedApp(user, user.id, identity), undefined);
    // An event that ended everything of the user also ended these tokens, even if their rows do not show it
    // yet.
    const ended = { ...user, tokens_not_before: clock.now() };
    assert.equal(await findConnectedApp(ended, a.id, identity), undefined);
  });

  test("withdrawing access of an app without a consent ends only its tokens and authorization codes", async () => {
    const store = await database.open();
    const [user, other] = [await aUser(store), await aUser(store)];
    const { admin } = setting(store, { kind: "user", user });
    const [app, another] = [await anApp(store), await anApp(store)];
    const [mine, theirs] = [
      { user_id: user.id, app_id: app.id },
      { user_id: other.id, app_id: app.id },
    ];
    const ends = [await aToken(store, mine), await aToken(store, mine)];
    await aToken(store, { ...mine, access_expires_at: later(0), refresh_expires_at: later(0) });
    const stays = [await aToken(store, theirs), await aToken(store, { ...mine, app_id: another.id })];
    await aCode(store, mine);
    await aCode(store, theirs);
    assert.equal(await countTokensOf(admin, mine), 2);
    await assert.rejects(countTokensOf(admin, theirs), problem("not_found"));
    await assert.rejects(withdrawApp(admin, theirs), problem("not_found"));
    await withdrawApp(admin, mine);
    for (const { id } of ends) {
      const row = await store.find("oauth_tokens", { id });
      assert.deepEqual([row?.revoked, row?.revoked_reason], [true, "consent_withdrawn"]);
    }
    for (const { id } of stays) assert.equal((await store.find("oauth_tokens", { id }))?.revoked, false);
    assert.equal(await store.count("oauth_auth_codes", mine), 0);
    assert.equal(await store.count("oauth_auth_codes", theirs), 1);
    const [event] = await store.list("audit_events", { type: "app.access_ended" });
    assert.deepEqual([event?.actor_id, event?.target_id], [user.id, app.id]);
  });

  test("withdrawing access of an app with a consent ends the consent too", async () => {
    const store = await database.open();
    const user = await aUser(store);
    const { admin } = setting(store, { kind: "user", user });
    const mine = { user_id: user.id, app_id: (await anApp(store)).id };
    const consent = await aConsent(store, mine);
    await aToken(store, mine);
    assert.equal(await countTokensOf(admin, mine), 1);
    await withdrawApp(admin, mine);
    assert.equal((await store.find("oauth_consents", { id: consent.id }))?.revoked, true);
    assert.equal(await countTokensOf(admin, mine), 0);
  });

  test("L-7: active sessions are listed newest first in pages, and all others than one can be ended at once", async () => {
    const store = await database.open();
    const user = await aUser(store);
    const { admin, identity, clock } = setting(store, { kind: "user", user });
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      made.push((await aSession(store, { user_id: user.id, created_at: later(count) })).id);
    }
    await aSession(store, { user_id: user.id, ended_at: later(1) });
    const another = await aSession(store);
    clock.advance(10);
    const first = await activeSessions(user, { limit: 3 }, identity);
    assert.ok(first.next !== undefined);
    const second = await activeSessions(user, { limit: 3, before: first.next }, identity);
    assert.equal(second.next, undefined);
    const listed = [...first.sessions, ...second.sessions].map(({ id }) => id);
    assert.deepEqual(listed, made.toReversed());
    const ended = { ...user, tokens_not_before: later(2) };
    assert.equal((await activeSessions(ended, { limit: 9 }, identity)).sessions.length, 2);
    assert.deepEqual((await activeSessions({ ...user, active: false }, { limit: 9 }, identity)).sessions, []);

    await endSessionsOf(admin, user.id, made[2]);
    const left = await activeSessions(user, { limit: 9 }, identity);
    assert.deepEqual(
      left.sessions.map(({ id }) => id),
      [made[2]],
    );
    assert.equal((await store.find("sessions", { id: another.id }))?.ended_at, null);
    await endSessionsOf(admin, user.id);
    assert.deepEqual((await activeSessions(user, { limit: 9 }, identity)).sessions, []);
  });

  test("a user's organizations are listed by name, including inactive ones", async () => {
    const store = await database.open();
    const user = await aUser(store);
    for (const [name, active] of [
      ["Initech", false],
      ["Acme", true],
    ] as const) {
      const { id: organization_id } = await anOrganization(store, { name, active });
      await aMembership(store, { user_id: user.id, organization_id, role: name });
    }
    await aMembership(store);
    const found = await ownOrganizations(user, setting(store).identity);
    assert.deepEqual(
      found.map(({ membership, organization }) => [organization.name, membership.role]),
      [
        ["Acme", "Acme"],
        ["Initech", "Initech"],
      ],
    );
  });

  test("T-5: the pages with a user's own records read a bounded number of rows", async () => {
    const store = await database.open();
    const user = await aUser(store);
    const { admin, identity } = setting(store, { kind: "user", user });
    const owner = { user_id: user.id, organization_id: null };
    const requested: unknown[] = [];
    const counted = async <R>(table: string, reading: Promise<R[]>) => {
      const rows = await reading;
      if (table === "oauth_tokens" || table === "oauth_apps") requested.push([table, rows.length]);
      return rows;
    };
    const counting: Store = {
      ...store,
      list: (table, ...asked) => counted(table, store.list(table, ...asked)),
      listColumns: (table, ...asked) => counted(table, store.listColumns(table, ...asked)),
    };
    const app_id = "00000000-0000-7000-8000-000000000001";
    await anApp(store, { id: app_id, allowed_scopes: ["orders:oldest"], owner_id: user.id });
    const mine = { user_id: user.id, app_id };
    for (let index = 0; index < 200; index++) {
      await anApp(store, { allowed_scopes: ["orders:read"], owner_id: user.id });
    }
    for (let index = 0; index < 1001; index++) await aToken(store, mine);
    assert.equal(await countTokensOf({ ...admin, store: counting }, mine), 1000);
    assert.ok(await findConnectedApp(user, app_id, { ...identity, store: counting }));
    const offered = await grantableScopes(counting, await permissionsOfActor(admin), owner);
    assert.deepEqual(
      offered.filter((scope) => scope.startsWith("orders:")),
      ["orders:read"],
    );
    assert.deepEqual(requested, [
      ["oauth_tokens", 1000],
      ["oauth_tokens", 200],
      ["oauth_apps", 200],
    ]);
  });

  test("the scopes offered for an API key are those that the user may grant", async () => {
    const store = await database.open();
    const user = await aUser(store);
    const { admin } = setting(store, { kind: "user", user, scopes: ["postern:users:read"] });
    const owner = { user_id: user.id, organization_id: null };
    const offered = await grantableScopes(store, await permissionsOfActor(admin), owner);
    assert.deepEqual(offered, ["postern:users:read"]);
  });
});

describeInForm("recent events shown on the account", (database) => {
  async function setUp() {
    const { server } = await testServer(await database.open());
    const { store } = server;
    const [ada, root] = [await aUser(store), await aUser(store)];
    let seconds = 0;
    const note = async (event: Pick<NewRow<"audit_events">, "type"> & Partial<NewRow<"audit_events">>) => {
      seconds += 1;
      const created_at = new Date(start.getTime() + seconds * 1000);
      await store.insert("audit_events", {
        id: store.newId(created_at),
        outcome: "success",
        actor_kind: "user",
        actor_id: ada.id,
        organization_id: null,
        target_table: null,
        target_id: null,
        client_ip: "192.0.2.7",
        user_agent: "curl/8",
        request_id: null,
        details: null,
        created_at,
        ...event,
      });
    };
    const kinds = async (most = 10) =>
      (await recentAccountEvents(ada, most, { store })).map(({ kind }) => kind);
    return { store, ada, root, note, kinds };
  }

  test("only sign-ins and changes of sign-in methods are listed, newest first", async () => {
    const { note, kinds, ada } = await setUp();
    await note({ type: "sign_in" });
    await note({ type: "app.created", target_table: "oauth_apps", target_id: "1" });
    await note({ type: "sign_in", outcome: "failure" });
    const own = { type: "user.updated", target_table: "users", target_id: ada.id };
    await note({ ...own, details: { after: { name: "Ada" } } });
    await note({ ...own, details: { after: {}, also_changed: ["password_hash"] } });
    await note({ ...own, details: { after: { email: "a@example.com" } } });
    assert.deepEqual(await kinds(), ["email_changed", "password_changed", "sign_in_failed", "sign_in"]);
    assert.deepEqual(await kinds(2), ["email_changed", "password_changed"]);
  });

  test("changes and resets of passkeys, authenticator apps, recovery codes and linked accounts are listed", async () => {
    const { note, kinds, ada, root } = await setUp();
    const done = [
      ["passkey.created", "passkeys"],
      ["passkey.updated", "passkeys"],
      ["passkey.deleted", "passkeys"],
      ["authenticator_app.created", "totp_authenticators"],
      ["authenticator_app.updated", "totp_authenticators"],
      ["authenticator_app.deleted", "totp_authenticators"],
      ["recovery_codes.created", "users"],
      ["recovery_code.used", "users"],
      ["linked_account.created", "oauth_accounts"],
      ["linked_account.deleted", "oauth_accounts"],
    ] as const;
    for (const [type, target_table] of done) {
      await note({ type, target_table, target_id: target_table === "users" ? ada.id : root.id });
    }
    await note({ type: "passkey.refused", target_table: "passkeys", target_id: "1", outcome: "failure" });
    await note({ type: "passkey.created", target_table: "passkeys", target_id: "1", outcome: "failure" });
    const byRoot = { actor_id: root.id, target_table: "users", target_id: ada.id };
    for (const type of ["user.factors_reset", "user.factor_removed"]) await note({ type, ...byRoot });
    const taken = ["user.factors_reset", "user.factor_removed"];
    const expected = [...done.map(([type]) => type), "passkey.refused", ...taken];
    assert.deepEqual(await kinds(20), expected.toReversed());
  });

  test("an administrator's actions are listed without the administrator's address and device", async () => {
    const { store, ada, root, note } = await setUp();
    const details = { after: {}, also_changed: ["password_hash"] };
    const done = { type: "user.updated", actor_id: root.id, target_table: "users", details };
    await note({ ...done, target_id: ada.id });
    const [event, ...more] = await recentAccountEvents(ada, 10, { store });
    assert.deepEqual(more, []);
    assert.equal(event?.kind, "password_changed");
    assert.deepEqual([event.by_other, event.client_ip, event.user_agent], [true, null, null]);
    assert.deepEqual(await recentAccountEvents(root, 10, { store }), []);
  });

  test("events of other users are not listed", async () => {
    const { root, note, kinds } = await setUp();
    await note({ type: "sign_in", actor_id: root.id });
    await note({ type: "sign_in", actor_kind: "anonymous", actor_id: null });
    assert.deepEqual(await kinds(), []);
  });
});
