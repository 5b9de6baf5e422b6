import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import { aPersonAt, landed, sendForm, submit } from "../support/account.ts";
import { aPerson, hiddenField, password, testBrowser } from "../support/app.ts";
import { flag, softwareAuthenticator } from "../support/authenticator.ts";
import {
  aPasskey,
  type Device,
  optionsOf,
  signInByPasskey,
  storeCodes,
  testSite,
} from "../support/passkeys.ts";

const security = "/account/security";
const own = "/account/passkeys";

/** Returns a user signed in on a device that they have used for two days, unless it is new. */
async function setUp(
  extra_sign_in: readonly ["passkey"] | readonly [] = ["passkey"],
  { days = 2, sends_mail = true } = {},
) {
  const identity_settings = { extra_sign_in, self_service: ["email"] } as const;
  const it = await aPersonAt({ days, sends_mail, throttle: true, identity_settings });
  /** Opens the page that requests a passkey, like the button on the security page. */
  const requested = async (kind = "passkey") => submit(it.browser, security, `${own}/new`, { kind });
  /** Submits that page with this device. */
  const add = (page: LightMyRequestResponse, device: Device, overrides: object = {}) => {
    const answer = JSON.stringify(device.register(String(optionsOf(page).challenge)));
    return sendForm(it.browser, page, own, { name: "Phone", answer, ...overrides });
  };
  return { ...it, requested, add };
}

/** Returns the signals of a page to the password manager. */
const signalsOf = ({ body }: LightMyRequestResponse) =>
  [...body.matchAll(/data-signal="([^"]*)"/g)].map(([, text = ""]) =>
    JSON.parse(text.replaceAll("&quot;", '"')),
  );

