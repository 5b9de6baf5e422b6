import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { makeSetupLink } from "../../src/people/entry/setup.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { sendForm, submit, withCookie } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { withoutReference } from "../support/error_uri.ts";
import { authorizeParameters, formOf, type Parameters } from "../support/flows.ts";

const session = "__Host-postern_session";
const form = "__Host-postern_form";

describe("the login page", () => {
  let it: TestApp;
  let user: User;
  before(async () => {
    it = await testApp({ throttle: false });
    user = await aPerson(it);
  });

  const isSignedIn = async (browser: TestBrowser) => (await browser.get("/account")).statusCode === 200;

  test("L-1: the login page is a form that posts email and password and needs no script", async () => {
    const page = await it.app.inject("/login");
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
    assert.match(page.body, /<form method="post" action="\/login">/);
    assert.match(page.body, /<input id="email" name="email" type="text" inputmode="email"/);
    assert.match(page.body, /<input id="password" name="password" type="password"/);
    assert.doesNotMatch(page.body, /<script(?! src="\/assets\/enhancements\.js" defer><\/script>)/);
    hiddenField(page, "redirect");
    hiddenField(page, "csrf_token");
  });

  test("L-2: a successful sign-in redirects with 302 to the redirect parameter unchanged, or else to /", async () => {
    const [one, other] = [testBrowser(it.app), testBrowser(it.app)];
    const plain = await signInAs(one, user);
    assert.equal(plain.statusCode, 302);
    assert.equal(plain.headers.location, "/");
    const redirect = `${issuer}/account?a=b+c%2F&d`;
    assert.equal((await signInAs(other, user, { redirect })).headers.location, redirect);
  });

  test("L-3, L-4, design 6.2: a redirect to another site is replaced by / in page, form and response", async () => {
    for (const redirect of ["https://evil.example/", "//evil.example", "/a\r\nSet-Cookie: evil=1"]) {
      const browser = testBrowser(it.app);
      const at = `/login?redirect=${encodeURIComponent(redirect)}`;
      const page = await browser.get(at);
      assert.equal(hiddenField(page, "redirect"), "/");
      const entered = await sendForm(browser, page, "/login", { email: user.email, password, redirect });
      assert.equal(entered.headers.location, "/");
      assert.ok(entered.cookies.every(({ name }) => name !== "evil"));
      assert.equal((await browser.get(at)).headers.location, "/");
    }
  });

  test("L-3: a redirect parameter that is sent twice is not followed", async () => {
    const browser = testBrowser(it.app);
    const page = await browser.get("/login?redirect=%2Fa&redirect=%2Fb");
    assert.equal(hiddenField(page, "redirect"), "/");
    const redirect = ["/a", "https://evil.example/"];
    const answer = await sendForm(browser, page, "/login", { email: user.email, password, redirect });
    assert.equal(answer.statusCode, 400);
    assert.equal(await isSignedIn(browser), false);
  });

  test("L-5: a form without the token of this browser does not sign in", async () => {
    const browser = testBrowser(it.app);
    const elsewhere = hiddenField(await testBrowser(it.app).get("/login"), "csrf_token");
    const own = hiddenField(await browser.get("/login"), "csrf_token");
    const enter = (csrf_token: string | undefined, headers = {}) =>
      browser.post("/login", { email: user.email, password, csrf_token }, headers);
    for (const answer of [
      await enter(undefined),
      await enter(elsewhere),
      await enter(own, { "sec-fetch-site": "cross-site" }),
      await enter(own, { "sec-fetch-site": "same-site" }),
      await testBrowser(it.app).post("/login", { email: user.email, password, csrf_token: own }),
    ]) {
      assert.equal(answer.statusCode, 403);
      assert.ok(answer.cookies.every(({ name }) => name !== session));
    }
    assert.equal((await enter(own, { "sec-fetch-site": "same-origin" })).statusCode, 302);
  });

  test("L-5: an email and password in the query do not sign in", async () => {
    const browser = testBrowser(it.app);
    const csrf_token = hiddenField(await browser.get("/login"), "csrf_token");
    const query = new URLSearchParams({ email: user.email, password }).toString();
    const answer = await browser.post(`/login?${query}`, { csrf_token });
    assert.equal(answer.statusCode, 401);
    assert.equal(await isSignedIn(browser), false);
  });

  test("L-6: each sign-in creates a new cookie, and the previous one becomes useless", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const before = browser.cookies.get(session);
    const answer = await submit(browser, "/account", "/login", { email: user.email, password });
    assert.equal(answer.statusCode, 302);
    assert.notEqual(browser.cookies.get(session), before);
    assert.equal(await isSignedIn(browser), true);
    assert.equal(await isSignedIn(withCookie(it.app, before)), false);
  });

  test("L-6: a cookie from before the sign-in does not become a session, and a cookie chosen by others is not adopted", async () => {
    const browser = testBrowser(it.app);
    await browser.get("/login");
    const early = String(browser.cookies.get(form));
    browser.cookies.set(session, "chosen");
    assert.equal((await signInAs(browser, user)).statusCode, 302);
    assert.ok(![early, "chosen"].includes(String(browser.cookies.get(session))));
    assert.equal(browser.cookies.has(form), false);
    assert.equal(await isSignedIn(withCookie(it.app, early)), false);
  });

  test("L-7: signing out ends the session on the server", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    const kept = browser.cookies.get(session);
    const requested = await browser.get("/logout");
    assert.match(requested.body, /Sign out\?/);
    assert.equal((await browser.post("/logout", { csrf_token: "forged" })).statusCode, 403);
    assert.equal(await isSignedIn(browser), true);
    const answer = await browser.post("/logout", { csrf_token: hiddenField(requested, "csrf_token") });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/logout"]);
    assert.match((await browser.get("/logout")).body, /You are signed out/);
    assert.equal(browser.cookies.has(session), false);
    const attacker = withCookie(it.app, kept);
    assert.equal(await isSignedIn(attacker), false);
    assert.equal((await attacker.get("/")).headers.location, "/login");
  });

  test("L-8: on https the session cookie is __Host-, Secure, HttpOnly, Lax, for / and without a domain", async () => {
    const answer = await signInAs(testBrowser(it.app), user);
    const [cookie] = answer.cookies.filter(({ name }) => name === session);
    assert.ok(cookie?.secure && cookie.httpOnly);
    assert.equal(cookie.path, "/");
    assert.equal(cookie.sameSite, "Lax");
    assert.equal(cookie.domain, undefined);
  });

  test("L-8: on plain http the session cookie has a name that browsers accept", async () => {
    const plain = await testApp({ base_url: "http://localhost:3000" });
    const answer = await signInAs(testBrowser(plain.app), await aPerson(plain));
    const [cookie] = answer.cookies.filter(({ name }) => name === "postern_session");
    assert.ok(cookie?.httpOnly && cookie.secure === undefined && cookie.sameSite === "Lax");
    assert.equal(answer.headers["strict-transport-security"], undefined);
  });

  test("L-9: an unknown or inactive user, one without a password, and a wrong password get exactly the same answer", async () => {
    const people = [
      { email: "nobody@example.com" },
      await aPerson(it, { active: false, email: "nobody@example.org" }),
      await aPerson(it, { password_hash: null, email: "nobody@example.net" }),
      await aPerson(it, { email: "somebody@example.net" }),
    ];
    const answers = await Promise.all(
      people.map(async (person) => {
        const values = person.email.startsWith("some") ? { password: "wrong" } : {};
        const answer = await signInAs(testBrowser(it.app), person, values);
        const { date: _, "content-length": length, ...headers } = answer.headers;
        return {
          status: answer.statusCode,
          headers,
          length: Number(length) - 2 * person.email.length,
          body: withoutReference(answer.body)
            .replaceAll(person.email, "")
            .replace(/name="csrf_token" value="[^"]+"/, ""),
        };
      }),
    );
    assert.equal(answers[0]?.status, 401);
    for (const answer of answers) {
      assert.equal(answer.body, answers[0]?.body);
      assert.deepEqual(answer.headers, answers[0]?.headers);
    }
  });

  test("L-10: a user at an address with too many failed attempts must wait, and sees how long", async () => {
    const throttled = await testApp();
    const victim = await aPerson(throttled);
    const browser = testBrowser(throttled.app);
    for (let guess = 0; guess < 10; guess += 1) {
      assert.equal((await signInAs(browser, victim, { password: `guess ${guess}` })).statusCode, 401);
    }
    const answer = await signInAs(browser, victim);
    assert.equal(answer.statusCode, 429);
    assert.equal(answer.headers["retry-after"], "900");
    assert.match(answer.body, /You can try again in 15 minutes/);
    throttled.clock.advance(900);
    assert.equal((await signInAs(browser, victim)).statusCode, 302);
  });

  test("L-12: a password over a kilobyte or a form over the limit is refused without hashing", async () => {
    const browser = testBrowser(it.app);
    assert.equal((await signInAs(browser, user, { password: "x".repeat(1025) })).statusCode, 401);
    assert.equal((await signInAs(browser, user, { password: "x".repeat(70_000) })).statusCode, 413);
  });

  test("L-12: if too many hashes are waiting, the page says that the server is busy and when to retry", async () => {
    const { store, memory, sealer, now, report } = it.server;
    const overloaded = async () => {
      const { OverloadedError } = await import("../../src/errors.ts");
      throw new OverloadedError(7);
    };
    const passwords = { ...it.server.passwords, verify: overloaded, verifyAgainstNothing: overloaded };
    const busy = await testApp({
      identity: { store, sealer, now, report, memory, passwords, throttle: true },
    });
    const answer = await signInAs(testBrowser(busy.app), user);
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers["retry-after"], "7");
    assert.match(String(answer.headers["content-type"]), /^text\/html/);
  });

  test("L-14: field names and values that are special in other systems have no effect", async () => {
    const browser = testBrowser(it.app);
    const csrf_token = hiddenField(await browser.get("/login"), "csrf_token");
    for (const fields of [
      { "email[$gt]": "", "password[$gt]": "" },
      { ["__proto__"]: "x", constructor: "y", email: user.email },
      { email: "' OR 1=1 --", password: "' OR 1=1 --" },
      { email: `${user.email}' --`, password },
      { email: "*)(uid=*", password },
      { email: "{{7*7}}#{7*7}", password },
      { email: "a@b.example\0", password },
    ]) {
      const answer = await browser.post("/login", { csrf_token, ...fields });
      assert.ok([400, 401].includes(answer.statusCode), String(answer.statusCode));
    }
    assert.equal(await isSignedIn(browser), false);
  });

  test("the login page names the requesting application, and fills in its login_hint", async () => {
    const client = await anApp(it.store, { name: "Ledger" });
    const url = `/oauth/authorize?${formOf(authorizeParameters(client, { login_hint: "ada@example.com" }))}`;
    const page = await testBrowser(it.app).get(`/login?redirect=${encodeURIComponent(issuer + url)}`);
    assert.match(page.body, /to continue to <bdi class="name">Ledger<\/bdi>/);
    assert.match(page.body, /value="ada@example.com"/);
  });
});

