import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actOnRecord } from "../../src/admin/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import { testContext } from "../admin/context.ts";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const path = "/sign-in/second-factor";
const reason = "She showed her passport";

async function setUp({ mailing = true } = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({ throttle: false, ...(mailing && { mail: outbox }) });
  const ada = await aPerson(it, { email: "ada@example.com" });
  await anAuthenticatorApp(ada, it.identity);
  await someRecoveryCodes(ada, it.identity);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  return { ...it, ada, mails, browser: testBrowser(it.app) };
}

/** The reset by the operator, a second later than everything before. */
async function reset({ store, clock }: TestApp, { id }: User) {
  clock.advance(1);
  const context = { ...testContext(store), now: clock.now };
  await actOnRecord(context, resourceOf("users"), "reset_factors", id, { reason });
  clock.advance(1);
}

async function give(browser: TestBrowser, mail_code: string) {
  const page = await browser.get(path);
  assert.equal(page.statusCode, 200, page.body);
  assert.match(page.body, /We mailed a code to <bdi class="name">ada@example\.com</);
  const hidden = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
  return browser.post(path, { ...hidden, mail_code });
}

const codeIn = (text: string | undefined) => /\d{4} \d{4}/.exec(text ?? "")?.[0] ?? "";

describe("after a reset of second factors", () => {
  test("MF-10 the password takes a code by mail as well, once, and leads to the security page", async () => {
    const it = await setUp();
    const { browser, ada, store, mails } = it;
    await reset(it, ada);
    const half = await signInAs(browser, ada);
    assert.equal(half.headers.location, path);
    assert.equal(await store.count("sessions", { user_id: ada.id }), 0);
    const page = await browser.get(path);
    assert.equal(hiddenField(page, "method"), "mail_code");
    await browser.get(path);
    const letters = (await mails()).filter(({ text }) => codeIn(text) !== "");
    assert.equal(letters.length, 1, "one mail for each half sign-in");
    assert.equal(letters[0]?.to, "ada@example.com");
    const code = codeIn(letters[0]?.text);
    const other = code.startsWith("1") ? "2" : "1";
    assert.equal((await give(browser, other + code.slice(1))).statusCode, 401);
    assert.equal(await store.count("sessions", { user_id: ada.id }), 0);
    const done = await give(browser, code);
    assert.equal(done.statusCode, 200);
    assert.match(done.body, /href="\/account\/security"/);
    const [session] = await store.list("sessions", { user_id: ada.id });
    // MF-11: a code by mail makes no second factor.
    assert.equal(session?.acr, "urn:postern:acr:password");
    assert.equal((await store.find("users", { id: ada.id }))?.factors_reset_at, null);
    const again = await signInAs(testBrowser(it.app), ada);
    assert.notEqual(again.headers.location, path);
  });

  test("MF-10 the code works in its browser alone, and five wrong ones end the sign-in", async () => {
    const it = await setUp();
    const { browser, ada, store, mails } = it;
    await reset(it, ada);
    await signInAs(browser, ada);
    await browser.get(path);
    const other = testBrowser(it.app);
    await signInAs(other, ada);
    const [mailed] = (await mails()).filter(({ text }) => codeIn(text) !== "");
    await other.get(path);
    assert.equal((await give(other, codeIn(mailed?.text))).statusCode, 401);
    for (let tries = 0; tries < 4; tries += 1) assert.equal((await give(browser, "1")).statusCode, 401);
    await give(browser, "1");
    assert.equal((await browser.get(path)).statusCode, 302);
    assert.equal(await store.count("sessions", { user_id: ada.id }), 0);
  });

  test("MF-10 where no mail can be sent, the password alone signs in", async () => {
    const it = await setUp({ mailing: false });
    await reset(it, it.ada);
    const answer = await signInAs(it.browser, it.ada);
    assert.notEqual(answer.headers.location, path);
    assert.equal(await it.store.count("sessions", { user_id: it.ada.id }), 1);
  });
});

