/** The pages and mails of a person who lost every second factor and waits for new ones (MF-10). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { followRecoveries } from "../../src/http/account/recovery_notices.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import { submit } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import type { Parameters } from "../support/flows.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const path = "/sign-in/lost-factors";
const factorPath = "/sign-in/second-factor";
const hour = 3600;

async function setUp({ hours = 72, ...given }: Partial<User> & { hours?: number } = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const identity_settings = { recovery_delay_hours: hours };
  const it = await testApp({ mail: outbox, throttle: false, identity_settings });
  const user = await aPerson(it, { email: "ada@example.com", ...given });
  const totp = await anAuthenticatorApp(user, it.identity);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept().toReversed();
  };
  const tell = async () => {
    // A mail that is not marked as sent yet would be due again: the clock has just moved by days.
    await outbox.settled();
    await followRecoveries({ mail: outbox, server: it.server, identity: it.identity }, it.clock.now());
    await outbox.settled();
  };
  const browser = testBrowser(it.app);
  /** Sends a form of the page, whose token is that of every form of the browser. */
  const send = async (fields: Parameters, of: TestBrowser = browser) => {
    const csrf_token = hiddenField(await of.get(factorPath), "csrf_token");
    return of.post(path, { csrf_token, ...fields });
  };
  const codeOf = async () => /\b\d{4} \d{4}\b/.exec((await mails()).at(-1)?.text ?? "")?.[0] ?? "";
  const begin = async () => {
    assert.equal((await signInAs(browser, user)).headers.location, factorPath);
    assert.match((await send({ step: "ask" })).body, /name="code"/);
    const begun = await send({ step: "code", code: await codeOf() });
    assert.equal(begun.statusCode, 200, begun.body);
    it.clock.advance(1);
    return begun;
  };
  return { ...it, user, totp, mails, tell, browser, send, codeOf, begin };
}

/** The path and query of the link that cancels, in a mail. */
const cancelIn = (text = "") => /https:\/\/id\.example(\/cancel-recovery\?token=\S+)/.exec(text)?.[1] ?? "";

async function press(browser: TestBrowser, href: string) {
  const page = await browser.get(href);
  assert.equal(page.statusCode, 200, page.body);
  const fields = { token: hiddenField(page, "token"), csrf_token: hiddenField(page, "csrf_token") };
  return browser.post("/cancel-recovery", fields);
}

