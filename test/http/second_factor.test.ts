import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { insertAny } from "../storage/any_row.ts";
import { aPersonAt, cookieOf, giveFactor as give, factorPage as path } from "../support/account.ts";
import { hiddenField, type TestBrowser, testBrowser } from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf, type Parameters } from "../support/flows.ts";
import { routesOf } from "../support/routes.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

async function setUp({ throttle = false, email = "ada@example.com" } = {}) {
  const it = await aPersonAt({ throttle, person: { email } });
  const { user, identity, clock } = it;
  const { secret } = await anAuthenticatorApp(user, identity);
  const codes = await someRecoveryCodes(user, identity);
  const code = (off = 0) => totpCode(secret, clock.now(), off);
  const wrong = () => wrongTotpCode(secret, clock.now());
  return { ...it, codes, code, wrong };
}

describe("the page for the second factor", () => {
  test("MF-5 the second factor follows the password, and then the authorization request continues with its code", async () => {
    const { browser, user, enter, code, store } = await setUp();
    const redirect = `/oauth/authorize?${formOf(authorizeParameters(await anApp(store)))}`;
    const half = await enter(browser, { redirect });
    assert.deepEqual([half.statusCode, half.headers.location], [302, path]);
    assert.equal(await store.count("sessions", {}), 0);
    const page = await browser.get(path);
    assert.match(page.body, /autocomplete="one-time-code" inputmode="numeric"/);
    assert.match(page.body, /ada@example\.com/);
    const done = await give(browser, { code: code() });
    assert.deepEqual([done.statusCode, done.headers.location], [302, redirect]);
    const [session] = await store.list("sessions", { user_id: user.id });
    assert.equal(session?.acr, "urn:postern:acr:mfa");
    assert.match((await browser.get(redirect)).body, /name="decision"/);
    assert.equal(await store.count("ephemera", { kind: "proof" }), 0);
  });

  test("MF-4 a wrong code is asked for again, and the fifth ends the sign-in and keeps the request", async () => {
    const { browser, enter, wrong, store } = await setUp();
    await enter(browser, { redirect: "/account/apps" });
    for (let turn = 1; turn <= 4; turn++) {
      const answer = await give(browser, { code: wrong() });
      assert.equal(answer.statusCode, 401);
      assert.match(answer.body, /This code is wrong or was already used/);
    }
    const ended = await give(browser, { code: wrong() });
    assert.equal(ended.statusCode, 401);
    assert.match(ended.body, /href="\/login\?redirect=%2Faccount%2Fapps"/);
    assert.equal((await browser.get(path)).statusCode, 302);
    assert.equal(await store.count("sessions", {}), 0);
  });

  test("MF-4 wrong codes and wrong passwords share one limit, which a correct password does not reset", async () => {
    const { browser, enter, code, wrong, codes } = await setUp({ throttle: true });
    const of = (kind: string, recovery_code: string) => ({ method: kind, recovery_code });
    const guesses: Parameters[] = Array.from({ length: 4 }, () => ({ code: wrong() }));
    assert.equal((await enter(browser)).statusCode, 302);
    for (const guess of [...guesses, of("recovery_code", "0".repeat(16))])
      assert.equal((await give(browser, guess)).statusCode, 401);
    assert.equal((await enter(browser)).statusCode, 302);
    // Two passwords and eight codes have been tried, which are the ten attempts that the limit permits.
    for (const guess of guesses.slice(1)) assert.equal((await give(browser, guess)).statusCode, 401);
    for (const right of [{ code: code() }, of("recovery_code", codes[0] ?? "")]) {
      const refused = await give(browser, right);
      assert.equal(refused.statusCode, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
  });

  test("MF-4 wrong codes after a correct password are reported to the user by mail, once an hour", async () => {
    const { browser, enter, wrong, clock, mails } = await setUp();
    const reported = async () =>
      (await mails()).filter(({ subject }) => /Your password .* may be known/.test(subject)).length;
    for (const [wait, times] of [
      [0, 1],
      [0, 1],
      [3600, 2],
    ] as const) {
      clock.advance(wait);
      await enter(browser);
      await give(browser, { code: wrong() });
      assert.equal(await reported(), times);
    }
  });

  test("MF-3 a code that is some minutes old is explained, and counts as wrong", async () => {
    const { browser, enter, code } = await setUp();
    await enter(browser);
    const late = code(-3);
    const answer = await give(browser, { code: late });
    assert.equal(answer.statusCode, 401);
    assert.match(answer.body, /the clock of your device is wrong/);
    for (let turn = 2; turn <= 4; turn++) await give(browser, { code: late });
    assert.match((await give(browser, { code: late })).body, /Too many wrong codes/);
  });

  test("MF-6 a recovery code signs in once, and page and mail state how many are left", async () => {
    const { browser, enter, codes, mails, app } = await setUp();
    await enter(browser, { redirect: "/account/apps" });
    const input = { recovery_code: codes[0] ?? "" };
    const at = `${path}?method=recovery_code`;
    const done = await give(browser, input, at);
    assert.equal(done.statusCode, 200, done.body);
    assert.match(done.body, /You have 9 recovery codes left/);
    assert.match(done.body, /href="\/account\/apps">Continue</);
    assert.equal((await browser.get("/account/apps")).statusCode, 200);
    const [mail] = await mails();
    assert.match(mail?.subject ?? "", /A recovery code was used/);
    assert.match(mail?.text ?? "", /\b9\b/);
    const again = testBrowser(app);
    await enter(again);
    assert.equal((await give(again, input, at)).statusCode, 401);
  });

  test("MF-8 the method used last comes first and recovery codes last, and the others are one click away", async () => {
    const { browser, user, enter, store, clock } = await setUp();
    await enter(browser);
    const first = await browser.get(path);
    assert.equal(hiddenField(first, "method"), "totp");
    const [, href = ""] = /<a href="([^"]*)">Use a recovery code</.exec(first.body) ?? [];
    const other = await browser.get(href);
    assert.equal(hiddenField(other, "method"), "recovery_code");
    assert.match(other.body, />Use an authenticator app</);
    const used = { rp_id: "id.example", signs_in: false, last_used_at: clock.now() };
    await insertAny(store, "passkeys", { users: user.id }, used);
    const passkey = await browser.get(path);
    assert.equal(hiddenField(passkey, "method"), "passkey");
    const ways = [...passkey.body.matchAll(/<li><a href="[^"]*">([^<]*)</g)].map(([, text]) => text);
    assert.deepEqual(ways, ["Use an authenticator app", "Use a recovery code"]);
    clock.advance(5);
    await store.update("totp_authenticators", { user_id: user.id }, { last_used_at: clock.now() });
    assert.equal(hiddenField(await browser.get(path), "method"), "totp");
  });

  test("cancelling leads back to the login page with the request, and ends the half-finished sign-in", async () => {
    const { browser, enter } = await setUp();
    await enter(browser, { redirect: "/account/apps" });
    const cancelled = await give(browser, { cancel: "yes" });
    assert.equal(cancelled.headers.location, "/login?redirect=%2Faccount%2Fapps");
    assert.match(String((await browser.get(path)).headers.location), /^\/login/);
  });

  test("SU-5, L-3 a signed-in user who proves a second factor gets a new cookie and stays within this server", async () => {
    for (const [redirect, leads] of [
      ["/account/apps", "/account/apps"],
      ["https://evil.example/", "/"],
    ] as const) {
      const { browser, user, enter, clock, store, identity } = await setUp();
      await store.remove("totp_authenticators", {});
      await enter(browser);
      const { secret } = await anAuthenticatorApp(user, identity);
      const before = cookieOf(browser);
      const at = `${path}?redirect=${encodeURIComponent(redirect)}`;
      assert.equal(hiddenField(await browser.get(at), "redirect"), leads);
      const done = await give(browser, { code: totpCode(secret, clock.now()), redirect }, at);
      assert.equal(done.headers.location, leads);
      assert.notEqual(cookieOf(browser), before);
      const [session] = await store.list("sessions", { user_id: user.id });
      assert.equal(session?.acr, "urn:postern:acr:mfa");
    }
  });

  test("L-5 a form without its token or from another site has no effect, and the page is shown again", async () => {
    const { browser, enter, code } = await setUp();
    await enter(browser);
    const input = { code: code(), method: "totp" };
    assert.equal((await browser.post(path, input)).statusCode, 403);
    const fields = { ...input, csrf_token: hiddenField(await browser.get(path), "csrf_token") };
    assert.equal((await browser.post(path, fields, { "sec-fetch-site": "cross-site" })).statusCode, 403);
    assert.equal((await browser.post(path, fields)).statusCode, 302);
  });

  test("MF-5 every other page treats a half-finished sign-in as signed out", async () => {
    // Unlike the default address, this one is no example on a page, so a page that contains it shows the
    // account.
    const { app, browser, user, enter, store } = await setUp({ email: "half-signed-in@example.com" });
    const nobody = testBrowser(app);
    await enter(browser);
    const routes = routesOf(app).filter((route) => route.path !== path && route.method !== "OPTIONS");
    assert.ok(routes.length > 200, String(routes.length));
    const tokenOf = async (of: TestBrowser) => hiddenField(await of.get("/login"), "csrf_token");
    const tokens = { browser: await tokenOf(browser), nobody: await tokenOf(nobody) };
    const ask = async (of: TestBrowser, csrf_token: string, method: string, url: string) => {
      const writes = ["POST", "PATCH", "DELETE"].includes(method);
      const form = { "content-type": "application/x-www-form-urlencoded" };
      return app.inject({
        method: method as "GET",
        url,
        headers: { accept: "text/html", cookie: cookieOf(of), ...(writes && form) },
        ...(writes && { payload: formOf({ csrf_token }) }),
      });
    };
    for (const { method, path: pattern } of routes) {
      const url = pattern.replaceAll(/:\w+/g, user.id);
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
