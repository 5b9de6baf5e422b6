/** The pages for browsers that skip the second factor for some days (MF-13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { IdentitySettings } from "../../src/people/core/context/context.ts";
import {
  aPersonAt,
  forgetSession,
  giveFactor as give,
  factorPage as path,
  submit,
  tokensOf,
} from "../support/account.ts";
import { testBrowser } from "../support/app.ts";
import { anApp, start } from "../support/builders.ts";
import { authorizeParameters, credentialsOf, formOf, type Parameters } from "../support/flows.ts";
import { aProvider, scriptedClient, upstreamPerson, visitProvider } from "../support/scripted_providers.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const cookieName = "__Host-postern_device";
const on: IdentitySettings = { remember_device_days: 30 };

async function setUp(identity_settings: IdentitySettings = on) {
  const client = scriptedClient();
  const person = { email_verified_at: start };
  const it = await aPersonAt({ person, identity_settings, provider_client: client });
  const totp = await anAuthenticatorApp(it.user, it.identity);
  await someRecoveryCodes(it.user, it.identity);
  return { ...it, totp, client };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** Signs in completely, with the second factor. */
async function enter(it: Setting, fields: Parameters = {}, browser = it.browser) {
  it.clock.advance(60);
  assert.equal((await it.enter(browser)).headers.location, path);
  const done = await give(browser, { code: totpCode(it.totp.secret, it.clock.now()), ...fields });
  assert.equal(done.statusCode, 302, done.body);
  return done;
}

/** Returns a user signed in by password in a remembered browser. */
async function remembered() {
  const it = await setUp();
  await enter(it, { remember: "yes" });
  forgetSession(it.browser);
  it.clock.advance(1);
  assert.equal((await it.enter(it.browser)).headers.location, "/");
  return it;
}

describe("skipping the second factor in a remembered browser", () => {
  test("MF-13 if the feature is off, no page mentions it and no form can enable it", async () => {
    for (const settings of [{}, { remember_device_days: 0 }]) {
      const it = await setUp(settings);
      await it.enter(it.browser);
      assert.doesNotMatch((await it.browser.get(path)).body, /remember/i);
      await enter(it, { remember: "yes" });
      assert.equal(it.browser.cookies.get(cookieName), undefined);
      assert.equal(await it.store.count("devices", {}), 0);
    }
  });

  test("MF-13 the user decides whether a browser is remembered, and its cookie is limited to this host", async () => {
    const it = await setUp();
    await it.enter(it.browser);
    const page = await it.browser.get(path);
    assert.match(page.body, /name="remember" value="yes"[^>]*><span>Do not ask on this device for 30 days</);
    assert.doesNotMatch(page.body, /name="remember"[^>]*checked/);
    await enter(it);
    assert.equal(it.browser.cookies.get(cookieName), undefined);
    forgetSession(it.browser);
    await it.enter(it.browser);
    const code = wrongTotpCode(it.totp.secret, it.clock.now());
    const wrong = await give(it.browser, { code, remember: "yes" });
    assert.match(wrong.body, /name="remember"[^>]*checked/);
    const done = await enter(it, { remember: "yes" });
    const cookie = done.cookies.find(({ name }) => name === cookieName);
    assert.deepEqual(
      [cookie?.httpOnly, cookie?.secure, cookie?.sameSite, cookie?.maxAge, cookie?.path, cookie?.domain],
      [true, true, "Lax", 30 * 86_400, "/", undefined],
    );
    const reported = (await it.mails()).filter(({ subject }) =>
      subject.startsWith("A browser is remembered"),
    );
    assert.deepEqual(
      reported.map(({ to }) => to),
      ["ada@example.com"],
    );
  });

  test("MF-13 the choice is not offered in a step-up, with a recovery code, or to administrators", async () => {
    const it = await setUp();
    const offers = async (query: string, asks: string) => {
      const { body } = await it.browser.get(path + query);
      assert.ok(body.includes(`name="${asks}"`));
      return body.includes('name="remember"');
    };
    await it.enter(it.browser);
    assert.equal(await offers("", "code"), true);
    assert.equal(await offers("?method=recovery_code", "recovery_code"), false);
    await enter(it);
    assert.equal(await offers("?redirect=%2Faccount", "code"), false);
    await it.store.update("users", { id: it.user.id }, { is_platform_admin: true });
    forgetSession(it.browser);
    await it.enter(it.browser);
    assert.equal(await offers("", "code"), false);
    await enter(it, { remember: "yes" });
    assert.equal(await it.store.count("devices", {}), 0);
  });

  test("MF-13 the security page lists remembered browsers, and can forget one or all", async () => {
    const it = await remembered();
    const other = testBrowser(it.app);
    await enter(it, { remember: "yes" }, other);
    const list = "/account/sessions";
    assert.match((await it.browser.get(list)).body, /devices\/forget-all/);
    const [first] = await it.store.list("devices", {}, { order_by: "id" });
    await submit(it.browser, list, `${list}/devices/${first?.id}/forget`);
    assert.doesNotMatch((await it.browser.get(list)).body, /devices\/forget-all/);
    forgetSession(it.browser);
    assert.equal((await it.enter(it.browser)).headers.location, path);
    const done = await submit(other, list, `${list}/devices/forget-all`);
    assert.equal(done.headers.location, `${list}?done=devices_forgotten`);
    assert.equal(await it.store.count("devices", {}), 0);
  });
});

