/** Passkeys that a browser creates automatically (docs/decisions/passkeys.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { factorPage, giveFactor, landed, sendForm, submit } from "../support/account.ts";
import { aPerson, hiddenField, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { flag, softwareAuthenticator } from "../support/authenticator.ts";
import { optionsOf, signInByPasskey, testSite } from "../support/passkeys.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const security = "/account/security";
const consent = "/account/passkeys/upgrades";
const upgrade = (to: string) => `/sign-in/passkey-upgrade?redirect=${encodeURIComponent(to)}`;

/** Returns a user with a password, an authenticator app and recovery codes, signed in with both factors. */
async function setUp({ codes = true, on = true } = {}) {
  const extra_sign_in = on ? (["passkey", "totp"] as const) : (["totp"] as const);
  const it = await testApp({ throttle: false, identity_settings: { extra_sign_in } });
  const { identity, clock } = it;
  const user = await aPerson(it);
  const { secret } = await anAuthenticatorApp(user, identity);
  if (codes) await someRecoveryCodes(user, identity);
  const signIn = async (browser: TestBrowser, redirect = "/account") => {
    clock.advance(30);
    await signInAs(browser, user, { redirect });
    return giveFactor(browser, { method: "totp", code: totpCode(secret, clock.now()) });
  };
  const browser = testBrowser(it.app);
  assert.equal((await signIn(browser)).headers.location, "/account");
  const agreed = async () => {
    await landed(browser, await submit(browser, security, consent, { agreed: "yes" }));
    await submit(browser, "/logout", "/logout");
  };
  return { ...it, user, browser, signIn, agreed };
}

/**
 * Submits the page like a browser that creates a passkey automatically: without user presence or
 * verification.
 */
async function answered(browser: TestBrowser, to: string, flags: number = flag.up) {
  const page = await browser.get(upgrade(to));
  const options = optionsOf(page) as { challenge: string; user: { id: string } };
  const device = softwareAuthenticator({ ...testSite, uv: false, user_handle: options.user.id });
  const input = { answer: JSON.stringify(device.register(options.challenge, { flags })) };
  const answer = await sendForm(browser, page, "/sign-in/passkey-upgrade", input);
  return { page, device, answer, options };
}

describe("a passkey that a browser creates automatically", () => {
  test("PK-13 a passkey is created automatically only after password and code, in a browser whose user agreed", async () => {
    const { app, browser, user, signIn, agreed, store } = await setUp();
    await agreed();
    assert.equal((await signIn(testBrowser(app))).headers.location, "/account", "another browser");
    assert.equal((await signIn(browser, "/account/apps")).headers.location, upgrade("/account/apps"));
    const { page, answer } = await answered(browser, "/account/apps");
    assert.match(page.body, /data-unasked="\/account\/apps"/);
    assert.equal(answer.headers.location, "/account/apps");
    const [passkey] = await store.list("passkeys", { user_id: user.id });
    assert.deepEqual([passkey?.signs_in, passkey?.uv_initialized], [true, false]);
    await landed(browser, await submit(browser, security, consent, { agreed: "no" }));
    await submit(browser, "/logout", "/logout");
    assert.equal((await signIn(browser)).headers.location, "/account");
  });

  test("PK-6, PK-13 an automatic passkey signs in alone only after the device verified the user along with the password", async () => {
    const { app, browser, user, signIn, agreed, store, clock } = await setUp();
    await agreed();
    await signIn(browser);
    const { device } = await answered(browser, "/account");
    const alone = await signInByPasskey(testBrowser(app), device, { changes: { flags: flag.uv } });
    assert.match(alone.body, /only a second factor/);
    const [session] = await store.list("sessions", { ended_at: null }, { order_by: "id", descending: true });
    assert.equal(session?.acr, "urn:postern:acr:mfa");
    clock.advance(30);
    const other = testBrowser(app);
    await signInAs(other, user);
    const page = await other.get(`${factorPage}?method=passkey`);
    const proof = device.assert(String(optionsOf(page).challenge), { flags: flag.uv });
    const done = await sendForm(other, page, factorPage, { passkey: JSON.stringify(proof) });
    assert.equal(done.statusCode, 302, done.body);
    const later = await signInByPasskey(testBrowser(app), device, { changes: { flags: flag.uv } });
    assert.equal(later.statusCode, 302, later.body);
  });

  test("PK-13 no passkey is created automatically as the first second factor or without recovery codes", async () => {
    const { browser } = await setUp({ codes: false });
    assert.doesNotMatch((await browser.get(security)).body, /passkeys\/upgrades/);
    assert.equal((await browser.get(upgrade("/account"))).headers.location, "/account");
  });

  test("PK-3 the challenge for an automatic passkey cannot be used to add a passkey on the security page", async () => {
    const { browser, agreed, signIn, store } = await setUp();
    await agreed();
    await signIn(browser);
    const page = await browser.get(upgrade("/account"));
    const device = softwareAuthenticator(testSite);
    const answer = JSON.stringify(device.register(String(optionsOf(page).challenge), { flags: flag.up }));
    const csrf_token = hiddenField(page, "csrf_token");
    const input = { csrf_token, kind: "passkey", name: "Key", answer };
    assert.equal((await browser.post("/account/passkeys", input)).statusCode, 422);
    const requested = await submit(browser, security, "/account/passkeys/new", { kind: "passkey" });
    const other = JSON.stringify(device.register(String(optionsOf(requested).challenge), { flags: flag.up }));
    assert.equal((await browser.post("/account/passkeys", { ...input, answer: other })).statusCode, 422);
    const silent = { csrf_token, redirect: "/account", answer: other };
    assert.equal((await browser.post("/sign-in/passkey-upgrade", silent)).headers.location, "/account");
    assert.equal(await store.count("passkeys"), 0);
  });

  test("PK-13 the agreement belongs to one user, needs a fresh proof, and has no effect if the setting is off", async () => {
    const it = await setUp();
    const { browser, clock } = it;
    clock.advance(400);
    const wall = await submit(browser, security, consent, { agreed: "yes" });
    assert.match(wall.body, /name="sudo_password"/);
    const other = await setUp();
    await other.agreed();
    const kept = other.browser.cookies.get("__Host-postern_passkey_upgrade") ?? assert.fail();
    const theirs = testBrowser(it.app);
    theirs.cookies.set("__Host-postern_passkey_upgrade", kept);
    assert.equal((await it.signIn(theirs)).headers.location, "/account");
    const off = await setUp({ on: false });
    const page = await off.browser.get(upgrade("/account"));
    assert.equal(page.statusCode, 404);
  });
});
