/** The pages and mails of a user who no longer has the passkey that sudo requires (MF-15). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { followRecoveries } from "../../src/people/authenticators/recovery/recovery_notices.http.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { languages } from "../../src/web/words/language.ts";
import { aPersonAt, factorPage, followed, giveFactor, press, sendForm, submit } from "../support/account.ts";
import { password, type TestBrowser, testBrowser } from "../support/app.ts";
import type { Parameters } from "../support/flows.ts";
import { aPasskey, optionsOf, signInByPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const path = "/account/lost-passkey";
const sensitive = "/account/passkeys/new";

const asks = ({ body }: { readonly body: string }) => body.includes('name="sudo_form"');

async function setUp({ hours = 72, ...person }: Partial<User> & { hours?: number } = {}) {
  const identity_settings = { recovery_delay_hours: hours, extra_sign_in: ["passkey", "totp"] } as const;
  const it = await aPersonAt({ person, identity_settings });
  const { outbox, server, identity, clock } = it;
  const { device } = await aPasskey(it.user, identity, { name: "Blue <key>" });
  const { secret } = await anAuthenticatorApp(it.user, identity);
  /** Advances the clock, and sends the notices that are due. */
  const wait = async (hours: number) => {
    clock.advance(hours * 3600);
    // The clock has advanced by days, so a mail that is not yet marked as sent would be due again.
    await outbox.settled();
    await followRecoveries({ mail: outbox, server, identity, languages }, clock.now());
    await outbox.settled();
  };
  const code = () => totpCode(secret, clock.now());
  /** Signs in with the remaining factors, and lets more than five minutes pass. */
  const enterAgain = async (browser: TestBrowser) => {
    await it.enter(browser);
    await giveFactor(browser, { code: code() }, `${factorPage}?method=totp`);
    assert.equal((await browser.get("/account")).statusCode, 200);
    clock.advance(301);
    return browser;
  };
  const proofs = () => ({ sudo_password: password, sudo_totp: code() });
  /** Submits a form of the page, and gives the required proofs. */
  const send = async (browser: TestBrowser, fields: Parameters) => {
    const sent = await submit(browser, "/account", path, fields);
    return asks(sent) ? sendForm(browser, sent, path, proofs()) : sent;
  };
  const begin = async (browser: TestBrowser) => {
    assert.match((await followed(browser, await send(browser, { step: "ask" }))).body, /name="code"/);
    const begun = await send(browser, { step: "code", code: await it.mailedCode() });
    assert.deepEqual([begun.statusCode, begun.headers.location], [303, path], begun.body);
  };
  return { ...it, device, wait, enterAgain, proofs, send, begin };
}

/** Confirms a sensitive form with this passkey. */
async function confirmBy(browser: TestBrowser, device: Awaited<ReturnType<typeof setUp>>["device"]) {
  const requested = await submit(browser, "/account", sensitive);
  const answer = device.assert(String(optionsOf(requested).challenge));
  return sendForm(browser, requested, sensitive, { sudo_passkey: JSON.stringify(answer) });
}