describe("MF-13 a remembered browser does not replace the second factor for", () => {
  const mfa = "urn:postern:acr:mfa" as const;
  for (const [what, require_acr, requested, leads] of [
    ["acr_values=mfa, which asks for the second factor", null, { acr_values: mfa }, /^\/sign-in\/second-f/],
    ["require_acr of an app", mfa, {}, /^\/sign-in\/second-factor\?/],
    [
      "acr_values=mfa with prompt=none, which asks nobody",
      null,
      { acr_values: mfa, prompt: "none" },
      /[?&]error=login_required&/,
    ],
  ] as const)
    test(what, async () => {
      const it = await remembered();
      const app = await anApp(it.store, { first_party: true, require_acr });
      const answer = await it.browser.get(`/oauth/authorize?${formOf(authorizeParameters(app, requested))}`);
      assert.match(String(answer.headers.location), leads);
    });

  test("a sensitive action in the account", async () => {
    const it = await remembered();
    const input = { name: "CI", lifetime: "30", scope: "postern:users:read" };
    const requested = await submit(it.browser, "/account/api-keys/new", undefined, input);
    assert.match(requested.body, /<h1>Confirm that it is you<\/h1>/);
    assert.equal(await it.store.count("api_keys", {}), 0);
  });

  test("the level in the id_token, which states the password only", async () => {
    const it = await remembered();
    const client = await anApp(it.store, { first_party: true });
    const authorization = String(await credentialsOf(it, client));
    const { id_token = "" } = await tokensOf(it, it.browser, client, authorization);
    const claims = JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString());
    assert.equal(claims.acr, "urn:postern:acr:password");
    assert.deepEqual(claims.amr, ["pwd"]);
  });

  test("the proof for linking an account at a provider (EP-11)", async () => {
    const it = await remembered();
    const { slug } = await aProvider(it.store);
    forgetSession(it.browser);
    await visitProvider(it.browser, it.client, upstreamPerson({ email: it.user.email }), { slug });
    it.clock.advance(1);
    const continue_at = `/sign-in/${slug}/continue`;
    assert.equal((await it.enter(it.browser, { redirect: continue_at })).headers.location, path);
    // A session that was started on another page in the meantime is not enough either.
    assert.equal((await it.enter(it.browser)).headers.location, "/");
    assert.doesNotMatch((await it.browser.get(continue_at)).body, /value="link"/);
    assert.equal(await it.store.count("oauth_accounts", {}), 0);
  });
});
