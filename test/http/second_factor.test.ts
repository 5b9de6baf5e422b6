import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbox } from "../../src/ops/mail.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { anApp, later } from "../support/builders.ts";
import { authorizeParameters, formOf, type Parameters } from "../support/flows.ts";
import { routesOf } from "../support/routes.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const path = "/sign-in/second-factor";

async function setUp({ throttle = false, email = "ada@example.com" } = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({ mail: outbox, throttle });
  const user = await aPerson(it, { email });
  const { identity } = it;
  const app = await anAuthenticatorApp(user, identity);
  const codes = await someRecoveryCodes(user, identity);
  const browser = testBrowser(it.app);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  return { ...it, user, totp: app, codes, browser, mails };
}

/** Sends the form of the page at this address. */
async function give(browser: TestBrowser, fields: Parameters, at = path) {
  const page = await browser.get(at);
  assert.equal(page.statusCode, 200, page.body);
  const hidden = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
  return browser.post(path, { ...hidden, ...fields });
}

describe("the second factor", () => {
  test("MF-5 follows the password, and its code leads on to where the person was going", async () => {
    const { browser, user, totp, store, clock } = await setUp();
    const half = await signInAs(browser, user, { redirect: "/account/sessions" });
    assert.equal(half.statusCode, 302);
    assert.equal(half.headers.location, path);
    assert.equal(await store.count("sessions", {}), 0);
    const page = await browser.get(path);
    assert.match(page.body, /autocomplete="one-time-code" inputmode="numeric"/);
    assert.match(page.body, /ada@example\.com/);
    const done = await give(browser, { code: totpCode(totp.secret, clock.now()) });
    assert.equal(done.statusCode, 302, done.body);
    assert.equal(done.headers.location, "/account/sessions");
    const [session] = await store.list("sessions", { user_id: user.id });
    assert.equal(session?.acr, "urn:postern:acr:mfa");
    assert.equal((await browser.get("/account")).statusCode, 200);
    assert.equal(await store.count("ephemera", { kind: "proof" }), 0);
  });

  test("MF-5 an authorization request goes on after it", async () => {
    const { browser, user, totp, store, clock } = await setUp();
    const client = await anApp(store);
    const redirect = `/oauth/authorize?${formOf(authorizeParameters(client, {}))}`;
    await signInAs(browser, user, { redirect });
    const done = await give(browser, { code: totpCode(totp.secret, clock.now()) });
    assert.equal(done.headers.location, redirect);
    assert.match((await browser.get(redirect)).body, /name="decision"/);
  });

  test("MF-2 a form that is sent several times at once signs in once, and never nobody", async () => {
    const { app, user, totp, clock, store } = await setUp();
    for (let turn = 1; turn <= 5; turn++) {
      clock.advance(60);
      const browser = testBrowser(app);
      await signInAs(browser, user, { redirect: "/account/apps" });
      const page = await browser.get(path);
      const fields = {
        csrf_token: hiddenField(page, "csrf_token"),
        method: hiddenField(page, "method"),
        code: totpCode(totp.secret, clock.now()),
      };
      const answers = await Promise.all(Array.from({ length: 4 }, () => browser.post(path, fields)));
      const gone = answers.filter(({ headers }) => headers.location === "/account/apps");
      assert.equal(gone.length, 1, answers.map(({ statusCode }) => statusCode).join());
      assert.equal(await store.count("sessions", {}), turn);
    }
  });

  test("MF-4 a wrong code asks again, and the fifth ends the sign-in with the request intact", async () => {
    const { browser, user, totp, clock, store } = await setUp();
    await signInAs(browser, user, { redirect: "/account/apps" });
    const code = wrongTotpCode(totp.secret, clock.now());
    for (let turn = 1; turn <= 4; turn++) {
      const answer = await give(browser, { code });
      assert.equal(answer.statusCode, 401);
      assert.match(answer.body, /This code is wrong or was already used/);
    }
    const ended = await give(browser, { code });
    assert.equal(ended.statusCode, 401);
    assert.match(ended.body, /href="\/login\?redirect=%2Faccount%2Fapps"/);
    assert.equal((await browser.get(path)).statusCode, 302);
    assert.equal(await store.count("sessions", {}), 0);
  });

  test("MF-4 codes and passwords share one budget, which a right password does not give back", async () => {
    const { browser, user, totp, clock, codes } = await setUp({ throttle: true });
    const wrong = wrongTotpCode(totp.secret, clock.now());
    let tries = 0;
    const signIn = async () => {
      tries += 1;
      return signInAs(browser, user);
    };
    const guess = async (fields: Parameters) => {
      tries += 1;
      return give(browser, fields);
    };
    assert.equal((await signIn()).statusCode, 302);
    for (let turn = 0; turn < 4; turn++) assert.equal((await guess({ code: wrong })).statusCode, 401);
    assert.equal((await guess({ method: "recovery_code", recovery_code: "0".repeat(16) })).statusCode, 401);
    assert.equal((await signIn()).statusCode, 302);
    for (let turn = 0; turn < 3; turn++) assert.equal((await guess({ code: wrong })).statusCode, 401);
    assert.equal(tries, 10);
    const right = await give(browser, { code: totpCode(totp.secret, clock.now()) });
    assert.equal(right.statusCode, 429);
    assert.ok(Number(right.headers["retry-after"]) > 0);
    const recovery = await give(browser, { method: "recovery_code", recovery_code: codes[0] ?? "" });
    assert.equal(recovery.statusCode, 429);
  });

  test("MF-4 a sign-in with a right code leaves nothing counted", async () => {
    const { browser, user, totp, clock, store } = await setUp({ throttle: true });
    await signInAs(browser, user);
    const done = await give(browser, { code: totpCode(totp.secret, clock.now()) });
    assert.equal(done.statusCode, 302);
    const counters = await store.list("ephemera", { kind: "throttle" });
    // People of an address are counted by the day (P-12), attempts for a quarter of an hour.
    const attempts = counters.filter(({ expires_at }) => expires_at <= later(3600, clock.now()));
    assert.deepEqual(
      attempts.map(({ count }) => count).filter((count) => count > 0),
      [],
    );
  });

  test("MF-4 wrong codes after the right password are told by mail, once an hour", async () => {
    const { browser, user, totp, clock, mails } = await setUp();
    const told = async () =>
      (await mails()).filter(({ subject }) => /know your password/.test(subject)).length;
    await signInAs(browser, user);
    await give(browser, { code: wrongTotpCode(totp.secret, clock.now()) });
    assert.equal(await told(), 1);
    await give(browser, { code: wrongTotpCode(totp.secret, clock.now()) });
    assert.equal(await told(), 1);
    clock.advance(3600);
    await signInAs(browser, user);
    await give(browser, { code: wrongTotpCode(totp.secret, clock.now()) });
    assert.equal(await told(), 2);
  });

  test("MF-3 a code of some minutes ago explains itself, and counts as wrong", async () => {
    const { browser, user, totp, clock } = await setUp();
    await signInAs(browser, user);
    const late = totpCode(totp.secret, clock.now(), -3);
    const answer = await give(browser, { code: late });
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /the clock of your device is wrong/);
    for (let turn = 2; turn <= 4; turn++) await give(browser, { code: late });
    assert.match((await give(browser, { code: late })).body, /Too many wrong codes/);
  });

  test("MF-6 a recovery code signs in once, and its page and mail say how many are left", async () => {
    const { browser, user, codes, mails, app } = await setUp();
    await signInAs(browser, user, { redirect: "/account/apps" });
    const [code = ""] = codes;
    const given = { method: "recovery_code", recovery_code: code };
    const done = await give(browser, given, `${path}?method=recovery_code`);
    assert.equal(done.statusCode, 200, done.body);
    assert.match(done.body, /You have 9 recovery codes left/);
    assert.match(done.body, /href="\/account\/apps">Continue</);
    assert.equal((await browser.get("/account/apps")).statusCode, 200);
    const [mail] = await mails();
    assert.match(mail?.subject ?? "", /A recovery code was used/);
    assert.match(mail?.text ?? "", /\b9\b/);
    const again = testBrowser(app);
    await signInAs(again, user);
    assert.equal((await give(again, given)).statusCode, 401);
  });

  test("MF-8 the kind used last is asked first, recovery codes last, and the others are one click away", async () => {
    const { browser, user, store, clock } = await setUp();
    await signInAs(browser, user);
    const first = await browser.get(path);
    assert.equal(hiddenField(first, "method"), "totp");
    const [, href = ""] = /<a href="([^"]*)">Use a recovery code</.exec(first.body) ?? [];
    const other = await browser.get(href);
    assert.equal(hiddenField(other, "method"), "recovery_code");
    assert.match(other.body, />Use an authenticator app</);
    await store.insert("passkeys", {
      id: store.newId(clock.now()),
      user_id: user.id,
      name: "Key",
      credential_id: "AAAA",
      public_key: "AAAA",
      algorithm: -7,
      rp_id: "id.example",
      transports: [],
      aaguid: null,
      backup_eligible: false,
      backed_up: false,
      uv_initialized: false,
      signs_in: false,
      counter: 0,
      last_used_at: clock.now(),
      created_at: clock.now(),
    });
    const passkey = await browser.get(path);
    assert.equal(hiddenField(passkey, "method"), "passkey");
    const ways = [...passkey.body.matchAll(/<li><a href="[^"]*">([^<]*)</g)].map(([, text]) => text);
    assert.deepEqual(ways, ["Use an authenticator app", "Use a recovery code"]);
    clock.advance(5);
    await store.update("totp_authenticators", { user_id: user.id }, { last_used_at: clock.now() });
    assert.equal(hiddenField(await browser.get(path), "method"), "totp");
  });

  test("cancelling leads back to the login page with the request, and ends the half sign-in", async () => {
    const { browser, user } = await setUp();
    await signInAs(browser, user, { redirect: "/account/apps" });
    const cancelled = await give(browser, { cancel: "yes" });
    assert.equal(cancelled.headers.location, "/login?redirect=%2Faccount%2Fapps");
    assert.match(String((await browser.get(path)).headers.location), /^\/login/);
  });

  test("SU-5 somebody who is signed in adds a factor, with another cookie", async () => {
    const { browser, user, totp, clock, store, identity } = await setUp();
    await store.remove("totp_authenticators", {});
    await signInAs(browser, user);
    const secret = (await anAuthenticatorApp(user, identity)).secret;
    assert.notEqual(secret, totp.secret);
    const before = [...browser.cookies.values()].join();
    const page = await browser.get(`${path}?redirect=%2Faccount%2Fapps`);
    assert.equal(hiddenField(page, "redirect"), "/account/apps");
    const given = { code: totpCode(secret, clock.now()), redirect: "/account/apps" };
    const done = await give(browser, given, `${path}?redirect=%2Faccount%2Fapps`);
    assert.equal(done.headers.location, "/account/apps");
    assert.notEqual([...browser.cookies.values()].join(), before);
    const [session] = await store.list("sessions", { user_id: user.id });
    assert.equal(session?.acr, "urn:postern:acr:mfa");
  });

  test("L-3 leads nowhere else", async () => {
    const { browser, user, totp, clock, store, identity } = await setUp();
    await store.remove("totp_authenticators", {});
    await signInAs(browser, user);
    const { secret } = await anAuthenticatorApp(user, identity);
    assert.ok(totp.secret !== secret);
    const redirect = "https://evil.example/";
    const done = await give(browser, { code: totpCode(secret, clock.now()), redirect });
    assert.equal(done.headers.location, "/");
  });

  test("L-5 a form without its token, or from another site, is asked again", async () => {
    const { browser, user, totp, clock } = await setUp();
    await signInAs(browser, user);
    const code = totpCode(totp.secret, clock.now());
    assert.equal((await browser.post(path, { code, method: "totp" })).statusCode, 403);
    const page = await browser.get(path);
    const fields = { code, method: "totp", csrf_token: hiddenField(page, "csrf_token") };
    assert.equal((await browser.post(path, fields, { "sec-fetch-site": "cross-site" })).statusCode, 403);
    assert.equal((await browser.post(path, fields)).statusCode, 302);
  });

  test("MF-5 every other route treats half a sign-in as signed out", async () => {
    // An address that no page shows as an example.
    const { app, browser, user, store } = await setUp({ email: "half-signed-in@example.com" });
    const nobody = testBrowser(app);
    await nobody.get("/login");
    await signInAs(browser, user);
    const routes = routesOf(app).filter((route) => route.path !== path && route.method !== "OPTIONS");
    assert.ok(routes.length > 200, String(routes.length));
    const tokenOf = async (of: TestBrowser) => hiddenField(await of.get("/login"), "csrf_token");
    const tokens = { browser: await tokenOf(browser), nobody: await tokenOf(nobody) };
    const ask = async (of: TestBrowser, csrf_token: string, method: string, url: string) => {
      const cookie = [...of.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const body = method === "POST" || method === "PATCH" || method === "DELETE";
      const form = { "content-type": "application/x-www-form-urlencoded" };
      return app.inject({
        method: method as "GET",
        url,
        headers: { accept: "text/html", cookie, ...(body && form) },
        ...(body && { payload: formOf({ csrf_token }) }),
      });
    };
    for (const { method, path: pattern } of routes) {
      const url = pattern.replaceAll(/:id|:\w+/g, user.id);
      const half = await ask(browser, tokens.browser, method, url);
      const none = await ask(nobody, tokens.nobody, method, url);
      const about = `${method} ${pattern}`;
      assert.equal(half.statusCode, none.statusCode, about);
      const leads = String(half.headers.location).replace(tokens.browser, tokens.nobody);
      assert.equal(leads, String(none.headers.location), about);
      assert.ok(!half.body.includes(user.email), about);
      assert.ok(!half.cookies.some(({ name, value }) => name.endsWith("session") && value !== ""), about);
    }
    assert.equal(await store.count("sessions", {}), 0);
    assert.equal((await browser.get(path)).statusCode, 200);
  });
});
