import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPersonAt, press, sendForm, submit } from "../support/account.ts";
import { password, type TestBrowser, testBrowser } from "../support/app.ts";
import { anOAuthAccount, start } from "../support/builders.ts";
import { bearer } from "./api/server.ts";

async function setUp() {
  const person = { email_verified_at: start };
  const it = await aPersonAt({ person, identity_settings: { self_service: ["email"] } });
  const linkIn = async (subject: RegExp, path: string) => {
    const mail = (await it.mails()).find(
      ({ subject: said, text }) => subject.test(said) && text.includes(path),
    );
    return new RegExp(`${path}\\?token=\\S+`).exec(mail?.text ?? "")?.[0] ?? assert.fail(mail?.text);
  };
  /** Creates an API key as users do, and returns it. */
  const makeKey = async (browser: TestBrowser, name: string) => {
    const input = { name, lifetime: "90", scope: "postern:users:read" };
    const made = await submit(browser, "/account/api-keys/new", undefined, input);
    return /pak_[\w-]+/.exec(made.body)?.[0] ?? assert.fail(made.body);
  };
  const statusesOf = (keys: readonly string[]) =>
    Promise.all(
      keys.map(async (key) => {
        const url = `/api/v1/users/${it.user.id}`;
        return (await it.app.inject({ url, headers: bearer(key) })).statusCode;
      }),
    );
  const signIn = async (browser = testBrowser(it.app)) => {
    await it.enter(browser);
    return browser;
  };
  /** The owner opens a link in another browser and presses its button. */
  const pressed = async (link: string) => {
    const owner = testBrowser(it.app);
    const page = await owner.get(link);
    const done = await sendForm(owner, page, link.split("?")[0] ?? "");
    assert.equal(done.statusCode, 200, done.body);
    return page.body;
  };
  return { ...it, linkIn, makeKey, statusesOf, signIn, pressed };
}

describe("SS-15 the button “It was not me” in a mail", () => {
  for (const [what, subject] of [
    ["an API key", /API key was created/],
    ["a new device", /new device/],
  ] as const) {
    test(`in the mail about ${what}, it lists and ends what the attacker created, and keeps older records`, async () => {
      const it = await setUp();
      const own = await it.makeKey(await it.signIn(), "Deploy");
      it.clock.advance(86_400);
      const known = (await it.mails()).length;
      const attacker = await it.signIn();
      const stolen = await it.makeKey(attacker, "Backdoor");
      const since = { user_id: it.user.id, created_at: it.server.now() };
      await anOAuthAccount(it.store, { ...since, provider: "github" });
      const link = await it.linkIn(subject, "/not-me");
      assert.ok((await it.mails()).length > known);
      const page = await it.pressed(link);
      assert.match(page, /1 linked account is deleted: github[\s\S]*1 API key no longer works: Backdoor/);
      assert.doesNotMatch(page, /Deploy/);
      assert.equal((await attacker.get("/account")).statusCode, 302);
      assert.deepEqual(await it.statusesOf([own, stolen]), [200, 401]);
      assert.equal(await it.store.count("oauth_accounts", { user_id: it.user.id }), 0);
      const reported = (await it.mails()).find((mail) => /was secured/.test(mail.subject));
      assert.match(reported?.text ?? "", /1 API key no longer works: Backdoor/);
    });
  }

  test("SS-15 records that the attacker creates before the password is reset end together with the old password", async () => {
    const it = await setUp();
    const own = await it.makeKey(await it.signIn(), "Deploy");
    it.clock.advance(86_400);
    await it.makeKey(await it.signIn(), "Backdoor");
    await it.pressed(await it.linkIn(/API key was created/, "/not-me"));
    it.clock.advance(60);
    const again = await it.makeKey(await it.signIn(), "Second");
    const next = { password: `${password} and more`, password_again: `${password} and more` };
    const done = await press(testBrowser(it.app), await it.linkIn(/password/i, "/reset-password"), next);
    assert.equal(done.statusCode, 200, done.body);
    assert.deepEqual(await it.statusesOf([own, again]), [200, 401]);
  });

  test("SS-15 undoing a change of email also ends an API key that the same session created before the change", async () => {
    const it = await setUp();
    const own = await it.makeKey(await it.signIn(), "Deploy");
    it.clock.advance(86_400);
    const attacker = await it.signIn();
    // A device that has been known for a day needs no code from the mailbox (MF-12).
    it.clock.advance(86_400);
    await it.signIn(attacker);
    const stolen = await it.makeKey(attacker, "Backdoor");
    it.clock.advance(60);
    await submit(attacker, "/account/email", undefined, { email: "eve@example.com" });
    await press(attacker, await it.linkIn(/./, "/account/email/confirm"));
    const page = await it.pressed(await it.linkIn(/./, "/undo-email"));
    assert.match(page, /1 API key no longer works: Backdoor/);
    assert.deepEqual(await it.statusesOf([own, stolen]), [200, 401]);
  });
});
