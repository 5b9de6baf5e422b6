import assert from "node:assert/strict";
import { test } from "node:test";
import { factorPage, setUp, submit, withCookie } from "../support/account.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

/** Returns a user who signed in by password and has an authenticator app, and a request that needs both. */
async function requested() {
  const it = await setUp();
  const { secret } = await anAuthenticatorApp(it.user, it.identity);
  const app = await anApp(it.store, { first_party: true, require_acr: "urn:postern:acr:mfa" });
  const url = `/oauth/authorize?${formOf(authorizeParameters(app))}`;
  /** Returns the address to which the browser is redirected. */
  const led = async (from: string, browser = it.browser) => {
    const at = new URL(String((await browser.get(from)).headers.location), it.server.issuer);
    return at.origin === it.server.issuer ? at.pathname + at.search : at.href;
  };
  return { ...it, secret, url, led };
}

test("SU-3, SU-5: a user proves the level that the app requires, once, and the earlier cookie ends", async () => {
  const it = await requested();
  const before = it.browser.cookies.get("__Host-postern_session");
  const path = await it.led(it.url);
  assert.match(path, /^\/sign-in\/second-factor\?/);
  const code = totpCode(it.secret, it.clock.now());
  const answer = await submit(it.browser, path, factorPage, { code });
  assert.equal(answer.statusCode, 302, answer.body);
  assert.match(await it.led(String(answer.headers.location).replace(it.server.issuer, "")), /[?&]code=/);
  assert.match(await it.led(it.url, withCookie(it.app, before)), /^\/login\?/);
});

test("SU-3: an app's required level cannot be avoided by the URL of the page or by the login page", async () => {
  const it = await requested();
  for (const way of [`/login?redirect=${encodeURIComponent(it.server.issuer + it.url)}`, it.url]) {
    const at = await it.led(way);
    const next = at.startsWith("/oauth/authorize") ? await it.led(at) : at;
    assert.match(next, /^\/sign-in\/second-factor/);
  }
  assert.equal(await it.store.count("oauth_auth_codes", {}), 0);
});