test("MF-15: a user without their passkey starts the wait with two factors and a code, which suffice after it", async () => {
  const it = await setUp();
  const browser = await it.enterAgain(testBrowser(it.app));
  const stuck = await submit(browser, "/account/api-keys/new", undefined, { name: "x" });
  assert.match(stuck.body, /<a href="\/account\/lost-passkey">I no longer have this passkey<\/a>/);
  const page = await browser.get(path);
  assert.match(page.body, /after a wait of 72 hours/);
  assert.match(page.body, /Blue &lt;key&gt;/);
  const requested = await submit(browser, path, undefined, { step: "ask" });
  assert.match(requested.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  assert.doesNotMatch(requested.body, /I no longer have this passkey/);
  const before = (await it.mails()).length;
  const half = await sendForm(browser, requested, path, { sudo_password: password });
  assert.ok(asks(half) && !half.body.includes("sudo_password"));
  assert.equal((await it.mails()).length, before, "no code before both are given");
  await it.begin(browser);
  assert.match((await browser.get(path)).body, /<time datetime="2030-01-04T/);
  assert.match((await browser.get("/account")).body, /passkey of your account was reported lost/);
  assert.ok(asks(await submit(browser, "/account", sensitive)), "nothing is opened meanwhile");

  for (const hours of [36, 30, 6]) await it.wait(hours);
  assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 0);
  const mails = await it.mails();
  const subjects = mails.map(({ subject }) => subject).filter((subject) => subject.includes("passkey"));
  assert.deepEqual(subjects.toReversed(), [
    "Request to remove your passkey at id.example",
    "Reminder: your passkey at id.example will be removed",
    "Your passkey at id.example will be removed soon",
    "A lost passkey was removed at id.example",
  ]);
  assert.match(mails[0]?.text ?? "", /the passkey “Blue <key>” of your account/);
  // The session had expired.
  await it.enterAgain(browser);
  const now = await submit(browser, "/account", sensitive);
  assert.match(now.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  const on = await sendForm(browser, now, sensitive, it.proofs());
  assert.deepEqual([on.statusCode, asks(on)], [200, false], "a new passkey can be added");
  // The page signals the valid passkeys to the password manager (PK-10).
  assert.match((await browser.get("/account")).body, /allAcceptedCredentialIds&quot;:\[\]/);
});

test("MF-15: the owner cancels the wait by using the passkey, in any session, or by the link of each mail", async () => {
  const it = await setUp();
  const attacker = await it.enterAgain(testBrowser(it.app));
  const owner = testBrowser(it.app);
  /** Starts a recovery, and asserts that the owner's action ends it. */
  const endedBy = async (deed: () => Promise<unknown>) => {
    await it.begin(attacker);
    await deed();
    assert.equal(await it.store.count("recoveries", {}), 0);
    it.clock.advance(301);
  };
  await endedBy(() => signInByPasskey(owner, it.device));
  // Confirming a sensitive action is also a use.
  await endedBy(() => confirmBy(owner, it.device));
  await endedBy(async () => {
    const cancelled = await submit(owner, "/account", "/account/recovery/cancel");
    assert.equal(cancelled.headers.location, "/account/security?done=removal_cancelled");
  });
  await it.begin(attacker);
  const sent = (await it.mails()).length;
  for (const hours of [36, 30]) await it.wait(hours);
  const mails = await it.mails();
  const links = mails
    .slice(0, mails.length - sent + 1)
    .flatMap(({ text }) => text.match(/\/cancel-recovery\?token=\S+/) ?? []);
  assert.equal(new Set(links).size, 3);
  const stranger = testBrowser(it.app);
  for (const link of links) assert.match((await stranger.get(link)).body, /Keep your passkey/);
  assert.match((await press(stranger, links[1] ?? "")).body, /Your passkey stays/);
  assert.equal(await it.store.count("recoveries", {}), 0);
  assert.match((await it.mails())[0]?.subject ?? "", /removal of your passkey at id\.example was canceled/);
  await it.wait(12);
  assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 1);
});

test("MF-15: a wrong code does not start the wait, and a user with a second passkey does not need it", async () => {
  const it = await setUp();
  const browser = await it.enterAgain(testBrowser(it.app));
  await it.send(browser, { step: "ask" });
  const right = await it.mailedCode();
  const wrong = right.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  assert.equal((await it.send(browser, { step: "code", code: wrong })).statusCode, 401);
  assert.equal(await it.store.count("recoveries", {}), 0);
  assert.equal((await browser.post(path, { step: "code", code: right })).statusCode, 403);
  const { device } = await aPasskey(it.user, it.identity, { name: "Other" });
  it.clock.advance(301);
  assert.ok(!asks(await confirmBy(browser, device)));
  assert.equal((await browser.get(path)).headers.location, "/account/security");
});

test("MF-15: administrators and users with too few other factors are shown the recovery meant for them", async () => {
  const root = await setUp({ is_platform_admin: true });
  const browser = await root.enterAgain(testBrowser(root.app));
  assert.match((await browser.get(path)).body, /only another administrator/);
  assert.match((await root.send(browser, { step: "ask" })).body, /only another administrator/);
  assert.equal(await root.store.count("recoveries", {}), 0);
  const it = await setUp();
  const ada = await it.enterAgain(testBrowser(it.app));
  await it.store.remove("totp_authenticators", { user_id: it.user.id });
  await it.store.remove("recovery_codes", { user_id: it.user.id });
  assert.match((await ada.get(path)).body, /choose “I lost all my second factors”/);
  await it.send(ada, { step: "ask" });
  assert.equal(await it.store.count("recoveries", {}), 0);
  const off = await setUp({ hours: 0 });
  const eve = await off.enterAgain(testBrowser(off.app));
  const stuck = await submit(eve, "/account", sensitive);
  assert.ok(asks(stuck) && !stuck.body.includes("lost-passkey"));
  assert.equal((await eve.get(path)).statusCode, 404);
});
