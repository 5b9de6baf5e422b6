/** The pages and mails of a user who lost every second factor and waits for new ones (MF-10). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { followRecoveries } from "../../src/people/authenticators/recovery/recovery_notices.http.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { languages } from "../../src/web/words/language.ts";
import { aPersonAt, factorPage, followed, giveFactor, submit } from "../support/account.ts";
import { type TestBrowser, testBrowser } from "../support/app.ts";
import type { Parameters } from "../support/flows.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const path = "/sign-in/lost-factors";
const hour = 3600;

async function setUp({ hours = 72, ...person }: Partial<User> & { hours?: number } = {}) {
  const it = await aPersonAt({ person, identity_settings: { recovery_delay_hours: hours } });
  const { outbox, server, identity, browser, clock } = it;
  const totp = await anAuthenticatorApp(it.user, identity);
  /** Advances the clock, and sends the notices that are due. */
  const wait = async (hours: number) => {
    clock.advance(hours * hour);
    // The clock has advanced by days, so a mail that is not yet marked as sent would be due again.
    await outbox.settled();
    await followRecoveries({ mail: outbox, server, identity, languages }, clock.now());
    await outbox.settled();
  };
  /** Submits a form of the page. All forms of a browser have the same CSRF token. */
  const send = (fields: Parameters, of: TestBrowser = browser) => submit(of, factorPage, path, fields);
  const begin = async () => {
    assert.equal((await it.enter(browser)).headers.location, factorPage);
    assert.match((await followed(browser, await send({ step: "ask" }))).body, /name="code"/);
    const begun = await send({ step: "code", code: await it.mailedCode() });
    assert.equal(begun.statusCode, 303, begun.body);
    clock.advance(1);
    return begun;
  };
  return { ...it, totp, wait, send, begin };
}

describe("MF-10 recovery of a user who lost every second factor", () => {
  test("MF-10 the user proves the mailbox, waits, gets three mails, and enrolls new factors in the same browser", async () => {
    const it = await setUp();
    const { browser, user, clock, store } = it;
    await it.enter(browser);
    const lead = /href="\/sign-in\/lost-factors">I lost all my second factors</;
    assert.match((await browser.get(factorPage)).body, lead);
    const begun = await it.begin();
    assert.match(
      (await followed(browser, begun)).body,
      /Return to this browser after <time datetime="2030-01-04T00:00:00\.000Z"/,
    );
    assert.match((await browser.get(factorPage)).body, /You are waiting for new second factors/);
    const cookie = begun.cookies.find(({ name }) => name === "__Host-postern_recovery");
    assert.ok(cookie?.httpOnly && cookie.secure && cookie.sameSite === "Lax");
    await it.wait(36);
    await it.wait(36);
    await it.wait(0);
    assert.equal((await it.enter(browser, { redirect: "/account/apps" })).headers.location, factorPage);
    assert.match((await browser.get(path)).body, /Set up new second factors/);
    assert.match((await browser.get(factorPage)).body, /The wait is over[\s\S]*lost-factors">Set them up</);
    const elsewhere = testBrowser(it.app);
    await it.enter(elsewhere);
    assert.match((await elsewhere.get(path)).body, /in another browser/);
    const reported = /reported lost in another browser[^<]*<time datetime="2030-01-04T00:00/;
    assert.match((await elsewhere.get(factorPage)).body, reported);
    assert.equal((await it.send({ step: "finish" }, elsewhere)).statusCode, 409);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    assert.equal((await it.send({ step: "finish" })).headers.location, factorPage);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    assert.equal(browser.cookies.get("__Host-postern_recovery"), undefined);
    clock.advance(1);
    await browser.get(factorPage);
    const done = await giveFactor(browser, { mail_code: await it.mailedCode() });
    assert.match(done.body, /href="\/account\/security">Set up a second factor</);
    assert.match(done.body, /href="\/account\/apps"/);
    assert.equal((await browser.get("/account/security")).statusCode, 200);
    const [session] = await store.list("sessions", { user_id: user.id, ended_at: null });
    assert.equal(session?.acr, "urn:postern:acr:password");
    const subjects = (await it.mails()).map(({ subject }) => subject);
    assert.deepEqual(subjects.filter((subject) => /second factors at/.test(subject)).toReversed(), [
      "Request to replace your second factors at id.example",
      "Reminder: your second factors at id.example will be replaced",
      "Your second factors at id.example can be replaced now",
      "Your second factors at id.example were removed",
    ]);
  });

  test("MF-10 a wrong code starts no recovery, and the user must have entered the first factor", async () => {
    const it = await setUp();
    assert.equal((await it.browser.get(path)).headers.location, factorPage);
    await it.enter(it.browser);
    assert.match((await it.browser.get(path)).body, /after a wait of 72 hours/);
    assert.equal((await it.send({ step: "code", code: "1234 5678" })).statusCode, 409);
    await it.send({ step: "ask" });
    const right = await it.mailedCode();
    const wrong = right.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    assert.equal((await it.send({ step: "code", code: wrong })).statusCode, 401);
    const foreign = await it.browser.post(path, { step: "code", code: right });
    assert.equal(foreign.statusCode, 403);
    assert.equal(await it.store.count("recoveries", {}), 0);
    assert.equal((await it.send({ step: "finish" })).statusCode, 409);
  });

  test("MF-10 a platform administrator sees who can reset their factors, and gets no code", async () => {
    const it = await setUp({ is_platform_admin: true });
    await it.enter(it.browser);
    assert.match((await it.browser.get(path)).body, /only another administrator/);
    await it.send({ step: "ask" });
    assert.deepEqual(await it.mails(), []);
    assert.equal(await it.store.count("recoveries", {}), 0);
  });

  test("MF-10 if the feature is off, no page links to it and its URL is 404", async () => {
    const it = await setUp({ hours: 0 });
    await it.enter(it.browser);
    assert.doesNotMatch((await it.browser.get(factorPage)).body, /lost-factors/);
    for (const gone of [path, "/cancel-recovery?token=x"])
      assert.equal((await it.browser.get(gone)).statusCode, 404);
  });
});

describe("MF-10 a pending recovery", () => {
  test("MF-10 every page of the account shows the pending recovery in every session, and can cancel it", async () => {
    const it = await setUp();
    const home = testBrowser(it.app);
    await it.enter(home);
    await giveFactor(home, { code: totpCode(it.totp.secret, it.clock.now()) });
    await it.begin();
    for (const place of ["/account", "/account/security", "/account/sessions", "/account/api-keys"])
      assert.match((await home.get(place)).body, /action="\/account\/recovery\/cancel"/, place);
    const done = await submit(home, "/account", "/account/recovery/cancel");
    assert.equal(done.headers.location, "/account/security?done=recovery_cancelled");
    assert.equal(await it.store.count("recoveries", {}), 0);
    assert.doesNotMatch((await home.get("/account")).body, /recovery\/cancel/);
    assert.match((await it.mails())[0]?.subject ?? "", /was canceled$/);
  });

  test("MF-10 the recovery is reported by mail in the language in which it was requested", async () => {
    const it = await setUp();
    it.browser.cookies.set("postern_language", "zh");
    await it.begin();
    await it.wait(72);
    assert.match((await it.mails())[0]?.subject ?? "", /您在 id\.example 的第二因素现在可以更换/);
  });
});
