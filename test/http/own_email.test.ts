import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnavailableError } from "../../src/errors.ts";
import { makeEmailUndo } from "../../src/people/account/email/undo_email.ts";
import { sendOutbox } from "../../src/people/core/outbox.ts";
import type { SelfService } from "../../src/records/names/names.ts";
import { aPersonAt, press, submit } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { aPasskey } from "../support/passkeys.ts";

const confirmation = "/account/email/confirm";

/** Returns a user in a browser that has been known for a day (MF-12). */
async function setUp({ throttle = false, self_service = ["email"] as readonly SelfService[] } = {}) {
  const it = await aPersonAt({ throttle, identity_settings: { self_service }, days: 1 });
  const ask = (email: string, from: TestBrowser = it.browser) =>
    submit(from, "/account/email", undefined, { email });
  const change = async (to: string) => {
    await ask(to);
    return press(it.browser, await it.linkTo(confirmation, to));
  };
  const stored = async () => (await it.store.find("users", { id: it.user.id }))?.email;
  return { ...it, ask, change, stored };
}

describe("SS-7: changing the email address of the user's own account", () => {
  test("the new address counts once its mailbox confirms by a button; until then the old one signs in and gets mail", async () => {
    const it = await setUp();
    assert.equal((await it.ask("new@example.com")).statusCode, 303);
    assert.match((await it.browser.get("/account")).body, /new@example\.com/);
    const link = await it.linkTo(confirmation, "new@example.com");
    // Mail scanners open links, so opening one must not confirm the address.
    for (const method of ["GET", "HEAD"] as const) await it.app.inject({ method, url: link });
    assert.equal((await it.browser.get(link)).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
    const enter = async (email: string) => (await signInAs(testBrowser(it.app), { email })).statusCode;
    assert.deepEqual([await enter("ada@example.com"), await enter("new@example.com")], [302, 401]);

    const done = await press(it.browser, link);
    assert.equal(done.statusCode, 303, done.body);
    const user = await it.store.find("users", { id: it.user.id });
    assert.deepEqual([user?.email, user?.email_verified_at], ["new@example.com", it.server.now()]);
    assert.equal(await enter("new@example.com"), 302);
    assert.equal((await press(it.browser, link)).statusCode, 404);
    const reported = (await it.mails("ada@example.com")).map(({ text }) => text).join("\n");
    assert.match(reported, /was changed on[\s\S]*\/undo-email\?token=/);
    const subjects = (await it.mails("new@example.com")).map(({ subject }) => subject);
    assert.ok(subjects.includes("This is now the address of your account at id.example"));
  });

  test("a stranger whose address was entered by mistake cannot use the link, and learns nothing", async () => {
    const it = await setUp();
    await it.ask("typo@example.com");
    const link = await it.linkTo(confirmation, "typo@example.com");
    // The random token is removed, because it may contain these letters by chance.
    const reported = JSON.stringify(await it.mails("typo@example.com")).replaceAll(/token=[\w-]+/g, "");
    assert.doesNotMatch(reported, /ada/i);
    const stranger = testBrowser(it.app);
    assert.match(String((await stranger.get(link)).headers.location), /^\/login\?/);
    await signInAs(stranger, await aPerson(it, { email: "eve@example.com" }));
    assert.equal((await stranger.get(link)).statusCode, 404);
    const token = new URL(link, "https://id.example").searchParams.get("token") ?? "";
    assert.equal((await submit(stranger, "/account/email", confirmation, { token })).statusCode, 404);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("an address of another account gets the same answer as a free one, and no mail", async () => {
    const it = await setUp();
    await aPerson(it, { email: "Taken@example.com" });
    const answers: string[] = [];
    for (const email of ["taken@example.com", "free@example.com"]) {
      assert.equal((await it.ask(email)).statusCode, 303);
      const { body } = await it.browser.get("/account/email");
      answers.push(body.replaceAll(email, "@").replace(/value="[^"]{40,}"/g, ""));
    }
    assert.equal(answers[0], answers[1]);
    assert.deepEqual(await it.mails("taken@example.com"), []);
    assert.equal((await it.mails("free@example.com")).length, 1);
  });

  test("an address that another account took meanwhile stays with that account", async () => {
    const it = await setUp();
    await it.ask("new@example.com");
    await aPerson(it, { email: "new@example.com" });
    assert.equal((await press(it.browser, await it.linkTo(confirmation))).statusCode, 404);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("only the newest request can be confirmed, and it can be cancelled", async () => {
    const it = await setUp();
    await it.ask("one@example.com");
    await it.ask("two@example.com");
    assert.equal((await it.browser.get(await it.linkTo(confirmation, "one@example.com"))).statusCode, 404);
    await submit(it.browser, "/account/email", "/account/email/cancel");
    assert.equal((await it.browser.get(await it.linkTo(confirmation, "two@example.com"))).statusCode, 404);
    assert.doesNotMatch((await it.browser.get("/account")).body, /two@example/);
  });

  test("password links sent to the old address become invalid", async () => {
    const it = await setUp();
    const other = testBrowser(it.app);
    await submit(other, "/forgot-password", undefined, { email: "ada@example.com" });
    const reset = await it.linkTo("/reset-password");
    assert.equal((await other.get(reset)).statusCode, 200);
    await it.change("new@example.com");
    assert.equal((await other.get(reset)).statusCode, 404);
  });

  test("at most five requests are accepted within an hour", async () => {
    const it = await setUp({ throttle: true });
    for (let wish = 1; wish <= 5; wish += 1)
      assert.equal((await it.ask(`n${wish}@example.com`)).statusCode, 303);
    const refused = await it.ask("n6@example.com");
    assert.equal(refused.statusCode, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    assert.deepEqual(await it.mails("n6@example.com"), []);
  });
});

test("SS-7, SS-11, SS-12: the pages of these features are 404 if their setting is off", async () => {
  const it = await testApp();
  const browser = testBrowser(it.app);
  await signInAs(browser, await aPerson(it));
  for (const path of ["/account/email", "/account/data", "/account/deletion"]) {
    assert.equal((await browser.get(path)).statusCode, 404, path);
    assert.ok(!(await browser.get("/account")).body.includes(path), path);
  }
});

describe("MF-12: changing the address in a browser known for less than a day", () => {
  const path = "/account/email/mailbox";

  test("the change needs a code from the account's current mailbox", async () => {
    const it = await setUp();
    const young = testBrowser(it.app);
    await it.enter(young);
    const before = (await it.mails()).length;
    // No code is mailed for an address that cannot be requested.
    for (const email of ["no address", "ada@example.com"])
      assert.equal((await it.ask(email, young)).statusCode, 422);
    assert.equal((await it.mails()).length, before);

    const at = String((await it.ask("new@example.com", young)).headers.location);
    assert.equal(at, `${path}?email=new%40example.com`);
    const [mail] = await it.mails("ada@example.com");
    assert.match(mail?.text ?? "", /change the email address/);
    assert.equal((await submit(young, at, path, { code: "1234 5678" })).statusCode, 422);
    assert.deepEqual(await it.mails("new@example.com"), []);
    const proved = await submit(young, at, path, { code: await it.mailedCode("ada@example.com") });
    assert.equal(proved.headers.location, "/account/email?done=email_asked");
    assert.equal((await press(young, await it.linkTo(confirmation))).statusCode, 303);
    assert.equal(await it.stored(), "new@example.com");
  });
});

describe("SS-7: the link to the previous mailbox after a change of address", () => {
  /** Changes the address, and returns the link that restores the first one. */
  async function changed(to = "eve@example.com", input?: Parameters<typeof setUp>[0]) {
    const it = await setUp(input);
    await it.change(to);
    const undo = await it.linkTo("/undo-email", "ada@example.com");
    return { ...it, undo, bringBack: (link = undo) => press(testBrowser(it.app), link) };
  }

  test("the link restores the address for seven days, ends sessions, and then prevents changes for 72 hours", async () => {
    const it = await changed();
    it.clock.advance(6 * 86_400);
    assert.equal((await testBrowser(it.app).get(it.undo)).statusCode, 200);
    assert.equal(await it.stored(), "eve@example.com");
    const done = await it.bringBack();
    assert.equal(done.statusCode, 200, done.body);
    assert.equal(await it.stored(), "ada@example.com");
    assert.equal((await it.browser.get("/account")).statusCode, 302, "the session has ended");
    assert.equal((await it.bringBack()).statusCode, 404);

    it.clock.advance(1);
    await it.enter(it.browser);
    const blocked = await it.browser.get("/account/email");
    assert.equal(blocked.statusCode, 200);
    assert.doesNotMatch(blocked.body, /name="email"/);
    const email = "x@example.com";
    assert.equal((await submit(it.browser, "/account", "/account/email", { email })).statusCode, 409);
    assert.deepEqual(await it.mails(email), []);
    it.clock.advance(72 * 3600 + 1);
    await it.enter(it.browser);
    assert.equal((await it.ask(email)).statusCode, 303);
  });

  test("the link no longer works after seven days", async () => {
    const it = await changed();
    it.clock.advance(7 * 86_400 + 1);
    assert.equal((await it.bringBack()).statusCode, 404);
    assert.equal(await it.stored(), "eve@example.com");
  });

  test("after restoring the address, a user without a password is led to their sign-in methods", async () => {
    const it = await setUp();
    await aPasskey(it.user, it.identity);
    await it.store.update("users", { id: it.user.id }, { password_hash: null });
    const until = new Date(it.server.now().getTime() + 1000);
    const { token } = await it.store.transaction(async (tx) => ({
      token: await makeEmailUndo(tx, it.user, until, it.identity),
    }));
    const done = await press(testBrowser(it.app), `/undo-email?token=${token}`);
    assert.match(done.body, /Your account has no password[\s\S]*With your passkey/);
    assert.match(done.body, /href="\/login\?redirect=%2Faccount%2Fsecurity">Sign in</);
    assert.doesNotMatch(done.body, /forgot-password|emailing you a link/);
    assert.equal(await it.linkTo("/reset-password"), "");
  });

  test("the previous mailbox gets the account's notices while it can restore the address", async () => {
    const it = await changed();
    const reported = async (to: string) =>
      (await it.mails(to)).filter(({ subject }) => /new device/i.test(subject)).length;
    const before = await reported("ada@example.com");
    await signInAs(testBrowser(it.app), { email: "eve@example.com" });
    assert.deepEqual([await reported("eve@example.com"), await reported("ada@example.com")], [1, before + 1]);
    it.clock.advance(60);
    await it.bringBack();
    it.clock.advance(60);
    await it.enter(testBrowser(it.app));
    assert.equal(await reported("ada@example.com"), before + 2);
    assert.equal(await reported("eve@example.com"), 1, "who held it meanwhile hears nothing more");
  });

  test("the oldest mailbox can restore its address after further changes, even if the password was changed", async () => {
    const it = await changed();
    it.clock.advance(60);
    await it.change("mallory@example.com");
    const second = await it.linkTo("/undo-email", "eve@example.com");
    const password_hash = await it.server.passwords.hash("the password of the attacker");
    await it.store.update("users", { id: it.user.id }, { password_hash, tokens_not_before: it.server.now() });
    assert.equal((await it.bringBack(second)).statusCode, 200);
    assert.equal(await it.stored(), "eve@example.com");
    it.clock.advance(60);
    assert.equal((await it.bringBack()).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
  });

  test("SS-7 the link also restores an account that the attacker asked to delete, and mails a password link", async () => {
    const it = await changed("eve@example.com", { self_service: ["email", "deletion"] });
    it.clock.advance(60);
    const deleted = await submit(it.browser, "/account/deletion", undefined, { successor: "" });
    assert.equal(deleted.statusCode, 200, deleted.body);
    it.clock.advance(3600);
    const done = await it.bringBack();
    assert.equal(done.statusCode, 200, done.body);
    assert.match(done.body, /deletion of your account is canceled/);
    const row = await it.store.find("users", { id: it.user.id });
    assert.deepEqual([row?.active, row?.deletion_at], [true, null]);
    const password = "a new phrase of the owner";
    const set = await press(testBrowser(it.app), await it.linkTo("/reset-password", "ada@example.com"), {
      password,
      password_again: password,
    });
    assert.ok(set.statusCode < 400, set.body);
    it.clock.advance(1);
    assert.equal((await it.enter(testBrowser(it.app), { password })).statusCode, 302);
  });

  test("SS-7 the mail is sent even if the database's confirmation of the change was lost", async () => {
    const it = await setUp();
    await it.ask("eve@example.com");
    const link = await it.linkTo(confirmation);
    const { store } = it.identity;
    let lost = 0;
    const cut: typeof store.transaction = async (work, options) => {
      const done = await store.transaction(work, options);
      lost += 1;
      throw new UnavailableError("away", `the answer is lost: ${typeof done}`, undefined);
    };
    const page = await it.browser.get(link);
    const form = { token: hiddenField(page, "token"), csrf_token: hiddenField(page, "csrf_token") };
    Object.assign(it.identity, { store: { ...store, transaction: cut } });
    const first = await it.browser.post(confirmation, form);
    Object.assign(it.identity, { store });
    assert.deepEqual([first.statusCode, lost], [503, 1]);
    assert.equal(await it.stored(), "eve@example.com");
    assert.deepEqual(await it.mails("ada@example.com"), []);
    // The job that every process runs every ten seconds.
    await it.outbox.flushOutbox((send) => sendOutbox(it.identity, send));
    assert.equal((await press(testBrowser(it.app), await it.linkTo("/undo-email"))).statusCode, 200);
    assert.equal(await it.stored(), "ada@example.com");
  });
});
