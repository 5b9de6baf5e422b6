import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRecoveryCodes } from "../../src/identity/second_factors/recovery_codes.ts";
import type { Mail } from "../../src/records/mail.ts";
import { insertAny } from "../storage/any_row.ts";
import { type Setting, setUp } from "../support/account.ts";
import { aPerson, hiddenField, password, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anOAuthAccount, aProvider } from "../support/builders.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const path = "/account/api-keys/new";
const session = "__Host-postern_session";
const typed = { name: `Backup <"ü" 备份>`, lifetime: "30", scope: "postern:users:read" };

type Person = Pick<Awaited<ReturnType<typeof setUp>>, "browser">;
type Answer = Parameters<typeof hiddenField>[0];

/** The form of a new API key, filled in. */
async function filledIn({ browser }: Person) {
  const page = await browser.get(path);
  return {
    csrf_token: hiddenField(page, "csrf_token"),
    form_id: hiddenField(page, "form_id"),
    ...typed,
  };
}

/** The form of the sudo page with these proofs. */
const proved = (page: Answer, proofs: Record<string, string> = {}) => ({
  csrf_token: hiddenField(page, "csrf_token"),
  sudo_form: hiddenField(page, "sudo_form"),
  ...proofs,
});

const asks = ({ body }: Answer) => body.includes("<h1>Confirm that it is you</h1>");

async function keysOf({ store, user }: Pick<Awaited<ReturnType<typeof setUp>>, "store" | "user">) {
  return store.list("api_keys", { user_id: user.id });
}

test("SU-6: a sensitive post within five minutes of the sign-in goes on at once", async () => {
  const it = await setUp({ is_platform_admin: true });
  const form = await filledIn(it);
  it.clock.advance(299);
  assert.ok(!asks(await it.browser.post(path, form)));
  assert.equal((await keysOf(it)).length, 1);
});

test("SU-6: after five minutes it waits for a proof, and its fields go on as they were", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(300);
  const form = await filledIn(it);
  const asked = await it.browser.post(path, form);
  assert.deepEqual([asked.statusCode, asks(asked)], [200, true]);
  assert.ok(!asked.body.includes("Backup"), "what was typed is sealed: fields may be secret");
  const empty = await it.browser.post(path, proved(asked));
  assert.deepEqual([empty.statusCode, asks(empty)], [200, true]);
  const wrong = await it.browser.post(path, proved(empty, { sudo_password: "not it" }));
  assert.deepEqual([wrong.statusCode, asks(wrong)], [401, true]);
  assert.equal((await keysOf(it)).length, 0);
  const right = await it.browser.post(path, proved(wrong, { sudo_password: password }));
  assert.deepEqual([right.statusCode, asks(right)], [200, false]);
  const [key] = await keysOf(it);
  assert.deepEqual([key?.name, key?.scopes], [typed.name, [typed.scope]]);
  const second = await it.browser.post(path, { ...form, name: "Second" });
  assert.ok(!asks(second), "the proof counts for five minutes");
  assert.equal((await keysOf(it)).length, 2);
});

test("SU-6: a form that is sent twice with its proof makes one record", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(300);
  const asked = await it.browser.post(path, await filledIn(it));
  const form = proved(asked, { sudo_password: password });
  const first = await it.browser.post(path, form);
  const again = await it.browser.post(path, form);
  assert.deepEqual([first.statusCode, again.statusCode], [200, 200]);
  assert.equal((await keysOf(it)).length, 1);
});

test("SU-5: a proof gives the session another cookie; the one before is dead, and form tokens stay good", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(300);
  const [before, thief] = [it.browser.cookies.get(session), testBrowser(it.app)];
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  const form = await filledIn(it);
  const asked = await it.browser.post(path, form);
  assert.equal(it.browser.cookies.get(session), before, "asking rotates nothing");
  await it.browser.post(path, proved(asked, { sudo_password: password }));
  assert.notEqual(it.browser.cookies.get(session), before);
  thief.cookies.set(session, String(before));
  assert.equal((await thief.get("/account")).statusCode, 302);
  const [after, ...others] = await it.store.list("sessions", { user_id: it.user.id });
  assert.deepEqual([after?.id, others.length], [row?.id, 0]);
  assert.deepEqual(
    after?.methods?.map(({ kind, at }) => [kind, at]),
    [["password", it.clock.now().getTime()]],
  );
  assert.ok(!asks(await it.browser.post(path, { ...form, name: "With the token of before" })));
});

