import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPersonAt, giveFactor, press, type Setting, sendForm, submit } from "../support/account.ts";
import { password, testBrowser } from "../support/app.ts";
import { totpCode } from "../support/totp.ts";

const security = "/account/security";
const apps = "/account/authenticator-apps";
const confirmation = "/account/recovery-codes/confirm";
const codesIn = (body: string) => body.match(/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}/g) ?? [];

/** Returns a user signed in on a device that they have used for `days` days. */
const setUp = ({ days = 2, on = true } = {}) =>
  aPersonAt({ days, identity_settings: on ? { extra_sign_in: ["totp"] } : {} });

const secretIn = (body: string) =>
  (/<p class="secret"><code>([A-Z2-7 ]+)</.exec(body)?.[1] ?? "").replaceAll(" ", "");

async function begin({ browser }: Setting) {
  const begun = await submit(browser, security, `${apps}/new`);
  assert.equal(begun.headers.location, `${apps}/new`, begun.body);
  const page = await browser.get(`${apps}/new`);
  return { page, secret: secretIn(page.body) };
}

/** Adds an app, and returns the page with the recovery codes to be confirmed. */
async function add(it: Setting, name = "Phone") {
  const { page, secret } = await begin(it);
  const shown = await sendForm(it.browser, page, apps, { name, code: totpCode(secret, it.clock.now()) });
  return { secret, shown, codes: codesIn(shown.body) };
}

async function enrol(it: Setting, name?: string) {
  const added = await add(it, name);
  const done = await sendForm(it.browser, added.shown, confirmation, { stored: "yes" });
  assert.equal(done.headers.location, `${security}?done=app_added`, done.body);
  return added;
}

