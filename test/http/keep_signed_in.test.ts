/** "Keep me signed in": the check box of the login page, and the cookie that outlives the browser window. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { IdentitySettings } from "../../src/people/core/context/context.ts";
import { aPersonAt, factorPage, forgetSession, giveFactor, sendForm, submit } from "../support/account.ts";
import { hiddenField, password, type TestBrowser } from "../support/app.ts";
import { start } from "../support/builders.ts";
import { aPasskey, optionsOf } from "../support/passkeys.ts";
import {
  aProvider,
  returnAs,
  scriptedClient,
  stateOf,
  upstreamPerson,
} from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const name = "__Host-postern_session";
const thirtyDays = 30 * 86_400;
const on: IdentitySettings = { session_remember_days: 30 };

async function setUp(identity_settings: IdentitySettings = on) {
  const client = scriptedClient();
  const person = { email_verified_at: start };
  return { ...(await aPersonAt({ person, identity_settings, provider_client: client })), client };
}

const maxAgeOf = ({ cookies }: LightMyRequestResponse) => {
  const cookie = cookies.find((each) => each.name === name) ?? assert.fail("no session");
  assert.deepEqual(
    [cookie.httpOnly, cookie.secure, cookie.sameSite, cookie.path, cookie.domain],
    [true, true, "Lax", "/", undefined],
  );
  return cookie.maxAge;
};

const keep_signed_in = "yes";

const byPassword = (browser: TestBrowser, fields: Record<string, string>) =>
  submit(browser, "/login?redirect=%2Faccount", "/login", { email: "ada@example.com", password, ...fields });

describe('the choice "Keep me signed in"', () => {
  test("OR-16: if the feature is off, no page or cookie mentions it, and a posted choice has no effect", async () => {
    for (const settings of [{}, { session_remember_days: 0 }]) {
      const it = await setUp(settings);
      assert.doesNotMatch((await it.browser.get("/login")).body, /keep/i);
      assert.equal(maxAgeOf(await byPassword(it.browser, { keep_signed_in })), undefined);
    }
  });

  test("OR-16: a kept session ends when its user becomes a platform administrator, and an ordinary one continues", async () => {
    for (const [fields, status] of [
      [{ keep_signed_in }, 302],
      [{}, 200],
    ] as const) {
      const { browser, store, user } = await setUp();
      await byPassword(browser, fields);
      assert.equal((await browser.get("/account")).statusCode, 200);
      await store.update("users", { id: user.id }, { is_platform_admin: true });
      assert.equal((await browser.get("/account")).statusCode, status);
    }
  });

  test("OR-16: the box starts unchecked, keeps its state after a wrong password, and reflects the current session", async () => {
    const { browser } = await setUp();
    const page = await browser.get("/login");
    assert.match(page.body, /name="keep_signed_in" value="yes"[^>]*><span>Keep me signed in for 30 days</);
    const ticked = /name="keep_signed_in"[^>]*checked/;
    assert.doesNotMatch(page.body, ticked);
    assert.match((await byPassword(browser, { keep_signed_in, password: "wrong" })).body, ticked);
    assert.equal(maxAgeOf(await byPassword(browser, {})), undefined);
    forgetSession(browser);
    assert.equal(maxAgeOf(await byPassword(browser, { keep_signed_in })), thirtyDays);
    assert.match((await browser.get("/login?account=another")).body, ticked);
  });

  test("OR-16: the choice survives the second factor, and a later proof does not extend the session's end", async () => {
    const it = await setUp();
    const { secret } = await anAuthenticatorApp(it.user, it.identity);
    it.clock.advance(60);
    const first = await byPassword(it.browser, { keep_signed_in });
    assert.equal(first.headers.location, factorPage);
    const done = await giveFactor(it.browser, { code: totpCode(secret, it.clock.now()) });
    assert.equal(maxAgeOf(done), thirtyDays);
    it.clock.advance(3600);
    const steppedUp = await giveFactor(
      it.browser,
      { code: totpCode(secret, it.clock.now()) },
      `${factorPage}?redirect=%2Faccount`,
    );
    assert.equal(maxAgeOf(steppedUp), thirtyDays - 3600);
  });

  test("OR-16: the choice applies to a sign-in by passkey", async () => {
    const it = await setUp({ ...on, extra_sign_in: ["passkey"] });
    const { device } = await aPasskey(it.user, it.identity);
    for (const [fields, age] of [
      [{ keep_signed_in }, thirtyDays],
      [{}, undefined],
    ] as const) {
      forgetSession(it.browser);
      const page = await it.browser.get("/login?redirect=%2Faccount");
      const answer = JSON.stringify(device.assert(String(optionsOf(page).challenge)));
      const done = await sendForm(it.browser, page, "/sign-in/passkey", { answer, ...fields });
      assert.equal(maxAgeOf(done), age);
    }
  });

  test("OR-16: the choice applies to a sign-in by provider, and the end of the provider's session still counts", async () => {
    const it = await setUp();
    await aProvider(it.store);
    const visit = async (fields: Record<string, string>, hours?: number) => {
      forgetSession(it.browser);
      const csrf_token = hiddenField(await it.browser.get("/login"), "csrf_token");
      const left = await it.browser.post("/sign-in/example", { csrf_token, redirect: "/account", ...fields });
      const session_expiry =
        hours === undefined ? undefined : new Date(it.clock.now().getTime() + hours * 3_600_000);
      return returnAs(it.browser, it.client, stateOf(left), upstreamPerson({ session_expiry }));
    };
    const first = await visit({ keep_signed_in });
    assert.equal(first.headers.location, "/sign-in/example/continue");
    const made = await submit(it.browser, "/sign-in/example/continue", undefined, {
      answer: "create",
      name: "Ann",
    });
    assert.equal(maxAgeOf(made), thirtyDays, "also of an account that was made on the way");
    assert.equal(maxAgeOf(await visit({ keep_signed_in }, 2)), 7200);
    assert.equal(maxAgeOf(await visit({})), undefined);
  });

  test("OR-16: a sensitive action in a kept session still requires a fresh proof", async () => {
    const { browser, clock } = await setUp();
    await byPassword(browser, { keep_signed_in });
    clock.advance(3 * 86_400);
    const page = await browser.get("/account/password");
    assert.equal(page.statusCode, 200, "signed in for days without use");
    const keys = await submit(browser, "/account/api-keys/new", undefined, { name: "CI" });
    assert.match(keys.body, /name="sudo_password"/);
  });
});
