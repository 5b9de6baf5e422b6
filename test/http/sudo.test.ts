import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { UnavailableError } from "../../src/errors.ts";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, type Setting, sendForm, setUp, submit, withCookie } from "../support/account.ts";
import { hiddenField, password, testBrowser } from "../support/app.ts";
import { anOAuthAccount, aProvider } from "../support/builders.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const path = "/account/api-keys/new";
const session = "__Host-postern_session";
const typed = { name: `Backup <"ü" 备份>`, lifetime: "30", scope: "postern:users:read" };
const fresh = "an entirely new password";

type Answer = LightMyRequestResponse;

/** Sends the completed form of a new API key. */
const make = ({ browser }: Pick<Setting, "browser">, more: Record<string, string> = {}) =>
  submit(browser, path, undefined, { ...typed, ...more });

/** Sends the form of the sudo page with these proofs. */
const prove = ({ browser }: Pick<Setting, "browser">, page: Answer, proofs: Record<string, string> = {}) =>
  sendForm(browser, page, path, proofs);

const asks = ({ body }: Answer) => body.includes("<h1>Confirm that it is you</h1>");
const seen = (answer: Answer) => [answer.statusCode, asks(answer)];

const keysOf = async ({ store, user }: Setting) =>
  (await store.list("api_keys", { user_id: user.id }, { order_by: "id" })).map(({ name }) => name);

/** Returns a user who signed in more than five minutes ago. */
async function later(throttle = false) {
  const it = await setUp({ is_platform_admin: true }, throttle);
  it.clock.advance(300);
  return it;
}

test("SU-6: a sensitive form sent later than five minutes waits for a fresh proof, and keeps its fields", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(299);
  assert.ok(!asks(await make(it, { name: "First" })), "within them it goes on at once");
  it.clock.advance(1);
  const requested = await make(it);
  assert.deepEqual(seen(requested), [200, true]);
  assert.ok(!requested.body.includes("Backup"), "what was typed is sealed: fields may be secret");
  const empty = await prove(it, requested);
  assert.deepEqual(seen(empty), [200, true]);
  const wrong = await prove(it, empty, { sudo_password: "not it" });
  assert.deepEqual(seen(wrong), [401, true]);
  assert.deepEqual(await keysOf(it), ["First"]);
  const right = await prove(it, wrong, { sudo_password: password });
  assert.deepEqual(seen(right), [200, false]);
  const [key] = await it.store.list("api_keys", { name: typed.name });
  assert.deepEqual(key?.scopes, [typed.scope]);
  assert.ok(!asks(await make(it, { name: "Third" })), "the proof counts for five minutes");
  assert.equal((await keysOf(it)).length, 3);
});

test("SU-6: a form submitted twice with its proof creates one record", async () => {
  const it = await later();
  const requested = await make(it);
  const proof = { sudo_password: password };
  const answers = [await prove(it, requested, proof), await prove(it, requested, proof)];
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  );
  assert.equal((await keysOf(it)).length, 1);
});

test("SU-5: after a proof the session has a new cookie, the old one ends, and form tokens stay valid", async () => {
  const it = await later();
  const before = it.browser.cookies.get(session);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  const page = await it.browser.get(path);
  const requested = await sendForm(it.browser, page, path, typed);
  assert.equal(it.browser.cookies.get(session), before, "asking rotates nothing");
  await prove(it, requested, { sudo_password: password });
  assert.notEqual(it.browser.cookies.get(session), before);
  assert.equal((await withCookie(it.app, before).get("/account")).statusCode, 302);
  const [after, ...others] = await it.store.list("sessions", { user_id: it.user.id });
  assert.deepEqual([after?.id, others.length], [row?.id, 0]);
  assert.deepEqual(
    after?.methods?.map(({ kind, at }) => [kind, at]),
    [["password", it.clock.now().getTime()]],
  );
  assert.ok(!asks(await sendForm(it.browser, page, path, typed)));
});

