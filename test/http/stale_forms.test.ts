/** A form in an older tab acts only on the request that it shows, never on a newer one (L-5). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { passkeySignInPath } from "../../src/people/authenticators/passkeys/passkey_sign_in.http.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { forgetSession, sendForm, testMail } from "../support/account.ts";
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
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { optionsOf } from "../support/passkeys.ts";
import { aProvider, scriptedClient, upstreamPerson, visitProvider } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

describe("a form in an older tab, after the browser's session changed", () => {
  let it: TestApp;
  let client: OAuthApp;
  let cat: User;
  let dan: User;
  const scripted = scriptedClient();

  before(async () => {
    it = await testApp({
      mail: testMail().outbox,
      provider_client: scripted,
      settings: { extra_sign_in: ["totp", "passkey"] },
      identity_settings: { extra_sign_in: ["totp", "passkey"] },
    });
    client = await anApp(it.store, { first_party: true });
    await aProvider(it.store);
    cat = await aPerson(it, { email: "cat@example.com", name: "Cat" });
    dan = await aPerson(it, { email: "dan@example.com", name: "Dan" });
  });

  const request = (input: Record<string, string> = {}, app = client) =>
    `/oauth/authorize?${formOf(authorizeParameters(app, input))}`;
  const loginAt = (redirect: string) => `/login?redirect=${encodeURIComponent(redirect)}`;

  /**
   * Continues with the request in this browser, and returns the user for whom the application gets a code.
   */
  async function codeOwner(browser: TestBrowser): Promise<string | undefined> {
    await it.store.remove("oauth_auth_codes", {});
    const { headers } = await browser.get(request());
    assert.match(String(headers.location), /[?&]code=/);
    const [code] = await it.store.list("oauth_auth_codes", {});
    return [cat, dan].find(({ id }) => id === code?.user_id)?.name;
  }

  test("L-5: a form sent without cookies gets a page that names the address at which the pages work", async () => {
    const works = /Open its pages at <a href="https:\/\/id\.example"><bdi>https:\/\/id\.example<\/bdi>/;
    const browser = testBrowser(it.app);
    const shown = await browser.get("/login");
    const form = { csrf_token: hiddenField(shown, "csrf_token"), email: cat.email, password };
    assert.doesNotMatch(shown.body, works);
    for (const path of ["/login", "/forgot-password", "/reset-password", "/setup", "/consent", "/account"]) {
      const page = await testBrowser(it.app).post(path, form);
      if (page.statusCode === 302) continue;
      assert.ok(page.statusCode >= 400, path);
      assert.match(page.body, works, path);
    }
    const old = await browser.post("/login", { ...form, csrf_token: "old" });
    assert.equal(old.statusCode, 403);
    assert.doesNotMatch(old.body, works, "the cookie came");
    const foreign = await testBrowser(it.app).post("/oauth/authorize", { client_id: "nobody" });
    assert.doesNotMatch(foreign.body, works, "no form of ours");
  });

  test("L-5: an old sign-in form asks which account should continue, and can sign in the typed one", async () => {
    const browser = testBrowser(it.app);
    const old = await browser.get(loginAt(request()));
    await signInAs(browser, cat);
    const requested = await sendForm(browser, old, "/login", { email: dan.email, password });
    assert.equal(requested.statusCode, 409);
    assert.equal(requested.headers.location, undefined);
    assert.match(
      requested.body,
      /You signed in as <bdi class="name">cat@example\.com<\/bdi> in another window/,
    );
    assert.match(requested.body, /Continue as <bdi>Cat<\/bdi>/);
    assert.match(requested.body, /Sign in as <bdi>dan@example\.com<\/bdi>/);
    assert.ok(!requested.body.includes(password));
    const goesOn = await sendForm(browser, requested, "/login", { account: "continue" });
    assert.equal(goesOn.headers.location, request());
    assert.equal(await codeOwner(browser), "Cat");
    const login = await sendForm(browser, requested, "/login", { account: "another" });
    assert.match(login.body, /name="email"[^>]*value="dan@example\.com"/);
    const switched = await sendForm(browser, login, "/login", { email: dan.email, password });
    assert.equal(switched.headers.location, request());
    assert.equal(await codeOwner(browser), "Dan");
  });

  test("L-5: an old sign-in form continues for the account that signed in meanwhile, whether or not it was typed", async () => {
    const browser = testBrowser(it.app);
    const old = await browser.get(loginAt(request()));
    await signInAs(browser, cat);
    const same = await sendForm(browser, old, "/login", { email: " CAT@example.com", password });
    assert.equal(same.headers.location, loginAt(request()));
    assert.equal((await browser.get(loginAt(request()))).headers.location, request());
    const nothing = await sendForm(browser, old, "/login", { email: "", password });
    assert.equal(nothing.statusCode, 409);
    assert.match(nothing.body, /Use another account/);
  });

  test("L-5: an old form for a passkey or a provider asks which account should continue", async () => {
    const browser = testBrowser(it.app);
    const old = await browser.get(loginAt(request()));
    assert.ok(optionsOf(old));
    await signInAs(browser, cat);
    const stale = { redirect: request(), csrf_token: hiddenField(old, "csrf_token") };
    for (const path of [passkeySignInPath, "/sign-in/example"]) {
      const requested = await browser.post(path, { ...stale, answer: "{}" });
      assert.equal(requested.statusCode, 409, path);
      assert.match(requested.body, /Use another account/);
    }
    assert.equal(scripted.begun.length, 0);
  });

  test("L-5: a form that offers to continue as one account asks again after another one signed in", async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, cat);
    const old = await browser.get(request({ prompt: "select_account" }));
    forgetSession(browser);
    await signInAs(browser, dan);
    const requested = await sendForm(browser, old, "/login", { account: "continue" });
    assert.equal(requested.statusCode, 409);
    assert.match(requested.body, /Continue as <bdi>Dan<\/bdi>/);
  });

  test("L-5: an old consent form grants nothing in another account's name", async () => {
    const asking = await anApp(it.store);
    const browser = testBrowser(it.app);
    await signInAs(browser, cat);
    const old = await browser.get(request({}, asking));
    forgetSession(browser);
    await signInAs(browser, dan);
    const before = await it.store.count("oauth_auth_codes");
    assert.equal((await sendForm(browser, old, "/consent", { decision: "allow" })).statusCode, 403);
    assert.equal(await it.store.count("oauth_auth_codes"), before);
    assert.equal(await it.store.count("oauth_consents", { app_id: asking.id }), 0);
  });

  test("MF-5: an old form of a second factor counts only for its own sign-in", async () => {
    const [eve, fay] = [await aPerson(it), await aPerson(it)];
    await anAuthenticatorApp(eve, it.identity);
    const { secret } = await anAuthenticatorApp(fay, it.identity);
    const browser = testBrowser(it.app);
    await signInAs(browser, eve);
    const old = await browser.get("/sign-in/second-factor");
    await signInAs(browser, fay);
    const input = { method: "totp", code: totpCode(secret, it.clock.now()) };
    const stale = { csrf_token: hiddenField(old, "csrf_token") };
    const refused = await browser.post("/sign-in/second-factor", { ...input, ...stale });
    assert.equal(refused.statusCode, 403);
    assert.ok(refused.body.includes(fay.email));
    assert.equal((await browser.post("/sign-in/second-factor", { ...stale, cancel: "yes" })).statusCode, 403);
    const csrf_token = hiddenField(refused, "csrf_token");
    const right = await browser.post("/sign-in/second-factor", { ...input, csrf_token });
    assert.equal(right.statusCode, 302);
    assert.ok((await browser.get("/account")).body.includes(fay.email));
  });

  test("SS-12: an old form that keeps an account from deletion does not keep another one", async () => {
    const deletion_at = (hours: number) => new Date(it.clock.now().getTime() + hours * 3_600_000);
    const leaving = { active: false, deleted_by: "user" } as const;
    const gus = await aPerson(it, { ...leaving, deletion_at: deletion_at(24) });
    const hal = await aPerson(it, { ...leaving, deletion_at: deletion_at(25) });
    const browser = testBrowser(it.app);
    await signInAs(browser, gus);
    const old = await browser.get("/sign-in/undo-deletion");
    await signInAs(browser, hal);
    const csrf_token = hiddenField(old, "csrf_token");
    assert.equal((await browser.post("/sign-in/undo-deletion", { csrf_token, token: "" })).statusCode, 403);
    for (const { id } of [gus, hal]) {
      assert.notEqual((await it.store.find("users", { id }))?.deletion_at, null);
    }
  });

  test("EP-10: an old form about an account at a provider creates no account for another identity", async () => {
    const browser = testBrowser(it.app);
    const path = "/sign-in/example/continue";
    const visit = async (subject: string) => {
      await visitProvider(browser, scripted, upstreamPerson({ subject, email: `${subject}@firm.example` }));
      return browser.get(path);
    };
    const old = await visit("ivy");
    await visit("jon");
    const before = await it.store.count("users");
    const answer = await sendForm(browser, old, path, { answer: "create", name: "Ivy" });
    assert.equal(answer.statusCode, 409);
    assert.match(answer.body, /jon@firm\.example/);
    assert.equal(await it.store.count("users"), before);
  });
});
