/** The pages around browsers that are not asked for a second factor for some days (MF-13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { IdentitySettings } from "../../src/identity/context.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import { submit, tokensOf } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, credentialsOf, formOf, type Parameters } from "../support/flows.ts";
import { aProvider, scriptedLeg, upstreamPerson } from "../support/scripted_providers.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const path = "/sign-in/second-factor";
const cookieName = "__Host-postern_device";
const on: IdentitySettings = { remember_device_days: 30 };

async function setUp(identity_settings: IdentitySettings = on) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const leg = scriptedLeg();
  const it = await testApp({ mail: outbox, throttle: false, identity_settings, provider_leg: leg });
  const user = await aPerson(it, { email: "ada@example.com", email_verified_at: it.clock.now() });
  const totp = await anAuthenticatorApp(user, it.identity);
  await someRecoveryCodes(user, it.identity);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept().filter(({ subject }) => subject.startsWith("A browser is remembered"));
  };
  return { ...it, user, totp, mails, leg, browser: testBrowser(it.app) };
}

type Stage = Awaited<ReturnType<typeof setUp>>;

async function give(browser: TestBrowser, fields: Parameters) {
  const page = await browser.get(path);
  assert.equal(page.statusCode, 200, page.body);
  const hidden = { csrf_token: hiddenField(page, "csrf_token"), method: hiddenField(page, "method") };
  return browser.post(path, { ...hidden, ...fields });
}

/** A whole sign-in with the second factor. */
async function enter(it: Stage, fields: Parameters = {}, browser = it.browser) {
  it.clock.advance(60);
  assert.equal((await signInAs(browser, it.user)).headers.location, path);
  const done = await give(browser, { code: totpCode(it.totp.secret, it.clock.now()), ...fields });
  assert.equal(done.statusCode, 302, done.body);
  return done;
}

function signOut(browser: TestBrowser): void {
  browser.cookies.delete("__Host-postern_session");
}

/** Somebody who is signed in by the password in a remembered browser. */
async function remembered(given: IdentitySettings = on) {
  const it = await setUp(given);
  await enter(it, { remember: "yes" });
  signOut(it.browser);
  it.clock.advance(1);
  assert.equal((await signInAs(it.browser, it.user)).headers.location, "/");
  return it;
}

describe("remembering a browser", () => {
  test("MF-13 off, no page says a word of it and nothing that is posted is remembered", async () => {
    for (const settings of [{}, { remember_device_days: 0 }]) {
      const it = await setUp(settings);
      await signInAs(it.browser, it.user);
      assert.doesNotMatch((await it.browser.get(path)).body, /remember/i);
      await enter(it, { remember: "yes" });
      assert.equal(it.browser.cookies.get(cookieName), undefined);
      assert.equal(await it.store.count("devices", {}), 0);
    }
  });

  test("MF-13 it is the person's choice, and its cookie is of this host alone", async () => {
    const it = await setUp();
    await signInAs(it.browser, it.user);
    const page = await it.browser.get(path);
    assert.match(page.body, /name="remember" value="yes"[^>]*><span>Do not ask on this device for 30 days</);
    assert.doesNotMatch(page.body, /name="remember"[^>]*checked/);
    await enter(it);
    assert.equal(it.browser.cookies.get(cookieName), undefined);
    signOut(it.browser);
    await signInAs(it.browser, it.user);
    const wrong = await give(it.browser, {
      code: wrongTotpCode(it.totp.secret, it.clock.now()),
      remember: "yes",
    });
    assert.match(wrong.body, /name="remember"[^>]*checked/);
    const done = await enter(it, { remember: "yes" });
    const cookie = done.cookies.find(({ name }) => name === cookieName);
    assert.ok(cookie);
    const {
      httpOnly,
      secure,
      sameSite,
      maxAge,
      path: at,
      domain,
    } = cookie as typeof cookie & {
      domain?: string;
    };
    assert.deepEqual(
      [httpOnly, secure, sameSite, maxAge, at, domain],
      [true, true, "Lax", 30 * 86_400, "/", undefined],
    );
    const [mail, ...others] = await it.mails();
    assert.equal(others.length, 0);
    assert.equal(mail?.to, "ada@example.com");
  });

  test("MF-13 the password alone signs in there, in no other browser and for no other account", async () => {
    const it = await remembered();
    assert.equal((await it.browser.get("/account")).statusCode, 200);
    const elsewhere = testBrowser(it.app);
    assert.equal((await signInAs(elsewhere, it.user)).headers.location, path);
    const eve = await aPerson(it, { email: "eve@example.com" });
    await anAuthenticatorApp(eve, it.identity);
    const stolen = String(it.browser.cookies.get(cookieName));
    const thief = testBrowser(it.app);
    thief.cookies.set(cookieName, stolen);
    assert.equal((await signInAs(thief, eve)).headers.location, path);
    // With the cookie alone nobody gets in.
    assert.equal((await signInAs(thief, it.user, { password: "a wrong password" })).statusCode, 401);
    it.clock.advance(30 * 86_400);
    signOut(it.browser);
    assert.equal((await signInAs(it.browser, it.user)).headers.location, path);
  });

  test("MF-13 neither stepping up nor a recovery code offers it", async () => {
    const it = await setUp();
    await signInAs(it.browser, it.user);
    const recovery = await it.browser.get(`${path}?method=recovery_code`);
    assert.match(recovery.body, /name="recovery_code"/);
    assert.doesNotMatch(recovery.body, /name="remember"/);
    await enter(it);
    const stepping = await it.browser.get(`${path}?redirect=%2Faccount`);
    assert.match(stepping.body, /name="code"/);
    assert.doesNotMatch(stepping.body, /name="remember"/);
  });

  test("MF-13 platform administrators are not offered it", async () => {
    const it = await setUp();
    await it.store.update("users", { id: it.user.id }, { is_platform_admin: true });
    await signInAs(it.browser, it.user);
    assert.doesNotMatch((await it.browser.get(path)).body, /name="remember"/);
    await enter(it, { remember: "yes" });
    assert.equal(await it.store.count("devices", {}), 0);
  });

  test("MF-13 the list has it, forgets it, and forgets all", async () => {
    const it = await remembered();
    const other = testBrowser(it.app);
    await enter(it, { remember: "yes" }, other);
    const list = "/account/sessions";
    assert.match((await it.browser.get(list)).body, /devices\/forget-all/);
    const [first] = await it.store.list("devices", {}, { order_by: "id" });
    await submit(it.browser, list, `${list}/devices/${first?.id}/forget`);
    assert.doesNotMatch((await it.browser.get(list)).body, /devices\/forget-all/);
    signOut(it.browser);
    assert.equal((await signInAs(it.browser, it.user)).headers.location, path);
    const done = await submit(other, list, `${list}/devices/forget-all`);
    assert.equal(done.headers.location, `${list}?done=devices_forgotten`);
    assert.equal(await it.store.count("devices", {}), 0);
  });

  test("MF-13 a session in which the password is changed stays, and its browser is asked again", async () => {
    const it = await remembered();
    it.clock.advance(1);
    const fresh = "an entirely new password";
    const form = { current_password: password, password: fresh, password_again: fresh };
    const asked = await submit(it.browser, "/account/password", "/account/password", form);
    // Sudo wants the second factor, remembered or not.
    assert.match(asked.body, /<h1>Confirm that it is you<\/h1>/);
    it.clock.advance(60);
    const changed = await it.browser.post("/account/password", {
      csrf_token: hiddenField(asked, "csrf_token"),
      sudo_form: hiddenField(asked, "sudo_form"),
      sudo_totp: totpCode(it.totp.secret, it.clock.now()),
    });
    assert.equal(changed.statusCode, 303, changed.body);
    signOut(it.browser);
    it.clock.advance(1);
    assert.equal((await signInAs(it.browser, it.user, { password: fresh })).headers.location, path);
  });
});