test("SU-6: a proof that the server was unable to check confirms nothing, and does not count as a guess", async (t) => {
  const it = await later(true);
  const page = await make(it);
  const fails = t.mock.method(it.server.passwords, "verify", async () => {
    throw new UnavailableError("gone", "no memory for a hash", undefined);
  });
  for (let guess = 0; guess < 11; guess++)
    assert.equal((await prove(it, page, { sudo_password: "any" })).statusCode, 503);
  assert.equal(fails.mock.callCount(), 11);
  assert.deepEqual(await keysOf(it), []);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  assert.ok(row?.methods?.every(({ at }) => at < it.clock.now().getTime()));
  fails.mock.restore();
  assert.deepEqual(seen(await prove(it, page, { sudo_password: password })), [200, false]);
});

test("SU-6: fields saved for another form or session are refused", async () => {
  const it = await later();
  const requested = await make(it);
  const sudo_form = hiddenField(requested, "sudo_form");
  const elsewhere = { sudo_form, current_password: password };
  assert.equal((await submit(it.browser, "/account/password", undefined, elsewhere)).statusCode, 403);
  const other = testBrowser(it.app);
  await it.enter(other);
  assert.equal((await submit(other, path, undefined, { sudo_form })).statusCode, 403);
  const made_up = { sudo_password: password, sudo_form: "v1.abcd.efgh" };
  assert.equal((await prove(it, requested, made_up)).statusCode, 403);
  assert.deepEqual(await keysOf(it), []);
});

test("SU-6: wrong proofs count towards the account's guesses before they are checked, and lose no field", async () => {
  const it = await later(true);
  let page = await make(it);
  for (let guess = 0; guess < 10; guess++) {
    page = await prove(it, page, { sudo_password: `guess ${guess}` });
    assert.equal(page.statusCode, 401);
  }
  const throttled = await prove(it, page, { sudo_password: password });
  assert.deepEqual(seen(throttled), [429, true]);
  assert.ok(Number(throttled.headers["retry-after"]) > 0);
  assert.equal((await it.enter(testBrowser(it.app))).statusCode, 429, "one budget with signing in");
  it.clock.advance(900);
  assert.equal((await prove(it, throttled, { sudo_password: password })).statusCode, 200);
  assert.deepEqual(await keysOf(it), [typed.name]);
});

