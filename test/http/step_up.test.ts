import assert from "node:assert/strict";
import { test } from "node:test";
import { insertAny } from "../storage/any_row.ts";
import { setUp } from "../support/account.ts";
import { hiddenField, testBrowser } from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { totpCode } from "../support/totp.ts";

const mfa = "urn:postern:acr:mfa";
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const session = "__Host-postern_session";

/** Somebody who signed in by password, and has an authenticator app. */
async function stage() {
  const it = await setUp();
  const { store, server, user, clock } = it;
  const id = store.newId(clock.now());
  const secret_sealed = server.sealer.seal("totp_authenticator", secret, id);
  await insertAny(store, "totp_authenticators", { users: user.id }, { id, secret_sealed, last_step: 0 });
  const app = await anApp(store, { first_party: true, require_acr: mfa });
  return { ...it, url: `/oauth/authorize?${formOf(authorizeParameters(app))}` };
}

test("SU-3, SU-5: a person steps up to what the app requires, once, and the cookie of before is dead", async () => {
  const it = await stage();
  const before = String(it.browser.cookies.get(session));
  const asked = await it.browser.get(it.url);
  const path = String(asked.headers.location);
  assert.match(path, /^\/sign-in\/second-factor\?/);
  const page = await it.browser.get(path);
  assert.equal(page.statusCode, 200);
  const answer = await it.browser.post("/sign-in/second-factor", {
    csrf_token: hiddenField(page, "csrf_token"),
    redirect: hiddenField(page, "redirect"),
    method: "totp",
    code: totpCode(secret, it.clock.now()),
  });
  assert.equal(answer.statusCode, 302, answer.body);
  const back = new URL(String(answer.headers.location), it.server.issuer);
  const done = await it.browser.get(back.pathname + back.search);
  assert.ok(new URL(String(done.headers.location)).searchParams.has("code"), String(done.headers.location));
  const thief = testBrowser(it.app);
  thief.cookies.set(session, before);
  assert.match(String((await thief.get(it.url)).headers.location), /\/login\?/);
});

test("SU-3: neither the page's address nor the login page leads around it", async () => {
  const it = await stage();
  const redirect = encodeURIComponent(it.server.issuer + it.url);
  for (const way of [`/login?redirect=${redirect}`, it.url]) {
    const at = new URL(String((await it.browser.get(way)).headers.location), it.server.issuer);
    const next =
      at.pathname === "/oauth/authorize" ? await it.browser.get(at.pathname + at.search) : undefined;
    assert.match(next ? String(next.headers.location) : at.pathname, /^\/sign-in\/second-factor/);
  }
  assert.equal(await it.store.count("oauth_auth_codes", {}), 0);
});