describe("a user's own passkeys", () => {
  test("PK-2 a user adds a passkey on the security page, is notified by mail, and can sign in with it", async () => {
    const { app, browser, user, mails, requested, add, store } = await setUp();
    assert.match((await browser.get(security)).body, /You have no passkey yet/);
    const page = await requested();
    assert.equal(page.statusCode, 200, page.body);
    const { rp, authenticatorSelection, user: about } = optionsOf(page) as Record<string, object>;
    assert.deepEqual(rp, { id: "id.example", name: "id.example" });
    assert.deepEqual(authenticatorSelection, {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    });
    const { id: user_handle, ...named } = about as { id: string };
    assert.deepEqual(named, { name: user.email, displayName: "Ada" });
    const device = softwareAuthenticator({ ...testSite, user_handle, synced: true });
    const shown = await add(page, device);
    const body = await landed(browser, await storeCodes(browser, shown));
    assert.match(body, /Passkey added/);
    assert.match(body, /<bdi>Phone<\/bdi> <span class="badge">Synced<\/span>/);
    const mail = (await mails()).find(({ text }) => /“Phone” was added/.test(text));
    assert.equal(mail?.to, user.email);
    assert.equal(await store.count("passkeys", { user_id: user.id }), 1);
    const other = testBrowser(app);
    assert.equal((await signInByPasskey(other, device)).headers.location, "/account");
  });

  test("PK-6 a security key without user verification is added as a second factor only", async () => {
    const { browser, requested, add } = await setUp();
    const page = await requested("security_key");
    const { authenticatorSelection } = optionsOf(page);
    assert.deepEqual(authenticatorSelection, {
      residentKey: "discouraged",
      requireResidentKey: false,
      userVerification: "discouraged",
      authenticatorAttachment: "cross-platform",
    });
    const device = softwareAuthenticator({ ...testSite, uv: false });
    const shown = await add(page, device);
    const body = await landed(browser, await storeCodes(browser, shown));
    assert.match(body, /Second factor only/);
  });

  test("PK-2 after an invalid response the page keeps the typed name and has a new challenge", async () => {
    const { browser, requested, add, clock, store } = await setUp();
    const page = await requested();
    const challenge = optionsOf(page).challenge;
    const device = softwareAuthenticator(testSite);
    const again = async (overrides: object, said: RegExp) => {
      const answer = await add(page, device, overrides);
      assert.equal(answer.statusCode, 422, answer.body);
      assert.match(answer.body, said);
      assert.notEqual(optionsOf(answer).challenge, challenge);
      return answer;
    };
    assert.match((await again({ answer: "{}" }, /was not accepted/)).body, /value="Phone"/);
    await again({ name: "  " }, /1 to 64 characters/);
    await again({ name: "x".repeat(65) }, /1 to 64 characters/);
    await again({ name: "a\u202eb" }, /1 to 64 characters/);
    clock.advance(299);
    await browser.post("/login", {
      ...{ csrf_token: hiddenField(page, "csrf_token"), email: "ada@example.com", password },
      redirect: "/account",
    });
    clock.advance(1);
    await again({}, /That took too long/);
    assert.equal(await store.count("passkeys", {}), 0);
  });

  test("MF-7, MF-12 a passkey as the first second factor is stored once its recovery codes are confirmed", async () => {
    const { app, browser, user, mails, requested, add, store } = await setUp();
    const page = await requested();
    const { id: user_handle } = (optionsOf(page) as { user: { id: string } }).user;
    const device = softwareAuthenticator({ ...testSite, user_handle });
    const shown = await add(page, device);
    assert.deepEqual([shown.statusCode, shown.headers["cache-control"]], [200, "no-store"]);
    assert.equal(new Set(shown.body.match(/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}/g)).size, 10);
    assert.equal(await store.count("passkeys", {}), 0);
    // The password manager keeps the passkey in the meantime (PK-10).
    assert.deepEqual(signalsOf(shown), []);
    const [{ accepted }] = signalsOf(await browser.get(security));
    assert.deepEqual(accepted.allAcceptedCredentialIds, [device.credential_id]);
    assert.equal((await storeCodes(browser, shown)).headers.location, `${security}?done=passkey_added`);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 10);
    const [session] = await store.list("sessions", {}, { order_by: "id", descending: true });
    assert.equal(session?.acr, "phr");
    const second = await add(await requested(), softwareAuthenticator(testSite));
    assert.equal(second.headers.location, `${security}?done=passkey_added`, "there are codes already");
    const reported = (await mails()).findLast(({ text }) => /“Phone” was added/.test(text));
    const link = /https:\/\/id\.example(\/not-me\?token=\S+)/.exec(reported?.text ?? "")?.[1] ?? "";
    assert.equal((await submit(testBrowser(app), link)).statusCode, 200);
    // “It was not me” removes the passkey, its codes and every session.
    assert.equal(await store.count("passkeys", {}), 0);
    assert.equal(await store.count("recovery_codes", {}), 0);
    assert.equal(await store.count("sessions", { user_id: user.id, ended_at: null }), 0);
  });

  test("MF-7 until its recovery codes are confirmed, a passkey can be completed or dropped on the security page", async () => {
    const { browser, clock, requested, add, store } = await setUp();
    const addTo = async () => add(await requested(), softwareAuthenticator(testSite));
    await addTo();
    const until = new Date(clock.now().getTime() + 30 * 60_000).toISOString();
    const waiting = new RegExp(`“<bdi>Phone</bdi>” works once .+ by <time datetime="${until}"`);
    assert.match((await browser.get(security)).body, waiting);
    const dropped = await submit(browser, security, "/account/recovery-codes/discard");
    const body = await landed(browser, dropped);
    assert.match(body, /Not added\./);
    assert.doesNotMatch(body, waiting);
    const [{ accepted }] = signalsOf({ body } as LightMyRequestResponse);
    assert.deepEqual(accepted.allAcceptedCredentialIds, [], "the password manager forgets it");
    await addTo();
    const shown = await submit(browser, security, "/account/recovery-codes/new");
    assert.match(await landed(browser, await storeCodes(browser, shown)), /Passkey added/);
    assert.equal(await store.count("passkeys", {}), 1);
    assert.doesNotMatch((await browser.get(security)).body, waiting);
  });

  test("MF-12 in a new browser, adding the first passkey needs a code from the mailbox", async () => {
    const { browser, mailedCode, requested, add, store } = await setUp(["passkey"], { days: 0 });
    const there = String((await requested()).headers.location);
    assert.equal(there, `${own}/mailbox?kind=passkey`);
    assert.equal((await submit(browser, there, undefined, { code: "0000 0000" })).statusCode, 422);
    const page = await submit(browser, there, undefined, { code: await mailedCode() });
    assert.match(page.body, /data-passkey="create"/);
    const shown = await add(page, softwareAuthenticator(testSite));
    assert.equal((await storeCodes(browser, shown)).statusCode, 303);
    assert.equal(await store.count("passkeys", {}), 1);
  });

  test("MF-12 without mail, an account's first browser adds a passkey at once, and another one shows from when it may", async () => {
    const { app, browser, clock, enter, requested, add } = await setUp(["passkey"], {
      days: 0,
      sends_mail: false,
    });
    clock.advance(120);
    const other = testBrowser(app);
    await enter(other);
    const when = new Date(clock.now().getTime() + 86_400_000).toISOString();
    const reported = new RegExp(`from <time datetime="${when}" data-precision="minute">`);
    const card = (await other.get(security)).body;
    assert.match(card, reported);
    assert.doesNotMatch(card, /action="\/account\/passkeys\/new"/);
    const refused = await submit(other, "/account/password", `${own}/new`, { kind: "passkey" });
    assert.equal(refused.statusCode, 403);
    assert.match(refused.body, reported);
    // The waiting time stays the same if the user replaces the administrator's password.
    const again = "another good passphrase";
    const overrides = { current_password: password, password: again, password_again: again };
    assert.equal((await submit(browser, "/account/password", undefined, overrides)).statusCode, 303);
    const shown = await add(await requested(), softwareAuthenticator(testSite));
    assert.equal((await storeCodes(browser, shown)).headers.location, `${security}?done=passkey_added`);
  });

  test("MF-12 in a new browser, a response to a challenge that its page never offered adds no passkey", async () => {
    const { browser, identity, store } = await setUp(["passkey"], { days: 0 });
    const csrf_token = hiddenField(await browser.get(security), "csrf_token");
    const requested = { purpose: "register", holder: csrf_token } as const;
    const challenge = newChallenge(requested, identity.sealer, identity.now());
    const answer = JSON.stringify(softwareAuthenticator(testSite).register(challenge));
    const overrides = { csrf_token, kind: "passkey", name: "Phone", answer };
    assert.equal((await browser.post("/account/passkeys", overrides)).headers.location, security);
    assert.equal(await store.count("passkeys", {}), 0);
  });

  test("PK-10 every page of the account sends the user's current passkeys and names to the password manager", async () => {
    const { app, browser, user, identity, store } = await setUp();
    assert.deepEqual(signalsOf(await browser.get(security)), []);
    const [{ device }, lost] = [await aPasskey(user, identity), await aPasskey(user, identity)];
    await store.remove("passkeys", { id: lost.passkey.id });
    const about = { rpId: "id.example", userId: device.user_handle };
    const expected = {
      accepted: { ...about, allAcceptedCredentialIds: [device.credential_id] },
      user: { ...about, name: user.email, displayName: "Ada" },
    };
    // A sign-in that redirects to an app shows no page of the account, so it sends no signal.
    const other = testBrowser(app);
    await signInByPasskey(other, device, { redirect: "/oauth/authorize?x=1" });
    for (const path of ["/account", "/account/sessions", security]) {
      const page = await other.get(path);
      assert.deepEqual(signalsOf(page), [expected], path);
      assert.match(page.body, /passkeys\.js/);
    }
  });

  test("PK-3 a passkey confirms a sensitive action only for its own account, and once", async () => {
    const it = await setUp();
    const { browser, user, identity, clock } = it;
    const { device, passkey } = await aPasskey(user, identity);
    const { device: theirs } = await aPasskey(await aPerson(it, { email: "eve@example.com" }), identity);
    clock.advance(301);
    const removal = `${own}/${passkey.id}/remove`;
    const wall = await submit(browser, removal);
    const options = optionsOf(wall) as { challenge: string; allowCredentials: { id: string }[] };
    assert.equal(options.allowCredentials.map(({ id }) => id).join(), device.credential_id);
    assert.doesNotMatch(wall.body, /Confirm and continue/, "without a passkey it would lead nowhere");
    const prove = async (answer: object) =>
      sendForm(browser, wall, removal, { sudo_passkey: JSON.stringify(answer) });
    for (const stranger of [theirs, softwareAuthenticator(testSite)]) {
      const wrong = await prove(stranger.assert(options.challenge));
      assert.equal(wrong.statusCode, 401);
      assert.match(wrong.body, /was not accepted/);
    }
    const answer = device.assert(options.challenge);
    assert.equal((await prove(answer)).statusCode, 303);
    clock.advance(1);
    assert.notEqual((await prove(answer)).statusCode, 303);
  });

  test("PK-11 removing a passkey notifies the user by mail, and ends the sessions that it opened", async () => {
    const { app, browser, user, identity, mails } = await setUp();
    const { device, passkey } = await aPasskey(user, identity, { name: "Old phone" });
    const elsewhere = testBrowser(app);
    assert.equal((await signInByPasskey(elsewhere, device)).statusCode, 302);
    assert.equal((await signInByPasskey(browser, device)).statusCode, 302);
    const removal = `/account/passkeys/${passkey.id}/remove`;
    assert.match((await browser.get(removal)).body, /Remove Old phone\?/);
    const body = await landed(browser, await submit(browser, removal));
    assert.match(body, /Passkey removed/);
    assert.equal((await elsewhere.get("/account")).statusCode, 302);
    assert.match((await mails())[0]?.text ?? "", /“Old phone” was removed/);
    assert.equal((await browser.get(removal)).statusCode, 404);
  });

  test("PK-11 a passkey added today can neither remove an older one nor confirm a new email address", async () => {
    const { browser, user, identity, store, clock } = await setUp();
    const { device: first, passkey: older } = await aPasskey(user, identity);
    clock.advance(1);
    const { device: second } = await aPasskey(user, identity);
    const remove = () => submit(browser, `${own}/${older.id}/remove`);
    const change = () => submit(browser, "/account/email", undefined, { email: "new@example.com" });
    await signInByPasskey(browser, second);
    for (const refused of [await remove(), await change()]) {
      assert.equal(refused.statusCode, 409);
      assert.match(refused.body, /must be at least 1 day old/);
    }
    assert.equal(await store.count("passkeys", {}), 2);
    clock.advance(1);
    await signInByPasskey(browser, first);
    assert.equal((await change()).statusCode, 303);
    clock.advance(86_400);
    await signInByPasskey(browser, second);
    assert.equal((await remove()).statusCode, 303);
  });

  test("PK-14 a user with one passkey on one device is warned until there are two sign-in methods", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device, passkey: only } = await aPasskey(user, identity);
    const warned = async () => /If you lose the device/.test((await browser.get(security)).body);
    assert.equal(await warned(), false);
    await store.update("users", { id: user.id }, { password_hash: null });
    assert.equal(await warned(), true);
    await signInByPasskey(browser, device);
    const { passkey } = await aPasskey(user, identity);
    assert.equal(await warned(), false);
    await store.remove("passkeys", { id: passkey.id });
    assert.equal(await warned(), true);
    const { device: synced } = await aPasskey(user, identity, { synced: true });
    await store.remove("passkeys", { id: only.id });
    await signInByPasskey(browser, synced);
    assert.equal(await warned(), false);
    // The page shows the backup state of the last use (PK-4).
    await signInByPasskey(browser, synced, { changes: { flags: flag.bs } });
    assert.match((await browser.get(security)).body, />This device only</);
  });

  test("a user can rename a passkey, and an invalid name is refused", async () => {
    const { browser, user, identity } = await setUp();
    const { passkey } = await aPasskey(user, identity);
    const renaming = `/account/passkeys/${passkey.id}/rename`;
    const refused = await submit(browser, renaming, undefined, { name: " " });
    assert.equal(refused.statusCode, 422);
    const body = await landed(browser, await submit(browser, renaming, undefined, { name: " Laptop " }));
    assert.match(body, /<bdi>Laptop<\/bdi>/);
  });

  test("if the setting is off, no passkey can be added, and an existing one can still be removed", async () => {
    const { browser, user, identity } = await setUp([]);
    assert.doesNotMatch((await browser.get(security)).body, /asskey/);
    assert.equal((await browser.post("/account/passkeys/new", {})).statusCode, 404);
    const { passkey } = await aPasskey(user, identity);
    const { body } = await browser.get(security);
    assert.match(body, /<bdi>Key<\/bdi>/);
    assert.doesNotMatch(body, /account\/passkeys\/new/);
    assert.match((await browser.get(`/account/passkeys/${passkey.id}/remove`)).body, /Remove Key\?/);
  });
});