test("SU-6: fields that were carried for another address or session are refused", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(300);
  const asked = await it.browser.post(path, await filledIn(it));
  const elsewhere = await it.browser.post("/account/password", proved(asked, { current_password: password }));
  assert.equal(elsewhere.statusCode, 403);
  const other = testBrowser(it.app);
  await signInAs(other, it.user);
  const page = await other.get(path);
  const stolen = { csrf_token: hiddenField(page, "csrf_token"), sudo_form: hiddenField(asked, "sudo_form") };
  assert.equal((await other.post(path, stolen)).statusCode, 403);
  const made_up = { ...proved(asked, { sudo_password: password }), sudo_form: "v1.abcd.efgh" };
  assert.equal((await it.browser.post(path, made_up)).statusCode, 403);
  assert.equal((await keysOf(it)).length, 0);
});

test("SU-6: wrong proofs share the account's guesses, are counted first, and lose no field", async () => {
  const it = await setUp({ is_platform_admin: true }, true);
  it.clock.advance(300);
  let page = await it.browser.post(path, await filledIn(it));
  for (let guess = 0; guess < 10; guess++) {
    page = await it.browser.post(path, proved(page, { sudo_password: `guess ${guess}` }));
    assert.equal(page.statusCode, 401);
  }
  const throttled = await it.browser.post(path, proved(page, { sudo_password: password }));
  assert.deepEqual([throttled.statusCode, asks(throttled)], [429, true]);
  assert.ok(Number(throttled.headers["retry-after"]) > 0);
  assert.equal((await signInAs(testBrowser(it.app), it.user)).statusCode, 429, "one budget with signing in");
  it.clock.advance(900);
  const right = await it.browser.post(path, proved(throttled, { sudo_password: password }));
  assert.equal(right.statusCode, 200);
  assert.deepEqual(
    (await keysOf(it)).map(({ name }) => name),
    [typed.name],
  );
});

test("SU-6: of two windows that prove it at once one goes on, and the other is asked again", async () => {
  const it = await setUp({ is_platform_admin: true });
  it.clock.advance(300);
  const [one, two] = [testBrowser(it.app), testBrowser(it.app)];
  const cookie = String(it.browser.cookies.get(session));
  for (const window of [one, two]) window.cookies.set(session, cookie);
  const forms = [await filledIn({ browser: one }), await filledIn({ browser: two })];
  const pages = [await one.post(path, forms[0] ?? {}), await two.post(path, forms[1] ?? {})];
  const answers = await Promise.all(
    [one, two].map((window, index) =>
      window.post(path, proved(pages[index] as Answer, { sudo_password: password })),
    ),
  );
  const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
  assert.ok(statuses.includes(200), String(statuses));
  assert.ok(
    statuses.every((status) => [200, 302, 409].includes(status)),
    String(statuses),
  );
  assert.equal((await keysOf(it)).length, statuses.filter((status) => status === 200).length);
});

test("SU-6: the password of before is asked by its own form, and is the proof there", async () => {
  const it = await setUp();
  it.clock.advance(300);
  const page = await it.browser.get("/account/password");
  const fresh = "an entirely new password";
  const form = { csrf_token: hiddenField(page, "csrf_token"), password: fresh, password_again: fresh };
  const missing = await it.browser.post("/account/password", form);
  assert.deepEqual([missing.statusCode, asks(missing)], [422, false]);
  const changed = await it.browser.post("/account/password", { ...form, current_password: password });
  assert.equal(changed.statusCode, 303);
});

test("SU-6: of the profile another e-mail is sensitive, and the name is not", async () => {
  const it = await setUp({ is_platform_admin: true });
  await insertAny(it.store, "totp_authenticators", { users: it.user.id });
  it.clock.advance(300);
  const page = await it.browser.get("/account");
  const kept = {
    csrf_token: hiddenField(page, "csrf_token"),
    etag: hiddenField(page, "etag"),
    avatar_url: "",
  };
  const email = await it.browser.post("/account", { ...kept, name: "Ada", email: "new@example.com" });
  assert.deepEqual([email.statusCode, asks(email)], [200, true]);
  const name = await it.browser.post("/account", { ...kept, name: "Ada", email: it.user.email });
  assert.equal(name.statusCode, 303);
});