describe("MF-10 a person who lost every second factor", () => {
  test("MF-10 proves the mailbox, waits, is told three times, and sets up new ones in the same browser", async () => {
    const it = await setUp();
    const { browser, user, clock, store } = it;
    await signInAs(browser, user);
    assert.match(
      (await browser.get(factorPath)).body,
      /href="\/sign-in\/lost-factors">I lost all my second factors</,
    );
    const begun = await it.begin();
    assert.match(begun.body, /Come back to this browser after <time datetime="2030-01-04T00:00:00\.000Z"/);
    assert.match((await browser.get(factorPath)).body, /You are waiting for new second factors/);
    const cookie = begun.cookies.find(({ name }) => name === "__Host-postern_recovery");
    assert.ok(cookie?.httpOnly && cookie.secure && cookie.sameSite === "Lax");
    clock.advance(36 * hour);
    await it.tell();
    clock.advance(36 * hour);
    await it.tell();
    await it.tell();
    assert.equal((await signInAs(browser, user, { redirect: "/account/apps" })).headers.location, factorPath);
    assert.match((await browser.get(path)).body, /Set up new second factors/);
    assert.match((await browser.get(factorPath)).body, /The wait is over[\s\S]*lost-factors">Set them up</);
    const elsewhere = testBrowser(it.app);
    await signInAs(elsewhere, user);
    assert.match((await elsewhere.get(path)).body, /in another browser/);
    const told = /says in another browser[^<]*<time datetime="2030-01-04T00:00/;
    assert.match((await elsewhere.get(factorPath)).body, told);
    assert.equal((await it.send({ step: "finish" }, elsewhere)).statusCode, 409);
    assert.equal(await store.count("totp_authenticators", {}), 1);
    const finished = await it.send({ step: "finish" });
    assert.equal(finished.headers.location, factorPath);
    assert.equal(await store.count("totp_authenticators", {}), 0);
    assert.equal(browser.cookies.get("__Host-postern_recovery"), undefined);
    clock.advance(1);
    const page = await browser.get(factorPath);
    const hidden = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
    assert.equal(hidden.method, "mail_code");
    const done = await browser.post(factorPath, { ...hidden, mail_code: await it.codeOf() });
    assert.match(done.body, /href="\/account\/security">Set up a second factor</);
    assert.match(done.body, /href="\/account\/apps"/);
    assert.equal((await browser.get("/account/security")).statusCode, 200);
    const [session] = await store.list("sessions", { user_id: user.id, ended_at: null });
    assert.equal(session?.acr, "urn:postern:acr:password");
    const subjects = (await it.mails())
      .map(({ subject }) => subject)
      .filter((subject) => /second factors at/.test(subject));
    assert.deepEqual(subjects, [
      "Your second factors at id.example are to be replaced",
      "Your second factors at id.example are still to be replaced",
      "Your second factors at id.example can be replaced now",
      "Your second factors at id.example were removed",
    ]);
  });

  test("MF-10 a wrong code begins nothing, and nothing begins without half a sign-in", async () => {
    const it = await setUp();
    const nobody = await it.browser.get(path);
    assert.equal(nobody.headers.location, factorPath);
    await signInAs(it.browser, it.user);
    const lead = await it.browser.get(path);
    assert.match(lead.body, /after a wait of 72 hours/);
    assert.equal((await it.send({ step: "code", code: "1234 5678" })).statusCode, 409);
    await it.send({ step: "ask" });
    const right = await it.codeOf();
    const wrong = right.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    assert.equal((await it.send({ step: "code", code: wrong })).statusCode, 401);
    const foreign = await it.browser.post(path, { step: "code", code: right });
    assert.equal(foreign.statusCode, 403);
    assert.equal(await it.store.count("recoveries", {}), 0);
    assert.equal((await it.send({ step: "finish" })).statusCode, 409);
  });

  test("MF-10 asking again while one waits mails nothing and changes nothing", async () => {
    const it = await setUp();
    await it.begin();
    const before = (await it.mails()).length;
    const [recovery] = await it.store.list("recoveries", {});
    const elsewhere = testBrowser(it.app);
    for (const browser of [it.browser, elsewhere]) {
      await signInAs(browser, it.user);
      await it.send({ step: "ask" }, browser);
      await it.send({ step: "code", code: "1234 5678" }, browser);
    }
    assert.deepEqual(
      (await it.mails()).slice(before).filter(({ subject }) => !subject.startsWith("A sign-in")),
      [],
    );
    assert.deepEqual(await it.store.list("recoveries", {}), [recovery]);
  });

  test("MF-10 a platform administrator is told of the way, and gets no code", async () => {
    const it = await setUp({ is_platform_admin: true });
    await signInAs(it.browser, it.user);
    assert.match((await it.browser.get(path)).body, /Ask another administrator/);
    const csrf_token = hiddenField(await it.browser.get(factorPath), "csrf_token");
    await it.browser.post(path, { csrf_token, step: "ask" });
    assert.deepEqual(await it.mails(), []);
    assert.equal(await it.store.count("recoveries", {}), 0);
  });

  test("MF-10 off, no page leads to it and no address is there", async () => {
    const it = await setUp({ hours: 0 });
    await signInAs(it.browser, it.user);
    assert.doesNotMatch((await it.browser.get(factorPath)).body, /lost-factors/);
    for (const gone of [path, "/cancel-recovery?token=x"]) {
      assert.equal((await it.browser.get(gone)).statusCode, 404);
    }
  });
});

describe("MF-10 a recovery that waits", () => {
  test("MF-10 is shown on every page of the account in every session, and cancelled there", async () => {
    const it = await setUp();
    const home = testBrowser(it.app);
    await signInAs(home, it.user);
    const page = await home.get(factorPath);
    const given = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
    await home.post(factorPath, { ...given, code: totpCode(it.totp.secret, it.clock.now()) });
    await it.begin();
    for (const place of ["/account", "/account/security", "/account/sessions", "/account/api-keys"]) {
      assert.match((await home.get(place)).body, /action="\/account\/recovery\/cancel"/, place);
    }
    const done = await submit(home, "/account", "/account/recovery/cancel");
    assert.equal(done.headers.location, "/account/security?done=recovery_cancelled");
    assert.equal(await it.store.count("recoveries", {}), 0);
    assert.doesNotMatch((await home.get("/account")).body, /recovery\/cancel/);
    assert.match((await it.mails()).at(-1)?.subject ?? "", /stay$/);
  });

  test("MF-10 is cancelled by the button behind the link of each mail; looking changes nothing", async () => {
    const it = await setUp();
    await it.begin();
    it.clock.advance(36 * hour);
    await it.tell();
    it.clock.advance(36 * hour);
    await it.tell();
    const links = (await it.mails()).map(({ text }) => cancelIn(text)).filter((link) => link !== "");
    assert.equal(new Set(links).size, 3);
    for (const link of links) assert.equal((await it.browser.get(link)).statusCode, 200);
    assert.equal(await it.store.count("recoveries", {}), 1);
    const [first = "", ...others] = links;
    const stranger = testBrowser(it.app);
    assert.match((await press(stranger, first)).body, /Cancelled/);
    assert.equal(await it.store.count("recoveries", {}), 0);
    for (const link of others) assert.equal((await stranger.get(link)).statusCode, 404);
    assert.equal((await stranger.get("/cancel-recovery?token=none")).statusCode, 404);
  });

  test("MF-10 is cancelled by a sign-in with a second factor", async () => {
    const it = await setUp();
    await it.begin();
    it.clock.advance(60);
    const elsewhere = testBrowser(it.app);
    await signInAs(elsewhere, it.user);
    const page = await elsewhere.get(factorPath);
    const given = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
    await elsewhere.post(factorPath, { ...given, code: totpCode(it.totp.secret, it.clock.now()) });
    assert.equal(await it.store.count("recoveries", {}), 0);
  });

  test("MF-10 is told of in the language in which it was asked for", async () => {
    const it = await setUp();
    it.browser.cookies.set("postern_language", "zh");
    await signInAs(it.browser, it.user);
    await it.send({ step: "ask" });
    await it.send({ step: "code", code: await it.codeOf() });
    it.clock.advance(72 * hour);
    await it.tell();
    assert.match((await it.mails()).at(-1)?.subject ?? "", /您在 id\.example 的第二因素现在可以更换/);
  });
});
