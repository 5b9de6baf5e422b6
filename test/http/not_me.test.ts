import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbox } from "../../src/ops/mail.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { bearer } from "./api/server.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

async function setUp() {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const identity_settings = { self_service: ["email"] } as const;
  const it = await testApp({ mail: outbox, throttle: false, identity_settings });
  const user = await aPerson(it, { email: "ada@example.com" });
  await it.store.update("users", { id: user.id }, { email_verified_at: it.server.now() });
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  const linkIn = async (subject: RegExp, path: string) => {
    const found = (await mails()).find((mail) => subject.test(mail.subject) && mail.text.includes(path));
    const text = found?.text ?? "";
    return new RegExp(`https://id\\.example(${path}\\?token=\\S+)`).exec(text)?.[1] ?? assert.fail(text);
  };
  /** Makes an API key as people do, and answers it. */
  const makeKey = async (browser: TestBrowser, name: string) => {
    const page = await browser.get("/account/api-keys/new");
    const hidden = (field: string) => hiddenField(page, field);
    const form = { csrf_token: hidden("csrf_token"), form_id: hidden("form_id"), name, lifetime: "90" };
    const made = await browser.post("/account/api-keys/new", { ...form, scope: "postern:users:read" });
    return /pak_[\w-]+/.exec(made.body)?.[0] ?? assert.fail(made.body);
  };
  const statusOf = async (key: string) =>
    (await it.app.inject({ url: `/api/v1/users/${user.id}`, headers: bearer(key) })).statusCode;
  const signIn = async (browser = testBrowser(it.app)) => {
    await signInAs(browser, user);
    return browser;
  };
  const press = async (link: string) => {
    const owner = testBrowser(it.app);
    const page = await owner.get(link);
    assert.equal(page.statusCode, 200, page.body);
    const fields = { csrf_token: hiddenField(page, "csrf_token"), token: hiddenField(page, "token") };
    return { page, done: await owner.post(link.split("?")[0] ?? "", fields) };
  };
  return { ...it, user, mails, linkIn, makeKey, statusOf, signIn, press };
}

describe("SS-15 “It was not me”", () => {
  for (const [what, subject] of [
    ["an API key", /API key was created/],
    ["a new device", /new device/],
  ] as const) {
    test(`in the mail about ${what} lists and ends what the thief made, and leaves what is older`, async () => {
      const it = await setUp();
      const own = await it.makeKey(await it.signIn(), "Deploy");
      it.clock.advance(86_400);
      const known = (await it.mails()).length;
      const thief = await it.signIn();
      const stolen = await it.makeKey(thief, "Backdoor");
      const since = { user_id: it.user.id, created_at: it.server.now() };
      await anOAuthAccount(it.store, { ...since, provider: "github" });
      const link = await it.linkIn(subject, "/not-me");
      assert.ok((await it.mails()).length > known);
      const { page, done } = await it.press(link);
      assert.match(
        page.body,
        /1 linked account is deleted: github[\s\S]*1 API key no longer works: Backdoor/,
      );
      assert.doesNotMatch(page.body, /Deploy/);
      assert.equal(done.statusCode, 200, done.body);
      assert.equal((await thief.get("/account")).statusCode, 302);
      assert.deepEqual([await it.statusOf(own), await it.statusOf(stolen)], [200, 401]);
      assert.equal(await it.store.count("oauth_accounts", { user_id: it.user.id }), 0);
      const told = (await it.mails()).find((mail) => /was secured/.test(mail.subject));
      assert.match(told?.text ?? "", /1 API key no longer works: Backdoor/);
    });
  }

  test("SS-15 what the thief makes until the new password is set ends with the old one", async () => {
    const it = await setUp();
    const own = await it.makeKey(await it.signIn(), "Deploy");
    it.clock.advance(86_400);
    await it.makeKey(await it.signIn(), "Backdoor");
    await it.press(await it.linkIn(/API key was created/, "/not-me"));
    it.clock.advance(60);
    const again = await it.makeKey(await it.signIn(), "Second");
    const link = await it.linkIn(/password/i, "/reset-password");
    const owner = testBrowser(it.app);
    const page = await owner.get(link);
    const next = `${password} and more`;
    const fields = { csrf_token: hiddenField(page, "csrf_token"), token: hiddenField(page, "token") };
    const done = await owner.post("/reset-password", { ...fields, password: next, password_again: next });
    assert.equal(done.statusCode, 200, done.body);
    assert.deepEqual([await it.statusOf(own), await it.statusOf(again)], [200, 401]);
  });

  test("SS-15 the undo of an address ends a key that was made before the change by the same session", async () => {
    const it = await setUp();
    const own = await it.makeKey(await it.signIn(), "Deploy");
    it.clock.advance(86_400);
    const thief = await it.signIn();
    // A device that is known for a day needs no code from the mailbox (MF-12).
    it.clock.advance(86_400);
    await it.signIn(thief);
    const stolen = await it.makeKey(thief, "Backdoor");
    it.clock.advance(60);
    const csrf_token = hiddenField(await thief.get("/account/email"), "csrf_token");
    await thief.post("/account/email", { email: "eve@example.com", csrf_token });
    const confirm = await it.linkIn(/./, "/account/email/confirm");
    const page = await thief.get(confirm);
    const fields = { csrf_token: hiddenField(page, "csrf_token"), token: hiddenField(page, "token") };
    await thief.post("/account/email/confirm", fields);
    const { page: asked, done } = await it.press(await it.linkIn(/./, "/undo-email"));
    assert.match(asked.body, /1 API key no longer works: Backdoor/);
    assert.equal(done.statusCode, 200, done.body);
    assert.deepEqual([await it.statusOf(own), await it.statusOf(stolen)], [200, 401]);
  });
});