describe("a user's authenticator apps", () => {
  test("MF-1 authenticator apps are offered only if the setting enables them", async () => {
    const { browser } = await setUp({ on: false });
    assert.doesNotMatch((await browser.get(security)).body, /authenticator-apps/);
    assert.equal((await submit(browser, "/account", `${apps}/new`)).statusCode, 404);
  });

  test("MF-1 the secret is shown as QR code, text and link, after the user proved their identity again", async () => {
    const it = await setUp();
    it.clock.advance(600);
    const requested = await submit(it.browser, security, `${apps}/new`);
    const proved = await sendForm(it.browser, requested, `${apps}/new`, { sudo_password: password });
    assert.equal(proved.statusCode, 303);
    const page = await it.browser.get(`${apps}/new`);
    const secret = secretIn(page.body);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.match(page.body, /<svg class="qr"/);
    assert.ok(page.body.includes(`secret=${secret}`));
    assert.match(page.body, /href="otpauth:\/\/totp\//);
    assert.equal(page.headers["cache-control"], "no-store");
  });

  test("MF-7 the first authenticator app counts once the user confirms the recovery codes, which are shown once", async () => {
    const it = await setUp();
    const { browser, store, user } = it;
    const { shown, codes } = await add(it);
    assert.deepEqual([shown.statusCode, shown.headers["cache-control"]], [200, "no-store"]);
    assert.equal(new Set(codes).size, 10);
    assert.match(shown.body, /activate the codes and add “<bdi>Phone<\/bdi>”/);
    assert.doesNotMatch(shown.body, /replace/);
    const unconfirmed = await sendForm(browser, shown, confirmation);
    assert.equal(unconfirmed.statusCode, 422);
    assert.ok(!codes.some((code) => unconfirmed.body.includes(code)));
    assert.equal(await store.count("totp_authenticators", {}), 0);
    await sendForm(browser, shown, confirmation, { stored: "yes" });
    assert.equal(await store.count("totp_authenticators", { user_id: user.id }), 1);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 10);
    const sessions = await store.list("sessions", { user_id: user.id });
    assert.equal(sessions.filter(({ acr }) => acr === "urn:postern:acr:mfa").length, 1);
    const list = await browser.get(security);
    assert.match(list.body, /You have 10 recovery codes left/);
    assert.ok(!codes.some((code) => list.body.includes(code)));
    const [reported, ...others] = (await it.mails()).filter(({ subject }) => !/new device/.test(subject));
    assert.deepEqual([reported?.subject, others], ["An authenticator app was added at id.example", []]);
    assert.match(reported?.text ?? "", /“Phone” was added[\s\S]*A set of recovery codes was created with it/);
  });

  test("MF-1 the form asks for the code first, and an app without a name gets a unique one", async () => {
    const it = await setUp();
    const { page } = await begin(it);
    assert.match(page.body, /name="code"[^>]* autofocus[\s\S]*name="name" type="text" value=""/);
    assert.doesNotMatch(page.body, /name="name"[^>]* required/);
    await enrol(it, "");
    it.clock.advance(60);
    await add(it, " ");
    const rows = await it.store.list("totp_authenticators", { user_id: it.user.id }, { order_by: "id" });
    assert.equal(rows.map(({ name }) => name).join(), "Authenticator app,Authenticator app 2");
  });

  test("MF-1 no mail, log, audit event or API response contains the secret or the codes", async () => {
    const it = await setUp();
    const { browser, store, mails, logged, user } = it;
    const { secret, codes } = await enrol(it);
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    const json = { accept: "application/json" };
    const everywhere = JSON.stringify([await mails(), logged, await store.list("audit_events", {})]);
    const read = [everywhere];
    for (const url of [`/api/v1/users/${user.id}`, "/api/v1/audit-events", "/api/v1/me"])
      read.push((await browser.get(url, json)).body);
    assert.match(everywhere, /authenticator_app\.created/);
    for (const kept of [secret, ...codes]) assert.ok(!read.join("\n").includes(kept), kept);
  });

  test("MF-14 removing an authenticator app requires its code, and removing the last one removes the recovery codes", async () => {
    const it = await setUp();
    const { browser, store, clock, user } = it;
    const { secret } = await enrol(it);
    const [row] = await store.list("totp_authenticators", { user_id: user.id });
    const path = `${apps}/${row?.id}/remove`;
    clock.advance(600);
    const requested = await submit(browser, path);
    const still = await sendForm(browser, requested, path, { sudo_password: password });
    assert.match(still.body, /name="sudo_totp"/);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    const proofs = { sudo_password: password, sudo_totp: totpCode(secret, clock.now()) };
    const done = await sendForm(browser, still, path, proofs);
    assert.equal(done.headers.location, `${security}?done=app_removed`, done.body);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    assert.equal(await store.count("recovery_codes", {}), 0);
  });

  test("MF-12 in a browser first used today, adding a factor also needs a code from the mailbox", async () => {
    const { browser, mailedCode } = await setUp({ days: 0 });
    const begun = await submit(browser, security, `${apps}/new`);
    assert.equal(begun.headers.location, `${apps}/mailbox`);
    assert.equal((await browser.get(`${apps}/new`)).statusCode, 303);
    const code = await mailedCode();
    const wrong = (code.startsWith("0") ? "1" : "0").repeat(8);
    assert.equal((await submit(browser, `${apps}/mailbox`, undefined, { code: wrong })).statusCode, 422);
    const right = await submit(browser, `${apps}/mailbox`, undefined, { code });
    assert.equal(right.headers.location, `${apps}/new`, right.body);
    assert.equal((await browser.get(`${apps}/new`)).statusCode, 200);
    // The mailbox is proved once per session.
    assert.equal((await submit(browser, security, `${apps}/new`)).headers.location, `${apps}/new`);
  });

  test("MF-12 the fifth wrong code cancels adding the factor", async () => {
    const { browser } = await setUp({ days: 0 });
    await submit(browser, security, `${apps}/new`);
    const give = () => submit(browser, `${apps}/mailbox`, undefined, { code: "x" });
    for (let turn = 1; turn <= 4; turn++)
      assert.match((await give()).body, /not the code from the latest email/);
    assert.match((await give()).body, /tried too often/);
  });

  test("MF-12 “It was not me” within 72 hours ends all sessions, removes the factor and mails a password link", async () => {
    const it = await setUp();
    const { browser, store, app, user, clock } = it;
    const { secret } = await enrol(it);
    const link = await it.linkTo("/not-me");
    // The attacker who added the factor cannot invalidate the link with a new password.
    await store.update("users", { id: user.id }, { tokens_not_before: clock.now() });
    clock.advance(3 * 86_400 - 1);
    const attacker = testBrowser(app);
    await it.enter(attacker);
    const method = "totp";
    const entered = await giveFactor(attacker, { method, code: totpCode(secret, clock.now()) });
    assert.equal(entered.statusCode, 302);
    const owner = testBrowser(app);
    const page = await owner.get(link);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    assert.match((await sendForm(owner, page, "/not-me")).body, /Your account is secured/);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    for (const each of [browser, attacker]) assert.equal((await each.get("/account")).statusCode, 302);
    assert.notEqual(await it.linkTo("/reset-password"), "");
    assert.equal((await sendForm(owner, page, "/not-me")).statusCode, 404);
  });

  test("MF-12 the link “It was not me” is invalid after 72 hours", async () => {
    const it = await setUp();
    await enrol(it);
    it.clock.advance(3 * 86_400);
    assert.equal((await press(testBrowser(it.app), await it.linkTo("/not-me"))).statusCode, 404);
  });

  test("MF-6 a user creates new recovery codes, and the old ones stay valid until the new ones are confirmed", async () => {
    const it = await setUp();
    const { browser, store, user } = it;
    const { codes } = await enrol(it);
    const shown = await submit(browser, security, "/account/recovery-codes/new");
    assert.equal(shown.statusCode, 200);
    assert.ok(!codes.some((code) => shown.body.includes(code)));
    assert.match(shown.body, /They then replace your old ones/);
    const before = await store.list("recovery_codes", { user_id: user.id });
    const done = await sendForm(browser, shown, confirmation, { stored: "yes" });
    assert.equal(done.headers.location, `${security}?done=codes_made`);
    const after = await store.list("recovery_codes", { user_id: user.id });
    assert.equal(after.length, 10);
    assert.ok(!after.some(({ id }) => before.some((old) => old.id === id)));
  });
});