test("SU-6: above the password its form asks for the rest of the account's highest level", async () => {
  const it = await setUp();
  await insertAny(it.store, "totp_authenticators", { users: it.user.id });
  const page = await it.browser.get("/account/password");
  const fresh = "an entirely new password";
  const form = {
    csrf_token: hiddenField(page, "csrf_token"),
    current_password: password,
    password: fresh,
    password_again: fresh,
  };
  const asked = await it.browser.post("/account/password", form);
  assert.deepEqual([asked.statusCode, asks(asked)], [200, true]);
  assert.ok(!asked.body.includes(fresh), "no password is in a page");
});

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** The code that the person's authenticator app shows now. */
const codeNow = ({ clock }: Pick<Setting, "clock">) => totpCode(secret, clock.now());

/** A person with an authenticator app and recovery codes, who signed in before they had them. */
async function withFactors(throttle = false) {
  const it = await setUp({ is_platform_admin: true }, throttle);
  const { store, server, user, clock } = it;
  const id = store.newId(clock.now());
  const secret_sealed = server.sealer.seal("totp_authenticator", secret, id);
  await insertAny(store, "totp_authenticators", { users: user.id }, { id, secret_sealed, last_step: 0 });
  const { shown, hashed } = await makeRecoveryCodes(user, server);
  for (const code of hashed) {
    const row = { id: store.newId(clock.now()), user_id: user.id, ...code, used_at: null };
    await store.insert("recovery_codes", { ...row, created_at: clock.now() });
  }
  return { ...it, recovery_codes: shown };
}