test("SU-6: if two windows send the proof at once, one continues and the other may have to repeat it", async () => {
  const it = await later();
  const cookie = it.browser.cookies.get(session);
  const windows = [withCookie(it.app, cookie), withCookie(it.app, cookie)];
  const pages = await Promise.all(windows.map((browser) => make({ browser })));
  const answers = await Promise.all(
    windows.map((browser, at) => prove({ browser }, pages[at] as Answer, { sudo_password: password })),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  const done = statuses.filter((status) => status === 200);
  assert.ok(done.length > 0 && statuses.every((status) => [200, 302, 409].includes(status)), statuses.join());
  assert.equal((await keysOf(it)).length, done.length);
});

test("SU-6: a form that asks for the current password needs no other proof", async () => {
  const it = await later();
  const change = (more: Record<string, string> = {}) =>
    submit(it.browser, "/account/password", undefined, { password: fresh, password_again: fresh, ...more });
  assert.deepEqual(seen(await change()), [422, false]);
  // In addition to the form's own password, the sudo page requires the remaining factors of the account's
  // highest level.
  await insertAny(it.store, "totp_authenticators", { users: it.user.id });
  const requested = await change({ current_password: password });
  assert.deepEqual(seen(requested), [200, true]);
  assert.ok(!requested.body.includes(fresh), "no password is in a page");
  await it.store.remove("totp_authenticators", {});
  assert.equal((await change({ current_password: password })).statusCode, 303);
});

test("SU-6: changing the email on the profile needs a proof, and changing the name does not", async () => {
  const it = await later();
  await insertAny(it.store, "totp_authenticators", { users: it.user.id });
  const save = (email: string) =>
    submit(it.browser, "/account", undefined, { avatar_url: "", name: "Ada", email });
  assert.deepEqual(seen(await save("new@example.com")), [200, true]);
  assert.equal((await save(it.user.email)).statusCode, 303);
});

/** Returns a user with an authenticator app and recovery codes who signed in before adding them. */
async function withFactors() {
  const it = await later();
  const { secret } = await anAuthenticatorApp(it.user, it.identity);
  const recovery_codes = await someRecoveryCodes(it.user, it.identity);
  return { ...it, secret, recovery_codes };
}

test("SU-6: a user with an authenticator app must prove both factors", async () => {
  const it = await withFactors();
  const requested = await make(it);
  assert.match(requested.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  const half = await prove(it, requested, { sudo_password: password });
  assert.deepEqual([half.statusCode, half.body.includes("sudo_password")], [200, false]);
  assert.match(half.body, /name="sudo_totp"/);
  const wrong = await prove(it, half, { sudo_totp: wrongTotpCode(it.secret, it.clock.now()) });
  assert.deepEqual([wrong.statusCode, await keysOf(it)], [401, []]);
  const right = await prove(it, wrong, { sudo_totp: totpCode(it.secret, it.clock.now()) });
  assert.deepEqual(seen(right), [200, false]);
  assert.deepEqual(await keysOf(it), [typed.name]);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  assert.equal(row?.acr, "urn:postern:acr:mfa");
});

test("SU-6: a wrong password does not use up the code, and a code works once", async () => {
  const it = await withFactors();
  const sudo_totp = totpCode(it.secret, it.clock.now());
  const wrong = await prove(it, await make(it), { sudo_password: "not it", sudo_totp });
  assert.equal(wrong.statusCode, 401);
  assert.deepEqual(seen(await prove(it, wrong, { sudo_password: password, sudo_totp })), [200, false]);
  await it.store.update("sessions", { user_id: it.user.id }, { methods: null });
  it.clock.advance(1);
  const replayed = await prove(it, await make(it), { sudo_password: password, sudo_totp });
  assert.equal(replayed.statusCode, 401);
});

/** Returns a user without a password, who uses a provider without reauthentication. */
async function throughGithub(days: number) {
  // Created long before, because the browser in which an account was created needs no waiting day.
  const person = { is_platform_admin: true, created_at: new Date("2029-12-01T00:00:00Z") };
  const it = await aPersonAt({ person, days: 0, throttle: true });
  const { store, user, clock } = it;
  await aProvider(store, { slug: "github", preset: "github" });
  await anOAuthAccount(store, { user_id: user.id, provider: "github" });
  await store.update("users", { id: user.id }, { password_hash: null });
  const methods = [{ kind: "provider", credential: null, at: clock.now().getTime() }] as const;
  clock.advance(days * 86_400 + 1);
  // The session was in use throughout.
  await store.update("sessions", { user_id: user.id }, { methods, last_seen_at: clock.now() });
  return it;
}

test("SU-6: a mailed code replaces a provider that cannot reauthenticate, in a browser known for a day", async () => {
  const it = await throughGithub(1);
  const requested = await make(it);
  assert.match(requested.body, /name="sudo_mail_send"/);
  assert.equal((await prove(it, requested, { sudo_mail_code: "0000 0000" })).statusCode, 401);
  const mailed = await prove(it, requested, { sudo_mail_send: "yes" });
  const to = (await it.mails()).map((mail) => mail.to);
  assert.deepEqual([mailed.statusCode, to], [200, ["ada@example.com"]]);
  assert.match(mailed.body, /name="sudo_mail_code"/);
  const wrong = await prove(it, mailed, { sudo_mail_code: "1" });
  assert.deepEqual([wrong.statusCode, await keysOf(it)], [401, []]);
  const sudo_mail_code = await it.mailedCode();
  assert.deepEqual(seen(await prove(it, wrong, { sudo_mail_code })), [200, false]);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  assert.equal(row?.acr, "urn:postern:acr:federated", "a mailbox raises no level");
  it.clock.advance(301);
  const spent = await prove(it, await make(it, { name: "Another" }), { sudo_mail_code });
  assert.deepEqual([spent.statusCode, await keysOf(it)], [401, [typed.name]]);
});

test("SU-6: a newer browser gets no such code, unless the account was created in it", async () => {
  const it = await throughGithub(0.5);
  const refused = await make(it);
  assert.ok(asks(refused) && !refused.body.includes("sudo_mail_send"));
  const created_at = new Date(it.clock.now().getTime() - 43_201_000);
  await it.store.update("users", { id: it.user.id }, { created_at });
  assert.match((await make(it)).body, /name="sudo_mail_send"/);
});
