import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbox } from "../../src/ops/mail.ts";
import { submit } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { totpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const security = "/account/security";
const apps = "/account/authenticator-apps";
const day = 86_400;

/** A person who is signed in on a device that they have used for two days, unless it is new. */
async function setUp({ new_device = false, with_mail = true, on = true } = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({
    throttle: false,
    ...(with_mail && { mail: outbox }),
    identity_settings: on ? { extra_sign_in: ["totp"] } : {},
  });
  const user = await aPerson(it, { email: "ada@example.com" });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  if (!new_device) {
    it.clock.advance(2 * day);
    await signInAs(browser, user);
  }
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  return { ...it, user, browser, mails };
}

type It = Awaited<ReturnType<typeof setUp>>;

const secretIn = (body: string) =>
  (/<p class="secret"><code>([A-Z2-7 ]+)</.exec(body)?.[1] ?? "").replaceAll(" ", "");

async function begin({ browser }: It) {
  const begun = await submit(browser, security, `${apps}/new`);
  assert.equal(begun.statusCode, 303, begun.body);
  assert.equal(begun.headers.location, `${apps}/new`);
  const page = await browser.get(`${apps}/new`);
  assert.equal(page.statusCode, 200, page.body);
  return { page, secret: secretIn(page.body) };
}

async function enrol(it: It, name = "Phone") {
  const { browser, clock } = it;
  const { page, secret } = await begin(it);
  const csrf_token = hiddenField(page, "csrf_token");
  const shown = await browser.post(apps, { csrf_token, name, code: totpCode(secret, clock.now()) });
  if (shown.statusCode !== 200) return { secret, codes: [], shown };
  const codes = /<pre[^>]*>([^<]*)</.exec(shown.body)?.[1]?.split("\n") ?? [];
  const confirm = { csrf_token: hiddenField(shown, "csrf_token"), stored: "yes" };
  const done = await browser.post("/account/recovery-codes/confirm", confirm);
  assert.equal(done.headers.location, `${security}?done=app_added`, done.body);
  return { secret, codes, shown };
}

async function signInWithCode(it: It, browser: TestBrowser, secret: string) {
  await signInAs(browser, it.user);
  const page = await browser.get("/sign-in/second-factor");
  const csrf_token = hiddenField(page, "csrf_token");
  return browser.post("/sign-in/second-factor", {
    csrf_token,
    method: "totp",
    code: totpCode(secret, it.clock.now()),
  });
}

describe("authenticator apps of a person", () => {
  test("MF-1 are offered only where the setting says so", async () => {
    const { browser } = await setUp({ on: false });
    const page = await browser.get(security);
    assert.doesNotMatch(page.body, /authenticator-apps/);
    const csrf_token = hiddenField(await browser.get("/account"), "csrf_token");
    assert.equal((await browser.post(`${apps}/new`, { csrf_token })).statusCode, 404);
  });

  test("MF-1 the secret is shown as QR code, text and link, after sudo", async () => {
    const it = await setUp();
    it.clock.advance(600);
    const asked = await submit(it.browser, security, `${apps}/new`);
    assert.equal(asked.statusCode, 200);
    assert.match(asked.body, /name="sudo_password"/);
    const proved = await it.browser.post(`${apps}/new`, {
      csrf_token: hiddenField(asked, "csrf_token"),
      sudo_form: hiddenField(asked, "sudo_form"),
      sudo_password: password,
    });
    assert.equal(proved.statusCode, 303);
    const page = await it.browser.get(`${apps}/new`);
    const secret = secretIn(page.body);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.match(page.body, /<svg class="qr"/);
    assert.ok(page.body.includes(`secret=${secret}`));
    assert.match(page.body, /href="otpauth:\/\/totp\//);
    assert.equal(page.headers["cache-control"], "no-store");
  });

  test("MF-7 the first one counts once its recovery codes are confirmed, which are shown once", async () => {
    const it = await setUp();
    const { browser, store, clock, user, mails } = it;
    const { page, secret } = await begin(it);
    const csrf_token = hiddenField(page, "csrf_token");
    const fields = { csrf_token, name: "Phone", code: totpCode(secret, clock.now()) };
    const shown = await browser.post(apps, fields);
    assert.equal(shown.statusCode, 200, shown.body);
    assert.equal(shown.headers["cache-control"], "no-store");
    const codes = shown.body.match(/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}/g) ?? [];
    assert.equal(new Set(codes).size, 10);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    const unconfirmed = await browser.post("/account/recovery-codes/confirm", { csrf_token });
    assert.equal(unconfirmed.statusCode, 422);
    assert.ok(!codes.some((code) => unconfirmed.body.includes(code)));
    assert.equal(await store.count("totp_authenticators", {}), 0);
    await browser.post("/account/recovery-codes/confirm", { csrf_token, stored: "yes" });
    assert.equal(await store.count("totp_authenticators", { user_id: user.id }), 1);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 10);
    const sessions = await store.list("sessions", { user_id: user.id });
    assert.equal(sessions.filter(({ acr }) => acr === "urn:postern:acr:mfa").length, 1);
    const list = await browser.get(security);
    assert.match(list.body, /You have 10 recovery codes left/);
    assert.ok(!codes.some((code) => list.body.includes(code)));
    const told = (await mails()).filter(({ subject }) => !/new device/.test(subject));
    assert.deepEqual(
      told.map(({ subject }) => subject),
      ["An authenticator app was added at id.example"],
    );
    assert.match(told[0]?.text ?? "", /“Phone” was added[\s\S]*A set of recovery codes was created with it/);
  });

  test("MF-1 the code comes first, and an app without a name gets one that no other has", async () => {
    const it = await setUp();
    const { page } = await begin(it);
    assert.match(page.body, /name="code"[^>]* autofocus[\s\S]*name="name" type="text" value=""/);
    assert.doesNotMatch(page.body, /name="name"[^>]* required/);
    await enrol(it, "");
    it.clock.advance(60);
    const again = await begin(it);
    const csrf_token = hiddenField(again.page, "csrf_token");
    const code = totpCode(again.secret, it.clock.now());
    await it.browser.post(apps, { csrf_token, name: " ", code });
    const rows = await it.store.list("totp_authenticators", { user_id: it.user.id }, { order_by: "id" });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["Authenticator app", "Authenticator app 2"],
    );
  });

  test("MF-1 neither secret nor codes are in mails, logs, audit or the management API", async () => {
    const it = await setUp();
    const { browser, store, mails, logged, user } = it;
    const { secret, codes } = await enrol(it);
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    const api = await Promise.all(
      [`/api/v1/users/${user.id}`, "/api/v1/audit-events", "/api/v1/me"].map((url) =>
        browser.get(url, { accept: "application/json" }),
      ),
    );
    const everywhere = [
      JSON.stringify(await mails()),
      logged.join("\n"),
      JSON.stringify(await store.list("audit_events", {})),
      ...api.map(({ body }) => body),
    ].join("\n");
    assert.match(everywhere, /authenticator_app\.created/);
    for (const kept of [secret, ...codes]) assert.ok(!everywhere.includes(kept), kept);
  });

  test("MF-14 removing takes the factor itself, and recovery codes go with the last one", async () => {
    const it = await setUp();
    const { browser, store, clock, user } = it;
    const { secret } = await enrol(it);
    const [row] = await store.list("totp_authenticators", { user_id: user.id });
    const path = `${apps}/${row?.id}/remove`;
    clock.advance(600);
    const asked = await submit(browser, path, path);
    assert.match(asked.body, /name="sudo_totp"/);
    const fields = {
      csrf_token: hiddenField(asked, "csrf_token"),
      sudo_form: hiddenField(asked, "sudo_form"),
      sudo_password: password,
    };
    const still = await browser.post(path, fields);
    assert.match(still.body, /name="sudo_totp"/);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    const more = { ...fields, csrf_token: hiddenField(still, "csrf_token") };
    const done = await browser.post(path, {
      ...more,
      sudo_form: hiddenField(still, "sudo_form"),
      sudo_totp: totpCode(secret, clock.now()),
    });
    assert.equal(done.headers.location, `${security}?done=app_removed`, done.body);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    assert.equal(await store.count("recovery_codes", {}), 0);
  });

  test("MF-12 from a device of today a code from the mailbox is asked for as well", async () => {
    const it = await setUp({ new_device: true });
    const { browser, mails } = it;
    const begun = await submit(browser, security, `${apps}/new`);
    assert.equal(begun.headers.location, `${apps}/mailbox`);
    assert.equal((await browser.get(`${apps}/new`)).statusCode, 303);
    const code = /\d{4} \d{4}/.exec((await mails()).map(({ text }) => text).join())?.[0] ?? "";
    const wrong = code.startsWith("0") ? "1" : "0";
    const refused = await submit(browser, `${apps}/mailbox`, `${apps}/mailbox`, { code: wrong.repeat(8) });
    assert.equal(refused.statusCode, 422);
    const right = await submit(browser, `${apps}/mailbox`, `${apps}/mailbox`, { code });
    assert.equal(right.headers.location, `${apps}/new`, right.body);
    assert.equal((await browser.get(`${apps}/new`)).statusCode, 200);
    // Proved in this session once.
    assert.equal((await submit(browser, security, `${apps}/new`)).headers.location, `${apps}/new`);
  });

  test("MF-12 the fifth wrong code ends it", async () => {
    const { browser } = await setUp({ new_device: true });
    await submit(browser, security, `${apps}/new`);
    const give = () => submit(browser, `${apps}/mailbox`, `${apps}/mailbox`, { code: "x" });
    for (let turn = 1; turn <= 4; turn++)
      assert.match((await give()).body, /not the code from the latest mail/);
    assert.match((await give()).body, /tried too often/);
  });

  test("MF-12 without mail a device of today adds no first factor", async () => {
    const { browser } = await setUp({ new_device: true, with_mail: false });
    const refused = await submit(browser, security, `${apps}/new`);
    assert.equal(refused.statusCode, 403);
    assert.match(refused.body, /or come back later/);
  });

  test("MF-12 “It was not me” ends all sessions, removes the factor and mails a reset, for 72 hours", async () => {
    const it = await setUp();
    const { browser, store, mails, app, user, clock } = it;
    const { secret } = await enrol(it);
    const link = /https:\/\/id\.example(\/not-me\?token=[\w.-]+)/.exec(
      (await mails()).map(({ text }) => text).join("\n"),
    )?.[1];
    assert.ok(link);
    // Who added it cannot end the link by another password.
    await store.update("users", { id: user.id }, { tokens_not_before: clock.now() });
    clock.advance(3 * day - 1);
    const thief = testBrowser(app);
    assert.equal((await signInWithCode(it, thief, secret)).statusCode, 302);
    const owner = testBrowser(app);
    const page = await owner.get(link);
    assert.equal(page.statusCode, 200);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    const fields = { csrf_token: hiddenField(page, "csrf_token"), token: hiddenField(page, "token") };
    const done = await owner.post("/not-me", fields);
    assert.match(done.body, /Your account is secured/);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    for (const each of [browser, thief]) assert.equal((await each.get("/account")).statusCode, 302);
    assert.ok((await mails()).some(({ text }) => /reset-password\?token=/.test(text)));
    assert.equal((await owner.post("/not-me", fields)).statusCode, 404);
  });

  test("MF-12 the link is dead after 72 hours", async () => {
    const it = await setUp();
    await enrol(it);
    const text = (await it.mails()).map((mail) => mail.text).join("\n");
    const link = /https:\/\/id\.example(\/not-me\?token=[\w.-]+)/.exec(text)?.[1] ?? "";
    it.clock.advance(3 * day);
    assert.equal((await testBrowser(it.app).get(link)).statusCode, 404);
  });

  test("MF-6 a person makes new codes under sudo, and the old ones end when they are confirmed", async () => {
    const it = await setUp();
    const { browser, store, user } = it;
    const { codes } = await enrol(it);
    const shown = await submit(browser, security, "/account/recovery-codes/new");
    assert.equal(shown.statusCode, 200);
    assert.ok(!codes.some((code) => shown.body.includes(code)));
    const before = await store.list("recovery_codes", { user_id: user.id });
    const confirm = { csrf_token: hiddenField(shown, "csrf_token"), stored: "yes" };
    const done = await browser.post("/account/recovery-codes/confirm", confirm);
    assert.equal(done.headers.location, `${security}?done=codes_made`);
    const after = await store.list("recovery_codes", { user_id: user.id });
    assert.equal(after.length, 10);
    assert.ok(!after.some(({ id }) => before.some((old) => old.id === id)));
  });

  test("nobody sees or changes another person's app", async () => {
    const it = await setUp();
    await enrol(it);
    const [row] = await it.store.list("totp_authenticators", {});
    const eve = await aPerson(it, { email: "eve@example.com" });
    const other = testBrowser(it.app);
    await signInAs(other, eve);
    const csrf_token = hiddenField(await other.get("/account"), "csrf_token");
    for (const verb of ["rename", "remove"]) {
      assert.equal((await other.get(`${apps}/${row?.id}/${verb}`)).statusCode, 404);
      const answer = await other.post(`${apps}/${row?.id}/${verb}`, { csrf_token, name: "Mine" });
      assert.equal(answer.statusCode, 404);
    }
    assert.equal((await it.store.list("totp_authenticators", {}))[0]?.name, "Phone");
  });
});