test("SU-6: with an authenticator app both factors are asked, and each is missing until it is given", async () => {
  const it = await withFactors();
  it.clock.advance(300);
  const asked = await it.browser.post(path, await filledIn(it));
  assert.match(asked.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  const half = await it.browser.post(path, proved(asked, { sudo_password: password }));
  assert.deepEqual([half.statusCode, half.body.includes("sudo_password")], [200, false]);
  assert.match(half.body, /name="sudo_totp"/);
  const wrong = await it.browser.post(
    path,
    proved(half, { sudo_totp: wrongTotpCode(secret, it.clock.now()) }),
  );
  assert.deepEqual([wrong.statusCode, (await keysOf(it)).length], [401, 0]);
  const right = await it.browser.post(path, proved(wrong, { sudo_totp: codeNow(it) }));
  assert.deepEqual([right.statusCode, asks(right)], [200, false]);
  assert.equal((await keysOf(it))[0]?.name, typed.name);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  assert.equal(row?.acr, "urn:postern:acr:mfa");
});

test("SU-6: a wrong password spends no code, and a code is taken once", async () => {
  const it = await withFactors();
  it.clock.advance(300);
  const asked = await it.browser.post(path, await filledIn(it));
  const sudo_totp = codeNow(it);
  const wrong = await it.browser.post(path, proved(asked, { sudo_password: "not it", sudo_totp }));
  assert.equal(wrong.statusCode, 401);
  const right = await it.browser.post(path, proved(wrong, { sudo_password: password, sudo_totp }));
  assert.deepEqual([right.statusCode, asks(right)], [200, false]);
  await it.store.update("sessions", { user_id: it.user.id }, { methods: null });
  it.clock.advance(1);
  const again = await it.browser.post(path, await filledIn(it));
  const replayed = await it.browser.post(path, proved(again, { sudo_password: password, sudo_totp }));
  assert.equal(replayed.statusCode, 401);
});

test("SU-6: a recovery code stands in for the app, once", async () => {
  const it = await withFactors();
  it.clock.advance(300);
  const asked = await it.browser.post(path, await filledIn(it));
  const sudo_recovery_code = it.recovery_codes[0] ?? "";
  const right = await it.browser.post(path, proved(asked, { sudo_password: password, sudo_recovery_code }));
  assert.deepEqual([right.statusCode, asks(right)], [200, false]);
  assert.equal(await it.store.count("recovery_codes", { user_id: it.user.id, used_at: null }), 9);
  it.clock.advance(301);
  const later = await it.browser.post(path, { ...(await filledIn(it)), name: "Another" });
  const spent = await it.browser.post(path, proved(later, { sudo_password: password, sudo_recovery_code }));
  assert.deepEqual([spent.statusCode, (await keysOf(it)).length], [401, 1]);
});

/** A person without a password, who comes through a provider that asks nobody anew. */
async function throughGithub(days: number) {
  const sent: Mail[] = [];
  const mail = {
    post: (make: () => Promise<Mail | undefined>) => void make().then(keep),
    sendKept: async () => {},
  };
  const keep = (message: Mail | undefined) => {
    if (message !== undefined) sent.push(message);
  };
  const it = await testApp({ mail, throttle: true });
  // Long before: in the browser in which an account was made nobody waits for a day.
  const created_at = new Date(it.clock.now().getTime() - 30 * 86_400_000);
  const user = await aPerson(it, { is_platform_admin: true, email: "ada@example.com", created_at });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  await aProvider(it.store, { slug: "github", preset: "github" });
  await anOAuthAccount(it.store, { user_id: user.id, provider: "github" });
  await it.store.update("users", { id: user.id }, { password_hash: null });
  const at = it.clock.now().getTime();
  const methods = [{ kind: "provider", credential: null, at }] as const;
  it.clock.advance(days * 86_400 + 1);
  // Somebody who was here all the time.
  await it.store.update("sessions", { user_id: user.id }, { methods, last_seen_at: it.clock.now() });
  const code = () => /\b(\d{4} \d{4})\b/.exec(sent.at(-1)?.text ?? "")?.[1] ?? "";
  return { ...it, user, browser, sent, code };
}

test("SU-6: where a provider asks nobody anew a code by mail confirms, in a browser known for a day", async () => {
  const it = await throughGithub(1);
  const asked = await it.browser.post(path, await filledIn(it));
  assert.match(asked.body, /name="sudo_mail_send"/);
  const guessed = await it.browser.post(path, proved(asked, { sudo_mail_code: "0000 0000" }));
  assert.equal(guessed.statusCode, 401);
  const mailed = await it.browser.post(path, proved(asked, { sudo_mail_send: "yes" }));
  assert.deepEqual([mailed.statusCode, it.sent.length, it.sent[0]?.to], [200, 1, "ada@example.com"]);
  assert.match(mailed.body, /name="sudo_mail_code"/);
  const wrong = await it.browser.post(path, proved(mailed, { sudo_mail_code: "1" }));
  assert.deepEqual([wrong.statusCode, (await keysOf(it)).length], [401, 0]);
  const sudo_mail_code = it.code();
  const right = await it.browser.post(path, proved(wrong, { sudo_mail_code }));
  assert.deepEqual([right.statusCode, asks(right), (await keysOf(it)).length], [200, false, 1]);
  const [row] = await it.store.list("sessions", { user_id: it.user.id });
  assert.equal(row?.acr, "urn:postern:acr:federated", "a mailbox raises no level");
  it.clock.advance(301);
  const later = await it.browser.post(path, { ...(await filledIn(it)), name: "Another" });
  const spent = await it.browser.post(path, proved(later, { sudo_mail_code }));
  assert.deepEqual([spent.statusCode, (await keysOf(it)).length], [401, 1]);
});

test("SU-6: the browser in which an account was made need not be known for a day", async () => {
  const it = await throughGithub(0.5);
  const made_at = new Date(it.clock.now().getTime() - 43_201_000);
  await it.store.update("users", { id: it.user.id }, { created_at: made_at });
  const asked = await it.browser.post(path, await filledIn(it));
  assert.match(asked.body, /name="sudo_mail_send"/);
});

test("SU-6: a browser that is younger gets no code, and five wrong ones end a code", async () => {
  const young = await throughGithub(0.9);
  const refused = await young.browser.post(path, await filledIn(young));
  assert.ok(asks(refused) && !refused.body.includes("sudo_mail_send"));
  const known = await throughGithub(2);
  const asked = await known.browser.post(path, await filledIn(known));
  let page = await known.browser.post(path, proved(asked, { sudo_mail_send: "yes" }));
  for (let turn = 0; turn < 5; turn++) {
    page = await known.browser.post(path, proved(page, { sudo_mail_code: `${turn}` }));
    assert.equal(page.statusCode, 401);
  }
  const late = await known.browser.post(path, proved(page, { sudo_mail_code: known.code() }));
  assert.deepEqual([late.statusCode, (await keysOf(known)).length], [401, 0]);
});