describe("MF-13 a remembered browser never satisfies", () => {
  const mfa = "urn:postern:acr:mfa" as const;
  const authorize = async (it: Stage, given: { require_acr?: typeof mfa; acr_values?: string }) => {
    const { require_acr = null, ...parameters } = given;
    const app = await anApp(it.store, { first_party: true, require_acr });
    const url = `/oauth/authorize?${formOf(authorizeParameters(app, parameters))}`;
    return String((await it.browser.get(url)).headers.location);
  };

  test("acr_values=mfa, which asks for the second factor", async () => {
    assert.match(await authorize(await remembered(), { acr_values: mfa }), /^\/sign-in\/second-factor\?/);
  });

  test("require_acr of an app", async () => {
    assert.match(await authorize(await remembered(), { require_acr: mfa }), /^\/sign-in\/second-factor\?/);
  });

  test("acr_values=mfa with prompt=none, which asks nobody", async () => {
    const it = await remembered();
    const app = await anApp(it.store, { first_party: true });
    const parameters = authorizeParameters(app, { acr_values: mfa, prompt: "none" });
    const { location } = (await it.browser.get(`/oauth/authorize?${formOf(parameters)}`)).headers;
    assert.equal(new URL(String(location)).searchParams.get("error"), "login_required");
  });

  test("what is sensitive in the account", async () => {
    const it = await remembered();
    const page = await it.browser.get("/account/api-keys/new");
    const asked = await it.browser.post("/account/api-keys/new", {
      csrf_token: hiddenField(page, "csrf_token"),
      form_id: hiddenField(page, "form_id"),
      name: "CI",
      lifetime: "30",
      scope: "postern:users:read",
    });
    assert.match(asked.body, /<h1>Confirm that it is you<\/h1>/);
    assert.equal(await it.store.count("api_keys", {}), 0);
  });

  test("more than it is: the id_token tells the password alone", async () => {
    const it = await remembered();
    const client = await anApp(it.store, { first_party: true });
    const authorization = String(await credentialsOf(it, client));
    const { id_token = "" } = await tokensOf(it, it.browser, client, authorization);
    const claims = JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString());
    assert.equal(claims.acr, "urn:postern:acr:password");
    assert.deepEqual(claims.amr, ["pwd"]);
  });

  test("the proof of an account to which one at a provider is to be linked (EP-11)", async () => {
    const it = await remembered();
    const provider = await aProvider(it.store);
    signOut(it.browser);
    const login = await it.browser.get("/login");
    const sent = await it.browser.post(`/sign-in/${provider.slug}`, {
      csrf_token: hiddenField(login, "csrf_token"),
      redirect: hiddenField(login, "redirect"),
    });
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    it.leg.people.set("code", upstreamPerson({ email: it.user.email }));
    it.clock.advance(1);
    await it.browser.get(
      `/sign-in/${provider.slug}/callback?${new URLSearchParams({ state, code: "code" })}`,
    );
    it.clock.advance(1);
    const continue_at = `/sign-in/${provider.slug}/continue`;
    assert.equal((await signInAs(it.browser, it.user, { redirect: continue_at })).headers.location, path);
    // Nor with a session that was begun on another page meanwhile.
    assert.equal((await signInAs(it.browser, it.user)).headers.location, "/");
    assert.doesNotMatch((await it.browser.get(continue_at)).body, /value="link"/);
    assert.equal(await it.store.count("oauth_accounts", {}), 0);
  });
});
