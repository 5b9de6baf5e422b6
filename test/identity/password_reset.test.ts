import assert from "node:assert/strict";
import { test } from "node:test";
import { updateUser } from "../../src/admin/records/users.ts";
import { weaknessOf } from "../../src/people/authenticators/passkeys/first_credential.ts";
import {
  admitResetRequest,
  findResetLink,
  makeResetMail,
  resetPassword,
} from "../../src/people/authenticators/password/password_reset.ts";
import { findSession, startSession } from "../../src/people/core/sessions.ts";
import { makeFirstAdministrator } from "../../src/people/entry/setup.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { problem } from "../admin/context.ts";
import { insertAny } from "../storage/any_row.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aCode, anApiKey, anOAuthAccount, aToken, aUser, byPassword, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, reactivate } from "../support/endings.ts";
import { identityOn } from "../support/identity_context.ts";
import { aPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const old = "the old password of ada";
const fresh = "an entirely new password";

describeInForm("forgotten passwords", (database) => {
  async function setUp(overrides: Partial<User> = {}) {
    const it: TestServer = await testServer(await database.open());
    const context = identityOn(it.server);
    const { store, passwords } = context;
    const password_hash = await passwords.hash(old);
    const user = await aUser(store, { email: "Ada@example.com", password_hash, ...overrides });
    const ask = (email = user.email) => makeResetMail({ email, origin }, context);
    const link = async () => {
      const message = await ask();
      assert.equal(message?.type, "link");
      return message.token;
    };
    const use = (token: string, password = fresh) => resetPassword({ token, password, origin }, context);
    const signInWith = async (password: string) =>
      (await signIn({ email: user.email, password, origin }, context)).type;
    return { ...it, context, user, ask, link, use, signInWith };
  }

  test("a password link works once, and only its signature is stored", async () => {
    const { store, clock, context, user, link, use, signInWith } = await setUp();
    const token = await link();
    assert.match(token, /^pot_[A-Za-z0-9_-]{51}$/);
    const kept = JSON.stringify(await store.list("ephemera"));
    assert.ok(kept.includes("proof"));
    assert.ok(!kept.includes(token) && !kept.toLowerCase().includes("ada@example.com"));
    assert.equal((await findResetLink(token, context))?.id, user.id);
    assert.equal((await use(token)).type, "done");
    clock.advance(1);
    assert.equal(await signInWith(fresh), "signed_in");
    assert.equal(await signInWith(old), "refused");
    assert.equal(await findResetLink(token, context), undefined);
    assert.deepEqual(await use(token, "another password entirely"), { type: "dead_link" });
    assert.equal(await signInWith(fresh), "signed_in");
  });

  test("G-6: changing the user's address or making them administrator ends the link permanently (security findings 2 and 23)", async () => {
    const changes = [
      [{ email: "new@example.com" }, { email: "Ada@example.com" }],
      [{ is_platform_admin: true }, { is_platform_admin: false }],
    ];
    for (const [change, back] of changes) {
      const { context, store, user, link, use, clock, ask } = await setUp();
      await aUser(store, { is_platform_admin: true });
      const system = { kind: "system", label: "test" } as const;
      const admin = { store, passwords: context.passwords, now: clock.now, actor: system, switches: {} };
      const token = await link();
      clock.advance(1);
      await updateUser(admin, user.id, { name: "Augusta" });
      assert.ok(await findResetLink(token, context), "another change leaves it");
      await updateUser(admin, user.id, change ?? {});
      assert.equal(await findResetLink(token, context), undefined);
      clock.advance(1);
      await updateUser(admin, user.id, back ?? {});
      assert.equal(await findResetLink(token, context), undefined);
      assert.deepEqual(await use(token), { type: "dead_link" });
      const message = await ask("ada@example.com");
      assert.equal(message?.type, "link");
      assert.equal((await use(message?.type === "link" ? message.token : "")).type, "done");
    }
  });

  test("a password link works for thirty minutes", async () => {
    const { clock, context, link, use } = await setUp();
    const first = await link();
    clock.advance(30 * 60 - 1);
    assert.ok(await findResetLink(first, context));
    clock.advance(1);
    assert.equal(await findResetLink(first, context), undefined);
    assert.deepEqual(await use(first), { type: "dead_link" });
  });

  test("if a user has several password links, only the newest works", async () => {
    const { link, use } = await setUp();
    const first = await link();
    const second = await link();
    const third = await link();
    assert.deepEqual(await use(first), { type: "dead_link" });
    assert.deepEqual(await use(second), { type: "dead_link" });
    assert.equal((await use(third)).type, "done");
  });

  test("if a password link is used several times at once, one use sets the password", async () => {
    const { clock, link, use, signInWith } = await setUp();
    const token = await link();
    const candidates = [1, 2, 3, 4].map((number) => `candidate password number ${number}`);
    const outcomes = await Promise.all(candidates.map((candidate) => use(token, candidate)));
    assert.deepEqual(outcomes.map(({ type }) => type).toSorted(), [
      "dead_link",
      "dead_link",
      "dead_link",
      "done",
    ]);
    clock.advance(1);
    const winner = candidates[outcomes.findIndex(({ type }) => type === "done")] ?? "";
    assert.equal(await signInWith(winner), "signed_in");
  });

  test("L-7: using a password link ends all sessions, tokens and codes of the user, and starts no session", async () => {
    const { store, clock, context, user, link, use } = await setUp();
    const sessions = [
      await startSession({ methods: byPassword(), user, origin }, context),
      await startSession({ methods: byPassword(), user, origin }, context),
    ];
    const token = await aToken(store, { user_id: user.id });
    await aCode(store, { user_id: user.id });
    const stranger = await aUser(store);
    const theirs = await startSession({ methods: byPassword(), user: stranger, origin }, context);
    const theirToken = await aToken(store, { user_id: stranger.id });
    clock.advance(1);
    const used = await link();
    for (const { cookie } of sessions) assert.ok(await findSession(cookie, context));
    assert.equal((await use(used)).type, "done");
    for (const { cookie } of sessions) assert.equal(await findSession(cookie, context), undefined);
    assert.equal(await store.count("sessions", { user_id: user.id, ended_at: null }), 0);
    const row = await store.find("oauth_tokens", { id: token.id });
    assert.deepEqual([row?.revoked, row?.revoked_reason], [true, "password_changed"]);
    assert.equal(await store.count("oauth_auth_codes", { user_id: user.id }), 0);
    assert.deepEqual((await store.find("users", { id: user.id }))?.tokens_not_before, clock.now());
    assert.ok(await findSession(theirs.cookie, context));
    assert.equal((await store.find("oauth_tokens", { id: theirToken.id }))?.revoked, false);
  });

  test("L-13: a forbidden password is refused with its error, and the link stays valid", async () => {
    const { link, use, signInWith } = await setUp();
    const token = await link();
    for (const [password, weakness] of [
      ["short", "too_short"],
      ["x".repeat(1025), "too_long"],
      ["password1", "too_common"],
    ] as const) {
      assert.deepEqual(await use(token, password), { type: "refused", weakness });
    }
    assert.equal(await signInWith(old), "signed_in");
    assert.equal((await use(token)).type, "done");
  });

  test("L-13: a setting can require longer new passwords of every user, and existing passwords still sign in", async () => {
    const { context, server, user, link, signInWith } = await setUp();
    const settings = { password_length: 25 };
    const longer = { ...context, settings };
    const token = await link();
    const reset = (password: string) => resetPassword({ token, password, origin }, longer);
    assert.deepEqual(await reset(fresh), { type: "refused", weakness: "too_short" });
    assert.deepEqual(weaknessOf({ password: fresh }, longer), "too_short");
    assert.equal(weaknessOf({ password: fresh }, context), undefined);
    const first = { name: "Eve", email: "eve@example.com", password: fresh };
    const made = await makeFirstAdministrator(first, longer);
    assert.deepEqual(made.type === "refused" && made.errors.map(({ path, code }) => [path, code]), [
      ["/password", "password_too_short"],
    ]);
    const actor = { kind: "system", label: "test" } as const;
    const admin = { ...server, issuer: "https://id.example", actor, switches: settings };
    await assert.rejects(
      updateUser(admin as never, user.id, { password: fresh }),
      problem("invalid_record", ["/password"]),
    );
    assert.equal(await signInWith(old), "signed_in", "23 characters");
    assert.equal((await reset(`${fresh}!`)).type, "done");
  });

  test("whatever ends the user's tokens also ends the links, such as a new password or a deactivation", async () => {
    const { store, clock, server, user, link, use } = await setUp();
    const actor = { kind: "system", label: "test" } as const;
    const { passwords, sealer, now } = server;
    const management = { store, passwords, sealer, now, actor, switches: {} };

    const before = await link();
    clock.advance(1);
    await updateUser(management, user.id, { password: "chosen in another way" });
    assert.deepEqual(await use(before), { type: "dead_link" });

    const during = await link();
    clock.advance(1);
    await deactivate(store, "users", user.id, clock.now());
    assert.deepEqual(await use(during), { type: "dead_link" });
    clock.advance(1);
    await reactivate(store, "users", user.id, clock.now());
    assert.deepEqual(await use(during), { type: "dead_link" });
  });

  test("the mail goes to the address in the account, however it was typed in the form", async () => {
    const { ask } = await setUp({ email: "mike@example.com" });
    assert.equal((await ask(" MIKE@EXAMPLE.COM "))?.to, "mike@example.com");
    // A Kelvin sign is a k in lower case, but a dotless i is not an i.
    assert.equal((await ask("mi\u212Ae@example.com"))?.to, "mike@example.com");
    assert.equal(await ask("m\u0131ke@example.com"), undefined);
  });

  test("a deactivated account gets a mail without a link, and an unknown address gets no mail", async () => {
    const inactive = await setUp({ active: false });
    assert.deepEqual(await inactive.ask(), { type: "inactive", to: "Ada@example.com" });
    assert.equal(await inactive.ask("nobody@example.com"), undefined);
  });

  test("SS-13 a user without a password gets a mail with their sign-in methods, and a link only if they have none", async () => {
    const { store, clock, context, user, link, ask, use, signInWith } = await setUp({
      password_hash: null,
    });
    const token = await link();
    await insertAny(store, "providers", {}, { slug: "acme", label: "Acme", active: true });
    await insertAny(store, "providers", {}, { slug: "off", label: "Off", active: false });
    await anOAuthAccount(store, { user_id: user.id, provider: "off" });
    assert.ok(await findResetLink(token, context), "a provider that is switched off is no way in");
    await anOAuthAccount(store, { user_id: user.id, provider: "acme" });
    const reported = (passkey: boolean) => ({
      type: "other_ways",
      to: user.email,
      ways: { passkey, providers: ["Acme"] },
    });
    assert.deepEqual(await ask(), reported(false));
    await insertAny(store, "passkeys", { users: user.id }, { signs_in: true, uv_initialized: true });
    assert.deepEqual(await ask(), reported(true));
    await store.remove("passkeys", {});
    await store.remove("oauth_accounts", {});
    assert.equal((await use(await link())).type, "done");
    clock.advance(1);
    assert.equal(await signInWith(fresh), "signed_in");
  });

  test("SS-13 a link for a first password ends when the account gets another sign-in method", async () => {
    const { store, user, link, use } = await setUp({ password_hash: null });
    const token = await link();
    await insertAny(store, "passkeys", { users: user.id }, { signs_in: true, uv_initialized: true });
    assert.deepEqual(await use(token), { type: "dead_link" });
    assert.equal((await store.find("users", { id: user.id }))?.password_hash, null);
  });

  test("EP-11: the first proof of an address ends links, API keys and passkeys made before; a later proof does not", async () => {
    const { store, user, context, link, use } = await setUp();
    const { passkey } = await aPasskey(user, context);
    const app = await anAuthenticatorApp(user, context);
    const key = await anApiKey(store, { user_id: user.id });
    const stranger = await anOAuthAccount(store);
    const prepared = await anOAuthAccount(store, { user_id: user.id });
    const first = await use(await link());
    assert.ok(first.type === "done");
    assert.deepEqual(
      first.removed.links.map(({ id }) => id),
      [prepared.id],
    );
    assert.deepEqual(first.removed.passkeys, [passkey.name]);
    assert.equal(await store.find("passkeys", { id: passkey.id }), undefined);
    assert.equal((await store.find("api_keys", { id: key.id }))?.revoked, true);
    assert.ok(await store.find("totp_authenticators", { id: app.id }), "a second factor stays");
    const left = async () => (await store.list("oauth_accounts")).map(({ id }) => id);
    assert.deepEqual(await left(), [stranger.id]);
    assert.equal(await store.count("audit_events", { type: "linked_account.deleted" }), 1);
    const own = await anOAuthAccount(store, { user_id: user.id });
    const second = await use(await link());
    assert.ok(second.type === "done" && second.removed.links.length === 0);
    assert.deepEqual((await left()).toSorted(), [stranger.id, own.id].toSorted());
  });

  test("MF-9 a reset changes only the password: factors stay required, and remembered browsers are forgotten", async () => {
    const { store, clock, user, link, use, signInWith } = await setUp({ email_verified_at: start });
    const stranger = await aUser(store);
    const factors = ["passkeys", "totp_authenticators", "recovery_codes"] as const;
    for (const table of factors) await insertAny(store, table, { users: user.id });
    await anOAuthAccount(store, { user_id: user.id });
    for (const { id } of [user, stranger]) await insertAny(store, "devices", { users: id });
    const kept = () =>
      Promise.all(
        [...factors, "oauth_accounts" as const].map((table) => store.list(table, { user_id: user.id })),
      );
    const before = await kept();
    assert.ok(before.every((rows) => rows.length === 1));
    clock.advance(1);
    assert.equal((await use(await link())).type, "done");
    assert.deepEqual(await kept(), before);
    assert.equal(await store.count("devices", { user_id: user.id }), 0);
    assert.equal(await store.count("devices", { user_id: stranger.id }), 1);
    assert.equal(await store.count("sessions", { user_id: user.id }), 0, "nobody is signed in");
    clock.advance(1);
    assert.equal(await signInWith(fresh), "second_factor");
  });

  test("L-9: a request for an unknown address writes the same rows as one for a known address", async () => {
    const { store, ask } = await setUp();
    const shape = async () =>
      (await store.list("ephemera")).map(({ kind, key, value, expires_at }) => [
        kind,
        key.length,
        value?.length,
        expires_at.getTime(),
      ]);
    await ask();
    const known = await shape();
    await store.remove("ephemera", {});
    await ask("bob@example.com");
    assert.equal(known.length, 2);
    assert.deepEqual((await shape()).map(String).toSorted(), known.map(String).toSorted());
  });

  test("L-10: requests are limited by address and by source, equally for unknown addresses", async () => {
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      const { clock, context } = await setUp();
      const from = (client_ip: string, address = email) =>
        admitResetRequest({ email: address, origin: { ...origin, client_ip } }, context);
      for (let times = 0; times < 5; times++) assert.equal(await from(`198.51.100.${times}`), undefined);
      assert.equal(await from("198.51.100.99"), 900);
      assert.equal(await from("198.51.100.99", email.toUpperCase()), 900);
      for (let times = 0; times < 18; times++)
        assert.equal(await from("198.51.100.99", `other${times}@example.com`), undefined);
      assert.equal(await from("198.51.100.99", "one-more@example.com"), 900);
      clock.advance(900);
      assert.equal(await from("198.51.100.99"), undefined);
    }
  });

  test("B-8: requests for endless addresses leave few rows, and do not block other sources (security finding 7)", async () => {
    const { store, context } = await setUp();
    const group = (n: number) => n.toString(16);
    const from = (client_ip: string, n: number) =>
      admitResetRequest({ email: `nobody-${n}@example.com`, origin: { ...origin, client_ip } }, context);
    let admitted = 0;
    for (let n = 0; n < 500; n += 1)
      if ((await from(`2001:db8:1:${group(n)}::1`, n)) === undefined) admitted += 1;
    assert.equal(admitted, 40);
    assert.equal(await from("198.51.100.7", 0), undefined);
    const requests = Array.from({ length: 3000 }, (_, n) => from(`2001:db8:${group(n + 16)}::1`, n));
    const answers = await Promise.all(requests);
    assert.equal(answers.filter((answer) => answer === undefined).length, 500 - 41);
    assert.ok(answers.every((answer) => answer === undefined || answer === 30));
    assert.ok((await store.count("ephemera")) <= 3 * 500);
  });

  test("a user who sets a new password can sign in despite earlier wrong guesses", async () => {
    const { clock, link, use, signInWith } = await setUp();
    for (let times = 0; times < 10; times++) assert.equal(await signInWith("a wrong guess"), "refused");
    assert.equal(await signInWith(old), "throttled");
    assert.equal((await use(await link())).type, "done");
    clock.advance(1);
    assert.equal(await signInWith(fresh), "signed_in");
  });

  test("H-8: requests and uses are in the audit log, without address, password or token", async () => {
    const { events, user, ask, link, use } = await setUp();
    await ask("nobody@example.com");
    const token = await link();
    await use(token);
    const reported = events.map(({ type, outcome, actor, target, details }) => ({
      type,
      outcome,
      actor: actor.id,
      target: target?.id,
      details,
    }));
    assert.deepEqual(reported, [
      {
        type: "password_reset_request",
        outcome: "failure",
        actor: undefined,
        target: undefined,
        details: { reason: "unknown_user" },
      },
      {
        type: "password_reset_request",
        outcome: "success",
        actor: undefined,
        target: user.id,
        details: undefined,
      },
      { type: "password_reset", outcome: "success", actor: user.id, target: user.id, details: undefined },
    ]);
    const text = JSON.stringify(events);
    for (const secret of [token, fresh, "example.com"]) assert.ok(!text.includes(secret));
  });

  test("a text that is not a token of this server is refused", async () => {
    const { context, link } = await setUp();
    const token = await link();
    for (const other of ["", "pot_", token.slice(0, -1), `${token} `, token.replace("pot_", "pse_"), "null"])
      assert.equal(await findResetLink(other, context), undefined);
  });
});