describe("MF-10 the console resets second factors", () => {
  const at = ({ id }: User) => `/console/users/${id}/reset-factors`;

  async function asRoot(it: Awaited<ReturnType<typeof setUp>>, { second = true } = {}) {
    const root = await aPerson(it, { email: "root@example.com", is_platform_admin: true });
    const app = second ? await anAuthenticatorApp(root, it.identity) : undefined;
    await signInAs(it.browser, root);
    if (app !== undefined) {
      const page = await it.browser.get(path);
      const hidden = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
      const code = totpCode(app.secret, it.clock.now());
      assert.equal((await it.browser.post(path, { ...hidden, code })).statusCode, 302);
    }
    return root;
  }

  async function send(browser: TestBrowser, user: User, given: string) {
    const page = await browser.get(at(user));
    assert.equal(page.statusCode, 200, page.body);
    return browser.post(at(user), { csrf_token: hiddenField(page, "csrf_token"), reason: given });
  }

  test("for another user, with a reason, and tells them by mail", async () => {
    const it = await setUp();
    await asRoot(it);
    assert.match((await it.browser.get(`/console/users/${it.ada.id}`)).body, /reset-factors"/);
    const blank = await send(it.browser, it.ada, " ");
    assert.equal(blank.statusCode, 422);
    assert.match(blank.body, /reason-error/);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.ada.id }), 1);
    assert.equal((await send(it.browser, it.ada, reason)).statusCode, 303);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.ada.id }), 0);
    const told = (await it.mails()).filter(({ to }) => to === "ada@example.com");
    assert.equal(told.length, 1);
    assert.match(told[0]?.subject ?? "", /second factors/);
  });

  test("one factor alone where another stays, and never the last one", async () => {
    const it = await setUp();
    await asRoot(it);
    const href = `/console/users/${it.ada.id}`;
    const single = await it.browser.get(href);
    assert.match(single.body, /id="sign-in-methods"/);
    assert.doesNotMatch(single.body, /\/factors\//);
    const { id } = await anAuthenticatorApp(it.ada, it.identity, "Lost <phone>");
    const at = `${href}/factors/${id}/remove`;
    const page = await it.browser.get(href);
    assert.ok(page.body.includes(`href="${at}"`));
    assert.match(page.body, /Lost &lt;phone&gt;/);
    const form = await it.browser.get(at);
    assert.equal(form.statusCode, 200);
    const csrf_token = hiddenField(form, "csrf_token");
    assert.equal((await it.browser.post(at, { csrf_token, reason: "" })).statusCode, 422);
    assert.equal((await it.browser.post(at, { csrf_token, reason })).statusCode, 303);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.ada.id }), 1);
    const told = (await it.mails()).filter(({ to }) => to === "ada@example.com");
    assert.equal(told.length, 1);
    assert.equal((await it.browser.get(at)).statusCode, 404);
    const [last] = await it.store.list("totp_authenticators", { user_id: it.ada.id });
    const lastAt = `${href}/factors/${last?.id}/remove`;
    const refused = await it.browser.post(lastAt, { csrf_token, reason });
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /last second factor/);
    assert.equal((await it.browser.get(`${href}/factors/nonsense/remove`)).statusCode, 404);
  });

  test("never one's own", async () => {
    const it = await setUp();
    const root = await asRoot(it);
    assert.doesNotMatch((await it.browser.get(`/console/users/${root.id}`)).body, /reset-factors"/);
    assert.equal((await send(it.browser, root, reason)).statusCode, 403);
    assert.equal(await it.store.count("totp_authenticators", { user_id: root.id }), 1);
  });

  test("with a fresh second factor of the administrator", async () => {
    const it = await setUp();
    await asRoot(it);
    it.clock.advance(301);
    const stale = await send(it.browser, it.ada, reason);
    assert.notEqual(stale.statusCode, 303);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.ada.id }), 1);
  });

  test("not by an administrator without a second factor", async () => {
    const it = await setUp();
    await asRoot(it, { second: false });
    assert.equal((await send(it.browser, it.ada, reason)).statusCode, 403);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.ada.id }), 1);
  });
});
