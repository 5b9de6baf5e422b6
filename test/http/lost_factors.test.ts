import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actOnRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { testContext } from "../admin/context.ts";
import { aPersonAt, giveFactor, factorPage as path, type Setting, submit } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, testBrowser } from "../support/app.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const reason = "She showed her passport";

async function setUp({ sends_mail = true } = {}) {
  const it = await aPersonAt({ sends_mail });
  await anAuthenticatorApp(it.user, it.identity);
  await someRecoveryCodes(it.user, it.identity);
  return it;
}

/** Resets the factors as the operator, a second later than all earlier events. */
async function reset({ store, clock, user }: Setting) {
  clock.advance(1);
  const context = { ...testContext(store), now: clock.now };
  await actOnRecord(context, resourceOf("users"), "reset_factors", user.id, { reason });
  clock.advance(1);
}

describe("after a reset of second factors", () => {
  test("MF-10 the next sign-in needs password and a mailed code, once, and leads to the security page", async () => {
    const it = await setUp();
    const { browser, user, store } = it;
    await reset(it);
    assert.equal((await it.enter(browser)).headers.location, path);
    const page = await browser.get(path);
    assert.equal(hiddenField(page, "method"), "mail_code");
    assert.match(page.body, /We emailed a code to <bdi class="name">ada@example\.com</);
    await browser.get(path);
    const messages = (await it.mails()).filter(({ text }) => /\d{4} \d{4}/.test(text));
    assert.deepEqual(
      messages.map(({ to }) => to),
      ["ada@example.com"],
      "one mail for each half sign-in",
    );
    const code = await it.mailedCode();
    const wrong = (code.startsWith("1") ? "2" : "1") + code.slice(1);
    assert.equal((await giveFactor(browser, { mail_code: wrong })).statusCode, 401);
    assert.equal(await store.count("sessions", { user_id: user.id }), 0);
    const done = await giveFactor(browser, { mail_code: code });
    assert.equal(done.statusCode, 200);
    assert.match(done.body, /href="\/account\/security"/);
    const [session] = await store.list("sessions", { user_id: user.id });
    // MF-11: a mailed code is not a second factor.
    assert.equal(session?.acr, "urn:postern:acr:password");
    assert.equal((await store.find("users", { id: user.id }))?.factors_reset_at, null);
    assert.notEqual((await it.enter(testBrowser(it.app))).headers.location, path);
  });

  test("MF-10 the mailed code works only in the browser that requested it, and five wrong codes end the sign-in", async () => {
    const it = await setUp();
    await reset(it);
    const [browser, other] = [it.browser, testBrowser(it.app)];
    await it.enter(browser);
    await browser.get(path);
    const mail_code = await it.mailedCode();
    await it.enter(other);
    await other.get(path);
    assert.equal((await giveFactor(other, { mail_code })).statusCode, 401);
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await giveFactor(browser, { mail_code: "1" })).statusCode, 401);
    assert.equal((await browser.get(path)).statusCode, 302);
    assert.equal(await it.store.count("sessions", { user_id: it.user.id }), 0);
  });

  test("MF-10 without mail, the password alone suffices to sign in", async () => {
    const it = await setUp({ sends_mail: false });
    await reset(it);
    assert.notEqual((await it.enter(it.browser)).headers.location, path);
    assert.equal(await it.store.count("sessions", { user_id: it.user.id }), 1);
  });
});

describe("MF-10 an administrator resets second factors in the console", () => {
  async function asRoot({ second = true } = {}) {
    const it = await setUp();
    const { browser, store, user, identity, clock } = it;
    const root = await aPerson(it, { email: "root@example.com", is_platform_admin: true });
    const app = second ? await anAuthenticatorApp(root, identity) : undefined;
    await signInAs(browser, root);
    if (app !== undefined) await giveFactor(browser, { code: totpCode(app.secret, clock.now()) });
    const send = (of: User, input: string) =>
      submit(browser, `/console/users/${of.id}/reset-factors`, undefined, { reason: input });
    const left = (of = user) => store.count("totp_authenticators", { user_id: of.id });
    return { ...it, root, send, left };
  }

  test("an administrator resets another user's factors with a reason, and the user is notified by mail", async () => {
    const it = await asRoot();
    assert.match((await it.browser.get(`/console/users/${it.user.id}`)).body, /reset-factors"/);
    const blank = await it.send(it.user, " ");
    assert.equal(blank.statusCode, 422);
    assert.match(blank.body, /reason-error/);
    assert.equal(await it.left(), 1);
    assert.equal((await it.send(it.user, reason)).statusCode, 303);
    assert.equal(await it.left(), 0);
    const reported = await it.mails("ada@example.com");
    assert.match(reported.map(({ subject }) => subject).join(), /^[^,]*second factors[^,]*$/);
  });

  test("an administrator can remove one factor only if another one stays", async () => {
    const it = await asRoot();
    const { browser, store, user } = it;
    const href = `/console/users/${user.id}`;
    const single = await browser.get(href);
    assert.match(single.body, /id="sign-in-methods"/);
    assert.doesNotMatch(single.body, /\/factors\//);
    const { id } = await anAuthenticatorApp(user, it.identity, "Lost <phone>");
    const at = `${href}/factors/${id}/remove`;
    const page = await browser.get(href);
    assert.ok(page.body.includes(`href="${at}"`));
    assert.match(page.body, /Lost &lt;phone&gt;/);
    assert.equal((await submit(browser, at, at, { reason: "" })).statusCode, 422);
    assert.equal((await submit(browser, at, at, { reason })).statusCode, 303);
    assert.equal(await it.left(), 1);
    assert.equal((await it.mails("ada@example.com")).length, 1);
    for (const gone of [at, `${href}/factors/nonsense/remove`])
      assert.equal((await browser.get(gone)).statusCode, 404);
    const [last] = await store.list("totp_authenticators", { user_id: user.id });
    const refused = await submit(browser, href, `${href}/factors/${last?.id}/remove`, { reason });
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /last second factor/);
  });

  test("an administrator cannot reset their own factors, or any without having a second factor", async () => {
    const it = await asRoot();
    assert.doesNotMatch((await it.browser.get(`/console/users/${it.root.id}`)).body, /reset-factors"/);
    assert.equal((await it.send(it.root, reason)).statusCode, 403);
    assert.equal(await it.left(it.root), 1);
    const weak = await asRoot({ second: false });
    assert.equal((await weak.send(weak.user, reason)).statusCode, 403);
    assert.equal(await weak.left(), 1);
  });
});
