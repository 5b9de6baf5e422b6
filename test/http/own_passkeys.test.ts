import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import { landed, submit } from "../support/account.ts";
import { aPerson, hiddenField, password, signInAs, testApp, testBrowser } from "../support/app.ts";
import { flag, softwareAuthenticator } from "../support/authenticator.ts";
import {
  aKnownBrowser,
  aPasskey,
  keepCodes,
  optionsOf,
  signInByPasskey,
  testSite,
} from "../support/passkeys.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const security = "/account/security";

/** A person who is signed in on a device that has known them for two days, unless it is new. */
async function setUp(
  extra_sign_in: readonly ["passkey"] | readonly [] = ["passkey"],
  { new_device = false, with_mail = true } = {},
) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({
    ...(with_mail && { mail: outbox }),
    identity_settings: { extra_sign_in, self_service: ["email"] },
  });
  const user = await aPerson(it, { email: "ada@example.com", name: "Ada" });
  const browser = new_device ? testBrowser(it.app) : await aKnownBrowser(it, user);
  assert.equal((await signInAs(browser, user)).statusCode, 302);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  /** Opens the page that asks for a passkey, as the button on the security page does. */
  const asked = async (kind = "passkey") => submit(browser, security, "/account/passkeys/new", { kind });
  return { ...it, user, browser, mails, asked };
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof setUp>>["asked"]>>;

/** The form of the page that asks for a passkey, answered by this device. */
function answered(page: Page, device: ReturnType<typeof softwareAuthenticator>, given: object = {}) {
  const challenge = String(optionsOf(page).challenge);
  return {
    csrf_token: hiddenField(page, "csrf_token"),
    kind: hiddenField(page, "kind"),
    name: "Phone",
    answer: JSON.stringify(device.register(challenge)),
    ...given,
  };
}

