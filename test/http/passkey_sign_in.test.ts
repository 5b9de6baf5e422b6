import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { aPersonAt, sendForm } from "../support/account.ts";
import { hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { flag, softwareAuthenticator } from "../support/authenticator.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import { aPasskey, type Device, optionsOf, signInByPasskey, testSite } from "../support/passkeys.ts";

const path = "/sign-in/passkey";

const setUp = () => aPersonAt({ throttle: true, identity_settings: { extra_sign_in: ["passkey"] } });

/** Submits a page with this device. */
const answer = (browser: TestBrowser, page: LightMyRequestResponse, device: Device) =>
  sendForm(browser, page, path, { answer: JSON.stringify(device.assert(String(optionsOf(page).challenge))) });

describe("signing in with a passkey", () => {
  test("PK-9 the login page accepts a passkey of any user, and names no email address", async () => {
    const { browser, store } = await setUp();
    const page = await browser.get("/login?redirect=%2Faccount");
    assert.equal(await store.count("ephemera", {}), 0, "a page that anybody opens writes no row");
    const { challenge, ...options } = optionsOf(page);
    assert.match(String(challenge), /^[\w-]{94}$/);
    assert.deepEqual(options, {
      rpId: "id.example",
      timeout: 300_000,
      allowCredentials: [],
      userVerification: "required",
    });
    assert.match(page.body, /autocomplete="username webauthn"/);
    assert.match(page.body, /<script type="module" src="\/assets\/passkeys\.js"><\/script>/);
  });

  test("PK-7 a passkey opens a session of the highest level, and the user continues", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device } = await aPasskey(user, identity);
    await store.remove("sessions", {});
    const answer = await signInByPasskey(browser, device);
    assert.equal(answer.statusCode, 302, answer.body);
    assert.equal(answer.headers.location, "/account");
    assert.equal((await browser.get("/account")).statusCode, 200);
    const [session] = await store.list("sessions", { user_id: user.id });
    assert.equal(session?.acr, "phr");
    assert.deepEqual(
      session?.methods?.map(({ kind, uv }) => [kind, uv]),
      [["passkey", true]],
    );
  });

  test("PK-7 after a sign-in by passkey the authorization request continues, also if it requires a fresh sign-in", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device } = await aPasskey(user, identity);
    const client = await anApp(store, { first_party: true });
    const redirect = `/oauth/authorize?${formOf(authorizeParameters(client, { prompt: "login" }))}`;
    const answer = await signInByPasskey(browser, device, { redirect });
    assert.equal(answer.headers.location, redirect);
    const code = await browser.get(redirect);
    assert.match(String(code.headers.location), /[?&]code=/);
  });

  test("PK-8 a response to an expired challenge shows the page with a new one, and keeps the request", async () => {
    const { browser, user, identity, clock } = await setUp();
    const { device } = await aPasskey(user, identity);
    const page = await browser.get("/login?redirect=%2Faccount%2Fapps");
    clock.advance(300);
    const again = await answer(browser, page, device);
    assert.equal(again.statusCode, 409);
    assert.match(again.body, /That took too long/);
    assert.notEqual(optionsOf(again).challenge, optionsOf(page).challenge);
    // The browser prompts automatically again, except after a refusal.
    for (const shown of [page, again]) assert.match(shown.body, /data-conditional/);
    assert.equal((await answer(browser, again, device)).headers.location, "/account/apps");
  });

  test("PK-8 after a refused passkey the password form is still shown, and keeps the request", async () => {
    const { browser, user } = await setUp();
    const stranger = softwareAuthenticator(testSite);
    const refused = await signInByPasskey(browser, stranger, { redirect: "/account/apps" });
    assert.equal(refused.statusCode, 401);
    assert.equal(hiddenField(refused, "redirect"), "/account/apps");
    assert.match(refused.body, /name="password"/);
    assert.doesNotMatch(refused.body, /data-conditional/);
    assert.equal((await signInAs(browser, user)).statusCode, 302);
  });

  test("PK-3 a passkey response to another browser's challenge or from another site's form does not sign in", async () => {
    const { app, browser, user, identity } = await setUp();
    const { device } = await aPasskey(user, identity);
    const page = await browser.get("/login?redirect=%2Faccount");
    const fields = {
      csrf_token: hiddenField(page, "csrf_token"),
      answer: JSON.stringify(device.assert(String(optionsOf(page).challenge))),
    };
    const other = testBrowser(app);
    const csrf_token = hiddenField(await other.get("/login?redirect=%2Faccount"), "csrf_token");
    assert.equal((await other.post(path, fields)).statusCode, 403);
    assert.equal((await other.post(path, { ...fields, csrf_token })).statusCode, 401);
    assert.equal((await browser.post(path, fields, { "sec-fetch-site": "cross-site" })).statusCode, 403);
    assert.equal((await browser.post(path, fields)).statusCode, 302);
  });

  test("PK-6 a user whose security key does not verify them is asked for the password first", async () => {
    const { browser, user, identity } = await setUp();
    const { device } = await aPasskey(user, identity, { kind: "security_key", uv: false });
    const refused = await signInByPasskey(browser, device, { changes: { flags: flag.uv } });
    assert.equal(refused.statusCode, 401);
    assert.match(refused.body, /only a second factor/);
  });

  test("PK-10 the page signals the password manager to forget a passkey that is unknown here, and no other", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device } = await aPasskey(user, identity);
    const unknown = softwareAuthenticator(testSite);
    const refused = await signInByPasskey(browser, unknown);
    const signal = { unknown: { rpId: "id.example", credentialId: unknown.credential_id } };
    assert.ok(refused.body.includes(JSON.stringify(signal).replaceAll('"', "&quot;")));
    for (const changes of [{ rp_id: "other.example" }, { client_data: { crossOrigin: true } }]) {
      const known = await signInByPasskey(browser, device, { changes });
      assert.equal(known.statusCode, 401);
      assert.doesNotMatch(known.body, /data-signal/);
    }
    await store.update("users", { id: user.id }, { active: false });
    assert.doesNotMatch((await signInByPasskey(browser, device)).body, /data-signal/);
  });

  test("SS-14 if a passkey was used last, its button comes before the password", async () => {
    const { app, browser, user, identity } = await setUp();
    const { device } = await aPasskey(user, identity);
    const isFirst = async (there = browser) => {
      const { body } = await there.get("/login?account=another");
      return body.indexOf("Sign in with a passkey") < body.indexOf('name="password"');
    };
    assert.equal(await isFirst(), false);
    await signInByPasskey(browser, device);
    assert.equal(browser.cookies.get("__Host-postern_last"), "passkey");
    assert.equal(await isFirst(), true);
    const other = testBrowser(app);
    other.cookies.set("__Host-postern_last", "passkey");
    await signInAs(other, user);
    assert.equal(await isFirst(other), false);
  });

  test("PK-3 a refused passkey gets a reference that names the failed check in the log of refusals", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device } = await aPasskey(user, identity);
    for (const [used, changes, error] of [
      [device, { client_data: { origin: "https://evil.example" } }, "origin"],
      [device, { flags: flag.uv }, "user_verification"],
      [softwareAuthenticator(testSite), {}, "unknown"],
    ] as const) {
      const { body } = await signInByPasskey(browser, used, { changes });
      assert.match(body, /Reference: <code>/);
      await store.flushRefusals();
      const reported = (await store.list("refusals")).flatMap(({ evidence }) =>
        evidence.map(({ name }) => name),
      );
      assert.ok(reported.includes(`passkey: ${error}`), error);
    }
  });

  test("PK-12 related origins are published only if a setting names them", async () => {
    const path = "/.well-known/webauthn";
    const related_origins = ["https://app.example", "https://shop.example"];
    const named = await testApp({ identity_settings: { extra_sign_in: ["passkey"], related_origins } });
    const listed = await named.app.inject(path);
    assert.equal(listed.headers["content-type"], "application/json; charset=utf-8");
    assert.deepEqual(listed.json(), { origins: related_origins });
    for (const identity_settings of [{ extra_sign_in: ["passkey"] }, { related_origins }] as const) {
      const { app } = await testApp({ identity_settings });
      assert.equal((await app.inject(path)).statusCode, 404);
    }
  });

  test("PK-15: the address for managing passkeys is published only if users may add passkeys", async () => {
    const path = "/.well-known/passkey-endpoints";
    const { app } = await testApp({ identity_settings: { extra_sign_in: ["passkey"] } });
    const answer = await app.inject(path);
    assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
    const page = `${issuer}/account/security`;
    assert.deepEqual(answer.json(), { enroll: page, manage: page });
    for (const identity_settings of [{}, { extra_sign_in: ["totp"] }] as const) {
      const { app: other } = await testApp({ identity_settings });
      assert.equal((await other.inject(path)).statusCode, 404);
    }
  });

  test("if the setting is off, or on an IP address, no trace of passkeys is shown", async () => {
    for (const input of [
      {},
      { base_url: "http://127.0.0.1:8080", identity_settings: { extra_sign_in: ["passkey"] } },
    ] as const) {
      const { app } = await testApp(input);
      const browser = testBrowser(app);
      const page = await browser.get("/login");
      assert.doesNotMatch(page.body, /passkey|webauthn/);
      assert.equal((await browser.post("/sign-in/passkey", {})).statusCode, 404);
    }
  });
});