describe("a signed-in user who must sign in again", () => {
  async function requested(values: Parameters) {
    const it = await testApp({ throttle: false });
    const user = await aPerson(it, { email: "ada@example.com", name: "Ada" });
    const client = await anApp(it.store, { name: "Harbour", first_party: true });
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    it.clock.advance(120);
    const request = `/oauth/authorize?${formOf(authorizeParameters(client, values))}`;
    const { location } = (await browser.get(request)).headers;
    return { browser, location: String(location), page: await browser.get(String(location)) };
  }
  const kept = /name="email" type="text" inputmode="email"[^>]* value="ada@example\.com"/;

  test("A-29: the page says why, and has the user's address filled in", async () => {
    const { page, browser, location } = await requested({ prompt: "login" });
    assert.match(
      page.body,
      /<h1>Confirm that it is you<[\s\S]*Sign in again to continue to <bdi [^>]*>Harbour</,
    );
    assert.match(page.body, /You are signed in as <bdi [^>]*>Ada<[\s\S]*name="password"[^>]* autofocus/);
    assert.match(page.body, kept);
    const values = { email: "ada@example.com", password: "wrong" };
    const wrong = await sendForm(browser, page, "/login", values);
    assert.equal(wrong.statusCode, 401);
    assert.match(wrong.body, /Confirm that it is you/);
    assert.match(wrong.body, kept);
    const another = await browser.get(`${location}&account=another`);
    assert.match(another.body, /<h1>Sign in</);
    assert.doesNotMatch(another.body, kept);
    const old = (await requested({ max_age: "60" })).page.body;
    assert.match(old, /It has been a while since you signed in/);
    assert.match(old, kept);
  });

  test("A-29: if login_hint names another address, only that address is filled in", async () => {
    const { page } = await requested({ prompt: "login", login_hint: "eve@example.com" });
    assert.match(page.body, /<h1>Sign in<[\s\S]*value="eve@example\.com"/);
    assert.doesNotMatch(page.body, /Ada|ada@/);
  });
});