describe("a person's own passkeys", () => {
  test("PK-2 a passkey is added from the security page, listed and mailed, and signs in", async () => {
    const { app, browser, user, mails, asked, store } = await setUp();
    assert.match((await browser.get(security)).body, /You have no passkey yet/);
    const page = await asked();
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
    const shown = await browser.post("/account/passkeys", answered(page, device));
    const body = await landed(browser, await keepCodes(browser, shown));
    assert.match(body, /Passkey added/);
    assert.match(body, /<bdi>Phone<\/bdi> <span class="badge">Synced<\/span>/);
    const mail = (await mails()).find(({ text }) => /“Phone” was added/.test(text));
    assert.equal(mail?.to, user.email);
    assert.equal(await store.count("passkeys", { user_id: user.id }), 1);
    const other = testBrowser(app);
    assert.equal((await signInByPasskey(other, device)).headers.location, "/account");
  });

  test("PK-6 a security key is asked for without verification, and is listed as second factor only", async () => {
    const { browser, asked } = await setUp();
    const page = await asked("security_key");
    const { authenticatorSelection } = optionsOf(page);
    assert.deepEqual(authenticatorSelection, {
      residentKey: "discouraged",
      requireResidentKey: false,
      userVerification: "discouraged",
      authenticatorAttachment: "cross-platform",
    });
    const device = softwareAuthenticator({ ...testSite, uv: false });
    const shown = await browser.post("/account/passkeys", answered(page, device));
    const body = await landed(browser, await keepCodes(browser, shown));
    assert.match(body, /Second factor only/);
  });

  test("PK-2 what is refused shows the page again, with what was typed and a new challenge", async () => {
    const { browser, asked, clock, store } = await setUp();
    const page = await asked();
    const challenge = optionsOf(page).challenge;
    const device = softwareAuthenticator(testSite);
    const again = async (given: object, said: RegExp) => {
      const answer = await browser.post("/account/passkeys", answered(page, device, given) as never);
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

  test("PK-11 adding and removing need a fresh proof; the form goes on after it", async () => {
    const { browser, user, identity, clock, store } = await setUp();
    clock.advance(301);
    const wall = await submit(browser, security, "/account/passkeys/new", { kind: "passkey" });
    assert.match(wall.body, /name="sudo_password"/);
    assert.doesNotMatch(wall.body, /data-passkey="create"/);
    const page = await browser.post("/account/passkeys/new", {
      csrf_token: hiddenField(wall, "csrf_token"),
      sudo_form: hiddenField(wall, "sudo_form"),
      sudo_password: password,
    });
    assert.match(page.body, /data-passkey="create"/);
    clock.advance(301);
    const late = await browser.post("/account/passkeys", answered(page, softwareAuthenticator(testSite)));
    assert.match(late.body, /name="sudo_password"/);
    const { passkey } = await aPasskey(user, identity);
    const removal = `/account/passkeys/${passkey.id}/remove`;
    const asked = await submit(browser, removal, removal);
    assert.match(asked.body, /data-passkey="get"/);
    assert.equal(await store.count("passkeys", {}), 1);
  });

  test("MF-7, MF-12 the first factor counts once its codes are kept, also where it is a passkey", async () => {
    const { browser, user, mails, asked, store } = await setUp();
    const page = await asked();
    const { id: user_handle } = (optionsOf(page) as { user: { id: string } }).user;
    const device = softwareAuthenticator({ ...testSite, user_handle });
    const shown = await browser.post("/account/passkeys", answered(page, device));
    assert.equal(shown.statusCode, 200);
    assert.equal(shown.headers["cache-control"], "no-store");
    assert.equal(new Set(shown.body.match(/[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}/g)).size, 10);
    assert.equal(await store.count("passkeys", {}), 0);
    assert.equal((await keepCodes(browser, shown)).headers.location, `${security}?done=passkey_added`);
    assert.equal(await store.count("recovery_codes", { user_id: user.id }), 10);
    const [session] = await store.list("sessions", {}, { order_by: "id", descending: true });
    assert.equal(session?.acr, "phr");
    const second = await asked();
    const added = await browser.post("/account/passkeys", answered(second, softwareAuthenticator(testSite)));
    assert.equal(added.headers.location, `${security}?done=passkey_added`, "there are codes already");
    const told = (await mails()).find(({ text }) => /“Phone” was added/.test(text));
    assert.match(told?.text ?? "", /https:\/\/id\.example\/not-me\?token=/);
  });

  test("MF-12 on a new device the first passkey takes a code by mail; without mail there is none", async () => {
    const { browser, mails, asked, store } = await setUp(["passkey"], { new_device: true });
    const there = await asked();
    assert.equal(there.headers.location, "/account/passkeys/mailbox?kind=passkey");
    const mailbox = await browser.get(String(there.headers.location));
    const code = (await mails()).map(({ text }) => /\d{4} \d{4}/.exec(text)?.[0]).find(Boolean) ?? "";
    const fields = { csrf_token: hiddenField(mailbox, "csrf_token"), kind: hiddenField(mailbox, "kind") };
    const wrong = await browser.post("/account/passkeys/mailbox", { ...fields, code: "0000 0000" });
    assert.equal(wrong.statusCode, 422);
    const page = await browser.post("/account/passkeys/mailbox", { ...fields, code });
    assert.match(page.body, /data-passkey="create"/);
    const shown = await browser.post("/account/passkeys", answered(page, softwareAuthenticator(testSite)));
    assert.equal((await keepCodes(browser, shown)).statusCode, 303);
    assert.equal(await store.count("passkeys", {}), 1);
    const mute = await setUp(["passkey"], { new_device: true, with_mail: false });
    assert.equal((await mute.asked()).statusCode, 403);
  });

  test("MF-12 an answer that never was asked for adds no first factor on a new device", async () => {
    const { browser, identity, store } = await setUp(["passkey"], { new_device: true });
    const csrf_token = hiddenField(await browser.get(security), "csrf_token");
    const asked = { purpose: "register", holder: csrf_token } as const;
    const challenge = newChallenge(asked, identity.sealer, identity.now());
    const answer = JSON.stringify(softwareAuthenticator(testSite).register(challenge));
    const given = { csrf_token, kind: "passkey", name: "Phone", answer };
    assert.equal((await browser.post("/account/passkeys", given)).headers.location, security);
    assert.equal(await store.count("passkeys", {}), 0);
  });

  test("MF-12 \u201cIt was not me\u201d removes the passkey, its codes and every session", async () => {
    const { app, browser, user, mails, asked, store } = await setUp();
    const shown = await browser.post(
      "/account/passkeys",
      answered(await asked(), softwareAuthenticator(testSite)),
    );
    await keepCodes(browser, shown);
    const links = (await mails()).flatMap(({ text }) => /(\/not-me\?token=\S+)/.exec(text)?.[1] ?? []);
    const other = testBrowser(app);
    const page = await other.get(links[0] ?? "");
    const fields = { csrf_token: hiddenField(page, "csrf_token"), token: hiddenField(page, "token") };
    assert.equal((await other.post("/not-me", fields)).statusCode, 200);
    assert.equal(await store.count("passkeys", {}), 0);
    assert.equal(await store.count("recovery_codes", {}), 0);
    assert.equal(await store.count("sessions", { user_id: user.id, ended_at: null }), 0);
    assert.equal((await browser.get(security)).statusCode, 302);
  });

  test("PK-10 after a sign-in that led straight on, the next page of the account tells what there is", async () => {
    const { app, user, identity, store } = await setUp();
    const [{ device }, lost] = [await aPasskey(user, identity), await aPasskey(user, identity)];
    await store.remove("passkeys", { id: lost.passkey.id });
    const other = testBrowser(app);
    await signInByPasskey(other, device, { redirect: "/oauth/authorize?x=1" });
    for (const path of ["/account", "/account/sessions", security]) {
      const { body } = await other.get(path);
      const signals = [...body.matchAll(/data-signal="([^"]*)"/g)].map(([, text = ""]) => text);
      assert.equal(signals.length, 1, path);
      const { accepted } = JSON.parse(signals[0]?.replaceAll("&quot;", '"') ?? "{}");
      assert.deepEqual(accepted.allAcceptedCredentialIds, [device.credential_id], path);
      assert.match(body, /passkeys\.js/);
    }
  });

  test("PK-10 a passkey that waits for its recovery codes is told as well, and stays", async () => {
    const { browser, asked } = await setUp();
    const device = softwareAuthenticator(testSite);
    const shown = await browser.post("/account/passkeys", answered(await asked(), device));
    assert.doesNotMatch(shown.body, /data-signal/);
    const { body } = await browser.get(security);
    const signal = /data-signal="([^"]*)"/.exec(body)?.[1]?.replaceAll("&quot;", '"') ?? "{}";
    assert.deepEqual(JSON.parse(signal).accepted.allAcceptedCredentialIds, [device.credential_id]);
  });

  test("PK-3 for sudo a passkey of this account is taken, once, and no other", async () => {
    const it = await setUp();
    const { browser, user, identity, clock } = it;
    const { device, passkey } = await aPasskey(user, identity);
    const { device: theirs } = await aPasskey(await aPerson(it, { email: "eve@example.com" }), identity);
    clock.advance(301);
    const removal = `/account/passkeys/${passkey.id}/remove`;
    const wall = await submit(browser, removal, removal);
    const options = optionsOf(wall);
    assert.deepEqual(
      (options.allowCredentials as { id: string }[]).map(({ id }) => id),
      [device.credential_id],
    );
    assert.doesNotMatch(
      wall.body,
      /Confirm and continue/,
      "without a passkey that button would lead nowhere",
    );
    const prove = async (answer: object) =>
      browser.post(removal, {
        csrf_token: hiddenField(wall, "csrf_token"),
        sudo_form: hiddenField(wall, "sudo_form"),
        sudo_passkey: JSON.stringify(answer),
      });
    const challenge = String(options.challenge);
    for (const stranger of [theirs, softwareAuthenticator(testSite)]) {
      const wrong = await prove(stranger.assert(challenge));
      assert.equal(wrong.statusCode, 401);
      assert.match(wrong.body, /was not accepted/);
    }
    const answer = device.assert(challenge);
    assert.equal((await prove(answer)).statusCode, 303);
    clock.advance(1);
    assert.notEqual((await prove(answer)).statusCode, 303);
  });

  test("PK-11 a passkey is removed, mailed, and its sessions end", async () => {
    const { app, browser, user, identity, mails } = await setUp();
    const { device, passkey } = await aPasskey(user, identity, { name: "Old phone" });
    const elsewhere = testBrowser(app);
    assert.equal((await signInByPasskey(elsewhere, device)).statusCode, 302);
    assert.equal((await signInByPasskey(browser, device)).statusCode, 302);
    const removal = `/account/passkeys/${passkey.id}/remove`;
    assert.match((await browser.get(removal)).body, /Remove Old phone\?/);
    const body = await landed(browser, await submit(browser, removal, removal));
    assert.match(body, /Passkey removed/);
    assert.equal((await elsewhere.get("/account")).statusCode, 302);
    assert.match((await mails())[0]?.text ?? "", /“Old phone” was removed/);
    assert.equal((await browser.get(removal)).statusCode, 404);
  });

  test("PK-11 a passkey that was added today removes no older one", async () => {
    const { browser, user, identity, store, clock } = await setUp();
    const { passkey: older } = await aPasskey(user, identity);
    clock.advance(1);
    const { device: second } = await aPasskey(user, identity);
    const removal = `/account/passkeys/${older.id}/remove`;
    await signInByPasskey(browser, second);
    const refused = await submit(browser, removal, removal);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /must be 1 day old/);
    assert.equal(await store.count("passkeys", {}), 2);
    clock.advance(86_400);
    await signInByPasskey(browser, second);
    assert.equal((await submit(browser, removal, removal)).statusCode, 303);
  });

  test("PK-11 a passkey that was added today vouches for no other e-mail; an older one does", async () => {
    const { browser, user, identity, clock } = await setUp();
    const { device: first } = await aPasskey(user, identity);
    clock.advance(1);
    const { device: second } = await aPasskey(user, identity);
    const change = () => submit(browser, "/account/email", "/account/email", { email: "new@example.com" });
    await signInByPasskey(browser, second);
    const refused = await change();
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /must be 1 day old/);
    clock.advance(1);
    await signInByPasskey(browser, first);
    assert.equal((await change()).statusCode, 303);
  });

  test("PK-11 the only way in stays", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device, passkey } = await aPasskey(user, identity);
    await store.update("users", { id: user.id }, { password_hash: null });
    await signInByPasskey(browser, device);
    const removal = `/account/passkeys/${passkey.id}/remove`;
    const refused = await submit(browser, removal, removal);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.body, /only way to sign in/);
  });

  test("PK-14 who has one passkey on one device alone is warned until there are two ways", async () => {
    const { browser, user, identity, store } = await setUp();
    const { device } = await aPasskey(user, identity);
    const warning = /If you lose the device/;
    assert.doesNotMatch((await browser.get(security)).body, warning);
    await store.update("users", { id: user.id }, { password_hash: null });
    assert.match((await browser.get(security)).body, warning);
    await signInByPasskey(browser, device);
    const { passkey } = await aPasskey(user, identity);
    assert.doesNotMatch((await browser.get(security)).body, warning);
    await store.remove("passkeys", { id: passkey.id });
    assert.match((await browser.get(security)).body, warning);
  });

  test("PK-14 a synced passkey alone is no reason to warn", async () => {
    const { browser, user, identity, store } = await setUp();
    await aPasskey(user, identity, { synced: true });
    await store.update("users", { id: user.id }, { password_hash: null });
    assert.doesNotMatch((await browser.get(security)).body, /If you lose the device/);
  });

  test("PK-4 whether a passkey is synced is shown as it was at its last use", async () => {
    const { browser, user, identity } = await setUp();
    const { device } = await aPasskey(user, identity, { synced: true });
    assert.match((await browser.get(security)).body, />Synced</);
    await signInByPasskey(browser, device, { changes: { flags: flag.bs } });
    assert.match((await browser.get(security)).body, />This device only</);
  });

  test("PK-10 the security page tells the password manager which passkeys and names there are", async () => {
    const { browser, user, identity } = await setUp();
    assert.doesNotMatch((await browser.get(security)).body, /data-signal/);
    const { device } = await aPasskey(user, identity);
    const { body } = await browser.get(security);
    const signal = /data-signal="([^"]*)"/.exec(body)?.[1]?.replaceAll("&quot;", '"') ?? "{}";
    const about = { rpId: "id.example", userId: device.user_handle };
    assert.deepEqual(JSON.parse(signal), {
      accepted: { ...about, allAcceptedCredentialIds: [device.credential_id] },
      user: { ...about, name: user.email, displayName: "Ada" },
    });
  });

  test("a passkey is renamed; a name that cannot be is refused", async () => {
    const { browser, user, identity } = await setUp();
    const { passkey } = await aPasskey(user, identity);
    const renaming = `/account/passkeys/${passkey.id}/rename`;
    const refused = await submit(browser, renaming, renaming, { name: " " });
    assert.equal(refused.statusCode, 422);
    const body = await landed(browser, await submit(browser, renaming, renaming, { name: " Laptop " }));
    assert.match(body, /<bdi>Laptop<\/bdi>/);
  });

  test("PK-3 nobody renames or removes another person's passkey", async () => {
    const it = await setUp();
    const other = await aPerson(it, { email: "eve@example.com" });
    const { passkey } = await aPasskey(other, it.identity);
    for (const verb of ["rename", "remove"]) {
      const url = `/account/passkeys/${passkey.id}/${verb}`;
      assert.equal((await it.browser.get(url)).statusCode, 404);
      const csrf_token = hiddenField(await it.browser.get(security), "csrf_token");
      assert.equal((await it.browser.post(url, { csrf_token, name: "Mine" })).statusCode, 404);
    }
    assert.equal((await it.store.find("passkeys", { id: passkey.id }))?.name, "Key");
  });

  test("without the setting nobody adds one, and who has one may remove it", async () => {
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
