import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnavailableError } from "../../src/errors.ts";
import { sendKeptMails } from "../../src/identity/kept_mails.ts";
import { makeEmailUndo } from "../../src/identity/own_account/undo_email.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import type { SelfService } from "../../src/records/names.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApiKey, anOAuthAccount } from "../support/builders.ts";
import { aPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

async function setUp({
  throttle = false,
  self_service = ["email"],
}: {
  throttle?: boolean;
  self_service?: readonly SelfService[];
} = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const identity_settings = { self_service };
  const it = await testApp({ mail: outbox, throttle, identity_settings });
  const user = await aPerson(it, { email: "ada@example.com" });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  // The device is known from here on (MF-12).
  it.clock.advance(86_400);
  await signInAs(browser, user);
  const mailsTo = async (to: string) => {
    await outbox.settled();
    return outbox.kept().filter((mail) => mail.to === to);
  };
  const linkTo = async (to: string, path: string) =>
    new RegExp(`https://id\\.example(${path}\\?token=\\S+)`).exec((await mailsTo(to))[0]?.text ?? "")?.[1] ??
    "";
  const ask = async (email: string, from: TestBrowser = browser) => {
    const csrf_token = hiddenField(await from.get("/account/email"), "csrf_token");
    return from.post("/account/email", { email, csrf_token });
  };
  /** Opens the page of a link and sends its form. */
  const send = async (link: string, from: TestBrowser) => {
    const page = await from.get(link);
    if (page.statusCode !== 200) return page;
    const form = { token: hiddenField(page, "token"), csrf_token: hiddenField(page, "csrf_token") };
    return from.post(link.split("?")[0] ?? "", form);
  };
  const change = async (to: string, from: TestBrowser = browser) => {
    await ask(to, from);
    return send(await linkTo(to, "/account/email/confirm"), from);
  };
  const stored = async () => (await it.store.find("users", { id: user.id }))?.email;
  return { ...it, outbox, user, browser, mailsTo, linkTo, ask, send, change, stored };
}

describe("SS-7: another address for one's own account", () => {
  test("waits until its mailbox is proved by a button; until then the old one signs in and gets the mail", async () => {
    const it = await setUp();
    const asked = await it.ask("new@example.com");
    assert.equal(asked.statusCode, 303);
    assert.equal(await it.stored(), "ada@example.com");
    assert.match((await it.browser.get("/account")).body, /new@example\.com/);
    const link = await it.linkTo("new@example.com", "/account/email/confirm");
    // Scanners look.
    for (const method of ["GET", "HEAD"] as const) await it.app.inject({ method, url: link });
    assert.equal((await it.browser.get(link)).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
    assert.equal((await signInAs(testBrowser(it.app), { email: "ada@example.com" })).statusCode, 302);
    assert.equal((await signInAs(testBrowser(it.app), { email: "new@example.com" })).statusCode, 401);

    const done = await it.send(link, it.browser);
    assert.equal(done.statusCode, 303, done.body);
    assert.equal(await it.stored(), "new@example.com");
    assert.deepEqual((await it.store.find("users", { id: it.user.id }))?.email_verified_at, it.server.now());
    assert.equal((await signInAs(testBrowser(it.app), { email: "new@example.com" })).statusCode, 302);
    assert.equal((await it.send(link, it.browser)).statusCode, 404);
    assert.match(
      (await it.mailsTo("ada@example.com")).map(({ text }) => text).join("\n"),
      /was changed on[\s\S]*\/undo-email\?token=/,
    );
    const subjects = (await it.mailsTo("new@example.com")).map(({ subject }) => subject);
    assert.ok(subjects.includes("This is now the address of your account at id.example"));
  });

  test("a stranger whose address was typed by mistake can do nothing with the link, and learns nothing", async () => {
    const it = await setUp();
    await it.ask("typo@example.com");
    const link = await it.linkTo("typo@example.com", "/account/email/confirm");
    const [mail] = await it.mailsTo("typo@example.com");
    assert.doesNotMatch(JSON.stringify(mail), /ada/i);
    const stranger = testBrowser(it.app);
    const sent = await stranger.get(link);
    assert.equal(sent.statusCode, 302);
    assert.match(String(sent.headers.location), /^\/login\?/);
    const eve = await aPerson(it, { email: "eve@example.com" });
    await signInAs(stranger, eve);
    assert.equal((await stranger.get(link)).statusCode, 404);
    const csrf_token = hiddenField(await stranger.get("/account/email"), "csrf_token");
    const token = new URL(link, "https://id.example").searchParams.get("token") ?? "";
    const forced = await stranger.post("/account/email/confirm", { token, csrf_token });
    assert.equal(forced.statusCode, 404);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("an address that somebody has is answered alike, and gets no mail", async () => {
    const it = await setUp();
    await aPerson(it, { email: "Taken@example.com" });
    const plain = (text: string, email: string) =>
      text.replaceAll(email, "@").replace(/value="[^"]{40,}"/g, "");
    const answers: string[] = [];
    for (const email of ["taken@example.com", "free@example.com"]) {
      const asked = await it.ask(email);
      assert.equal(asked.statusCode, 303);
      answers.push(plain((await it.browser.get("/account/email")).body, email));
    }
    assert.equal(answers[0], answers[1]);
    assert.deepEqual(await it.mailsTo("taken@example.com"), []);
    assert.equal((await it.mailsTo("free@example.com")).length, 1);
  });

  test("an address that somebody got meanwhile is not taken from them", async () => {
    const it = await setUp();
    await it.ask("new@example.com");
    const link = await it.linkTo("new@example.com", "/account/email/confirm");
    await aPerson(it, { email: "new@example.com" });
    assert.equal((await it.send(link, it.browser)).statusCode, 404);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("only the newest wish counts, and it can be given up", async () => {
    const it = await setUp();
    await it.ask("one@example.com");
    const first = await it.linkTo("one@example.com", "/account/email/confirm");
    await it.ask("two@example.com");
    const second = await it.linkTo("two@example.com", "/account/email/confirm");
    assert.equal((await it.browser.get(first)).statusCode, 404);
    const csrf_token = hiddenField(await it.browser.get("/account/email"), "csrf_token");
    await it.browser.post("/account/email/cancel", { csrf_token });
    assert.equal((await it.browser.get(second)).statusCode, 404);
    assert.doesNotMatch((await it.browser.get("/account")).body, /two@example/);
  });

  test("links for a new password that went to the old address die with it", async () => {
    const it = await setUp();
    const other = testBrowser(it.app);
    const csrf_token = hiddenField(await other.get("/forgot-password"), "csrf_token");
    await other.post("/forgot-password", { email: "ada@example.com", csrf_token });
    const reset = await it.linkTo("ada@example.com", "/reset-password");
    assert.equal((await other.get(reset)).statusCode, 200);
    await it.change("new@example.com");
    assert.equal((await other.get(reset)).statusCode, 404);
  });

  test("wishes are counted: five within an hour", async () => {
    const it = await setUp({ throttle: true });
    for (let wish = 1; wish <= 5; wish += 1)
      assert.equal((await it.ask(`n${wish}@example.com`)).statusCode, 303);
    const refused = await it.ask("n6@example.com");
    assert.equal(refused.statusCode, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    assert.deepEqual(await it.mailsTo("n6@example.com"), []);
  });

  test("takes a proof of the last five minutes", async () => {
    const it = await setUp();
    it.clock.advance(301);
    const asked = await it.ask("new@example.com");
    assert.notEqual(asked.statusCode, 303);
    assert.match(asked.body, /type="password"/);
    assert.deepEqual(await it.mailsTo("new@example.com"), []);
  });

  test("where it is switched off there is no such page", async () => {
    const it = await testApp();
    const browser = testBrowser(it.app);
    await signInAs(browser, await aPerson(it));
    assert.equal((await browser.get("/account/email")).statusCode, 404);
    assert.doesNotMatch((await browser.get("/account")).body, /\/account\/email/);
  });
});

describe("MF-12: another address from a device that is known for less than a day", () => {
  async function onNewDevice() {
    const it = await setUp();
    const thief = testBrowser(it.app);
    await signInAs(thief, it.user);
    return { ...it, thief };
  }
  const path = "/account/email/mailbox";

  test("takes a code from the mailbox that the account has", async () => {
    const it = await onNewDevice();
    const asked = await it.ask("new@example.com", it.thief);
    assert.equal(asked.headers.location, `${path}?email=new%40example.com`);
    assert.deepEqual(await it.mailsTo("new@example.com"), []);
    const [mail] = await it.mailsTo("ada@example.com");
    assert.match(mail?.text ?? "", /another e-mail address/);
    const page = await it.thief.get(String(asked.headers.location));
    const form = { csrf_token: hiddenField(page, "csrf_token"), email: hiddenField(page, "email") };
    assert.equal((await it.thief.post(path, { ...form, code: "1234 5678" })).statusCode, 422);
    assert.deepEqual(await it.mailsTo("new@example.com"), []);

    const code = /^\d{4} \d{4}$/m.exec(mail?.text ?? "")?.[0] ?? "";
    const proved = await it.thief.post(path, { ...form, code });
    assert.equal(proved.headers.location, "/account/email?done=email_asked");
    const link = await it.linkTo("new@example.com", "/account/email/confirm");
    assert.equal((await it.send(link, it.thief)).statusCode, 303);
    assert.equal(await it.stored(), "new@example.com");
  });

  test("mails no code for an address that cannot be had", async () => {
    const it = await onNewDevice();
    const before = (await it.mailsTo("ada@example.com")).length;
    assert.equal((await it.ask("no address", it.thief)).statusCode, 422);
    assert.equal((await it.ask("ada@example.com", it.thief)).statusCode, 422);
    assert.equal((await it.mailsTo("ada@example.com")).length, before);
  });

  test("takes no code once the device is known for a day", async () => {
    const it = await onNewDevice();
    it.clock.advance(86_400);
    await signInAs(it.thief, it.user);
    const asked = await it.ask("new@example.com", it.thief);
    assert.equal(asked.headers.location, "/account/email?done=email_asked");
  });
});

describe("SS-7: the former mailbox", () => {
  test("brings its address back for seven days, ends sessions, and keeps it for 72 hours", async () => {
    const it = await setUp();
    await it.change("eve@example.com");
    const undo = await it.linkTo("ada@example.com", "/undo-email");
    it.clock.advance(6 * 86_400);
    const owner = testBrowser(it.app);
    assert.equal((await owner.get(undo)).statusCode, 200);
    assert.equal(await it.stored(), "eve@example.com");
    const done = await it.send(undo, owner);
    assert.equal(done.statusCode, 200, done.body);
    assert.equal(await it.stored(), "ada@example.com");
    assert.equal((await it.browser.get("/account")).statusCode, 302, "the session has ended");
    assert.equal((await it.send(undo, owner)).statusCode, 404);

    it.clock.advance(1);
    await signInAs(it.browser, { email: "ada@example.com" }, { password });
    const blocked = await it.browser.get("/account/email");
    assert.equal(blocked.statusCode, 200);
    assert.doesNotMatch(blocked.body, /name="email"/);
    const csrf_token = hiddenField(await it.browser.get("/account"), "csrf_token");
    const forced = await it.browser.post("/account/email", { email: "x@example.com", csrf_token });
    assert.equal(forced.statusCode, 409);
    assert.deepEqual(await it.mailsTo("x@example.com"), []);
    it.clock.advance(72 * 3600 + 1);
    await signInAs(it.browser, { email: "ada@example.com" }, { password });
    assert.equal((await it.ask("x@example.com")).statusCode, 303);
  });

  test("leads a person without a password to the ways in that they have", async () => {
    const it = await setUp();
    await aPasskey(it.user, it.identity);
    await it.store.update("users", { id: it.user.id }, { password_hash: null });
    const { token } = await it.store.transaction(async (tx) => ({
      token: await makeEmailUndo(tx, it.user, new Date(it.server.now().getTime() + 1000), it.identity),
    }));
    const done = await it.send(`/undo-email?token=${token}`, testBrowser(it.app));
    assert.match(done.body, /Your account has no password[\s\S]*With your passkey/);
    assert.match(done.body, /href="\/login\?redirect=%2Faccount%2Fsecurity">Sign in</);
    assert.doesNotMatch(done.body, /forgot-password|mailing you a link/);
    const mails = await it.mailsTo("ada@example.com");
    assert.ok(!mails.some(({ text }) => text.includes("/reset-password")));
  });

  test("removes the ways in that were added since the change, and leaves the older ones", async () => {
    const it = await setUp();
    const old_app = await anAuthenticatorApp(it.user, it.identity);
    const old_key = await anApiKey(it.store, { user_id: it.user.id, created_at: it.server.now() });
    const { token } = await it.store.transaction(async (tx) => ({
      token: await makeEmailUndo(tx, it.user, new Date(it.server.now().getTime() + 1000), it.identity),
    }));
    it.clock.advance(60);
    await anAuthenticatorApp(it.user, it.identity);
    await aPasskey(it.user, it.identity);
    const since = { user_id: it.user.id, created_at: it.server.now() };
    await anOAuthAccount(it.store, since);
    const key = await anApiKey(it.store, since);
    const done = await it.send(`/undo-email?token=${token}`, testBrowser(it.app));
    assert.equal(done.statusCode, 200, done.body);
    const { id: user_id } = it.user;
    const apps = await it.store.list("totp_authenticators", { user_id });
    assert.deepEqual(
      apps.map(({ id }) => id),
      [old_app.id],
    );
    assert.equal(await it.store.count("passkeys", { user_id }), 0);
    assert.equal(await it.store.count("oauth_accounts", { user_id }), 0);
    const revoked = async (id: string) => (await it.store.find("api_keys", { id }))?.revoked;
    assert.deepEqual([await revoked(key.id), await revoked(old_key.id)], [true, false]);
  });

  test("gets the notices of the account while it can bring its address back", async () => {
    const it = await setUp();
    await it.change("eve@example.com");
    const undo = await it.linkTo("ada@example.com", "/undo-email");
    const told = async (to: string) =>
      (await it.mailsTo(to)).filter(({ subject }) => /new device/i.test(subject)).length;
    const before = await told("ada@example.com");
    await signInAs(testBrowser(it.app), { email: "eve@example.com" });
    assert.equal(await told("eve@example.com"), 1);
    assert.equal(await told("ada@example.com"), before + 1);
    it.clock.advance(60);
    await it.send(undo, testBrowser(it.app));
    it.clock.advance(60);
    await signInAs(testBrowser(it.app), { email: "ada@example.com" });
    assert.equal(await told("ada@example.com"), before + 2);
    assert.equal(await told("eve@example.com"), 1, "who held it meanwhile hears nothing more");
  });

  test("cannot after seven days", async () => {
    const it = await setUp();
    await it.change("eve@example.com");
    const undo = await it.linkTo("ada@example.com", "/undo-email");
    it.clock.advance(7 * 86_400 + 1);
    assert.equal((await it.send(undo, testBrowser(it.app))).statusCode, 404);
    assert.equal(await it.stored(), "eve@example.com");
  });

  test("goes before the holders of addresses in between, and a new password does not stop it", async () => {
    const it = await setUp();
    await it.change("eve@example.com");
    const first = await it.linkTo("ada@example.com", "/undo-email");
    it.clock.advance(60);
    await it.change("mallory@example.com");
    const second = await it.linkTo("eve@example.com", "/undo-email");
    const password_hash = await it.server.passwords.hash("the password of the thief");
    await it.store.update("users", { id: it.user.id }, { password_hash, tokens_not_before: it.server.now() });
    assert.equal((await it.send(second, testBrowser(it.app))).statusCode, 200);
    assert.equal(await it.stored(), "eve@example.com");
    it.clock.advance(60);
    assert.equal((await it.send(first, testBrowser(it.app))).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("SS-7 keeps the account that the thief deleted, and gets a link for a new password", async () => {
    const it = await setUp({ self_service: ["email", "deletion"] });
    await it.change("eve@example.com");
    const undo = await it.linkTo("ada@example.com", "/undo-email");
    it.clock.advance(60);
    const csrf_token = hiddenField(await it.browser.get("/account/deletion"), "csrf_token");
    const deleted = await it.browser.post("/account/deletion", { csrf_token, successor: "" });
    assert.equal(deleted.statusCode, 200, deleted.body);
    it.clock.advance(3600);
    const owner = testBrowser(it.app);
    const done = await it.send(undo, owner);
    assert.equal(done.statusCode, 200, done.body);
    assert.match(done.body, /deletion of your account is cancelled/);
    const row = await it.store.find("users", { id: it.user.id });
    assert.deepEqual([row?.active, row?.deletion_at], [true, null]);
    const reset = await it.linkTo("ada@example.com", "/reset-password");
    const token = new URL(reset, "https://id.example").searchParams.get("token") ?? "";
    const page = await owner.get(reset);
    const chosen = "a new phrase of the owner";
    const form = { token, password: chosen, password_again: chosen };
    const set = await owner.post("/reset-password", { ...form, csrf_token: hiddenField(page, "csrf_token") });
    assert.ok(set.statusCode < 400, set.body);
    it.clock.advance(1);
    const signedIn = await signInAs(testBrowser(it.app), { email: "ada@example.com" }, { password: chosen });
    assert.equal(signedIn.statusCode, 302);
  });

  test("SS-7 hears of a change whose commit was made although its answer was lost", async () => {
    const it = await setUp();
    await it.ask("eve@example.com");
    const link = await it.linkTo("eve@example.com", "/account/email/confirm");
    const page = await it.browser.get(link);
    const form = { token: hiddenField(page, "token"), csrf_token: hiddenField(page, "csrf_token") };
    const { store } = it.identity;
    let lost = 0;
    const cut: typeof store.transaction = async (work, options) => {
      const done = await store.transaction(work, options);
      lost += 1;
      throw new UnavailableError("away", `the answer is lost: ${typeof done}`, undefined);
    };
    Object.assign(it.identity, { store: { ...store, transaction: cut } });
    const first = await it.browser.post("/account/email/confirm", form);
    Object.assign(it.identity, { store });
    assert.deepEqual([first.statusCode, lost], [503, 1]);
    assert.equal(await it.stored(), "eve@example.com");
    assert.deepEqual(await it.mailsTo("ada@example.com"), []);
    // What every process does each ten seconds.
    await it.outbox.sendKept((send) => sendKeptMails(it.identity, send));
    const undo = await it.linkTo("ada@example.com", "/undo-email");
    assert.equal((await it.send(undo, testBrowser(it.app))).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("is not overruled by the undo of a later change", async () => {
    const it = await setUp();
    await it.change("eve@example.com");
    const first = await it.linkTo("ada@example.com", "/undo-email");
    it.clock.advance(60);
    await it.change("mallory@example.com");
    const second = await it.linkTo("eve@example.com", "/undo-email");
    assert.equal((await it.send(first, testBrowser(it.app))).statusCode, 200);
    assert.equal((await it.send(second, testBrowser(it.app))).statusCode, 404);
    it.clock.advance(73 * 3600);
    assert.equal((await it.send(second, testBrowser(it.app))).statusCode, 404);
    assert.equal(await it.stored(), "ada@example.com");
  });
});