describe("the setup page", () => {
  test("the setup page creates the first administrator once, and signs them in", async () => {
    const it = await testApp();
    const link = String(await makeSetupLink(it.identity));
    const browser = testBrowser(it.app);
    const page = await browser.get(link);
    const hidden = { token: hiddenField(page, "token"), csrf_token: hiddenField(page, "csrf_token") };
    const fields = { name: "Ada", email: "ada@example.com", password };
    const weak = await browser.post("/setup", { ...hidden, ...fields, password: "short" });
    assert.equal(weak.statusCode, 422);
    assert.match(weak.body, /id="password-error">This password is too short\./);
    assert.match(weak.body, /id="password-hint">At least 8 characters\./);
    assert.equal((await browser.post("/setup", { ...hidden, ...fields, csrf_token: "x" })).statusCode, 403);
    const made = await browser.post("/setup", { ...hidden, ...fields });
    assert.deepEqual([made.statusCode, made.headers.location], [302, "/console"]);
    assert.match((await browser.get("/account")).body, /Platform administrator/);
    const [opened] = await it.store.list("sessions");
    assert.deepEqual(
      opened?.methods?.map(({ kind }) => kind),
      ["password"],
    );
    const again = testBrowser(it.app);
    assert.match((await again.get(link)).body, /Postern is ready/);
    assert.ok(!again.cookies.has(session));
    assert.match((await browser.post("/setup", { ...hidden, ...fields })).body, /Postern is ready/);
    assert.equal(await it.store.count("users", { is_platform_admin: true }), 1);
    assert.equal((await signInAs(testBrowser(it.app), fields)).statusCode, 302);
  });

  test("an invalid setup link is refused", async () => {
    const it = await testApp();
    const answer = await testBrowser(it.app).get("/setup?token=pot_guessed");
    assert.equal(answer.statusCode, 404);
    assert.match(String(answer.headers["content-type"]), /^text\/html/);
  });
});
