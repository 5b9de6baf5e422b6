/** The pages and mails of a person who no longer has the passkey that sudo asks for (MF-15). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { followRecoveries } from "../../src/http/account/recovery_notices.ts";
import { createOutbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import { submit } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import type { Parameters } from "../support/flows.ts";
import { aPasskey, optionsOf, signInByPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const path = "/account/lost-passkey";
const factorPath = "/sign-in/second-factor";
const sensitive = "/account/api-keys/new";
const hour = 3600;

type Answer = Awaited<ReturnType<TestBrowser["get"]>>;

async function setUp({ hours = 72, ...given }: Partial<User> & { hours?: number } = {}) {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const identity_settings = { recovery_delay_hours: hours, extra_sign_in: ["passkey", "totp"] } as const;
  const it = await testApp({ mail: outbox, throttle: false, identity_settings });
  const user = await aPerson(it, { email: "ada@example.com", ...given });
  const { device } = await aPasskey(user, it.identity, { name: "Blue <key>" });
  const { secret } = await anAuthenticatorApp(user, it.identity);
  const mails = async () => {
    await outbox.settled();
    return outbox.kept().toReversed();
  };
  const tell = async () => {
    // A mail that is not marked as sent yet would be due again: the clock has just moved by days.
    await outbox.settled();
    await followRecoveries({ mail: outbox, server: it.server, identity: it.identity }, it.clock.now());
    await outbox.settled();
  };
  const code = () => totpCode(secret, it.clock.now());
  /** Signs in with what is left. */
  const enter = async (browser: TestBrowser) => {
    await signInAs(browser, user);
    const page = await browser.get(`${factorPath}?method=totp`);
    const csrf_token = hiddenField(page, "csrf_token");
    await browser.post(factorPath, { csrf_token, method: "totp", code: code() });
    assert.equal((await browser.get("/account")).statusCode, 200);
    it.clock.advance(301);
    return browser;
  };
  const proofs = () => ({ sudo_password: password, sudo_totp: code() });
  /** Sends a form of the page, and the proofs that it asks for. */
  const send = async (browser: TestBrowser, fields: Parameters) => {
    const sent = await submit(browser, "/account", path, fields);
    return sent.body.includes('name="sudo_form"') ? browser.post(path, confirmed(sent, proofs())) : sent;
  };
  const mailed = async () => /\b\d{4} \d{4}\b/.exec((await mails()).at(-1)?.text ?? "")?.[0] ?? "";
  const begin = async (browser: TestBrowser) => {
    const asked = await send(browser, { step: "ask" });
    assert.match(asked.body, /name="code"/);
    const begun = await send(browser, { step: "code", code: await mailed() });
    assert.deepEqual([begun.statusCode, begun.headers.location], [303, path], begun.body);
  };
  return { ...it, user, device, mails, tell, code, enter, proofs, send, mailed, begin };
}

const confirmed = (page: Answer, proofs: Record<string, string> = {}) => ({
  csrf_token: hiddenField(page, "csrf_token"),
  sudo_form: hiddenField(page, "sudo_form"),
  ...proofs,
});

const asks = ({ body }: { readonly body: string }) => body.includes('name="sudo_form"');

test("MF-15: from the sudo page on, two factors and a code begin the wait; after it they are enough", async () => {
  const it = await setUp();
  const browser = await it.enter(testBrowser(it.app));
  const stuck = await submit(browser, sensitive, sensitive, { name: "x" });
  assert.match(stuck.body, /<a href="\/account\/lost-passkey">I no longer have this passkey<\/a>/);
  const page = await browser.get(path);
  assert.match(page.body, /after a wait of 72 hours/);
  assert.match(page.body, /Blue &lt;key&gt;/);
  const asked = await submit(browser, path, path, { step: "ask" });
  assert.match(asked.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  assert.doesNotMatch(asked.body, /I no longer have this passkey/);
  const before = (await it.mails()).length;
  const half = await browser.post(path, confirmed(asked, { sudo_password: password }));
  assert.ok(asks(half) && !half.body.includes("sudo_password"));
  assert.equal((await it.mails()).length, before, "no code before both are given");
  await it.begin(browser);
  assert.match((await browser.get(path)).body, /<time datetime="2030-01-04T/);
  assert.match((await browser.get("/account")).body, /no longer have the passkey of your account/);
  assert.ok(asks(await submit(browser, sensitive, sensitive, { name: "x" })), "nothing is opened meanwhile");

  it.clock.advance(36 * hour);
  await it.tell();
  it.clock.advance(30 * hour);
  await it.tell();
  it.clock.advance(6 * hour);
  await it.tell();
  assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 0);
  const subjects = (await it.mails()).map(({ subject }) => subject);
  assert.deepEqual(
    subjects.filter((subject) => subject.includes("passkey")),
    [
      "Your passkey at id.example is to be removed",
      "Your passkey at id.example is still to be removed",
      "Your passkey at id.example will be removed soon",
      "A lost passkey was removed at id.example",
    ],
  );
  const last = (await it.mails()).at(-1)?.text ?? "";
  assert.match(last, /the passkey “Blue <key>” of your account/);
  // The session was idle for long.
  await it.enter(browser);
  const now = await submit(browser, "/account", "/account/passkeys/new");
  assert.match(now.body, /name="sudo_password"[\s\S]*name="sudo_totp"/);
  const on = await browser.post("/account/passkeys/new", confirmed(now, it.proofs()));
  assert.deepEqual([on.statusCode, asks(on)], [200, false], "a new passkey can be added");
  // The password manager hears which passkeys are still good (PK-10).
  assert.match((await browser.get("/account")).body, /allAcceptedCredentialIds&quot;:\[\]/);
});

test("MF-15: the owner cancels it by using the passkey, in any session, and by the link of each mail", async () => {
  const it = await setUp();
  const thief = await it.enter(testBrowser(it.app));
  const owner = testBrowser(it.app);
  const waits = () => it.store.count("recoveries", {});
  await it.begin(thief);
  await signInByPasskey(owner, it.device);
  assert.equal(await waits(), 0);
  it.clock.advance(301);
  await it.begin(thief);
  // A proof of sudo is a use as well.
  const asked = await submit(owner, "/account", "/account/passkeys/new");
  const challenge = String(optionsOf(asked).challenge);
  await owner.post(
    "/account/passkeys/new",
    confirmed(asked, { sudo_passkey: JSON.stringify(it.device.assert(challenge)) }),
  );
  assert.equal(await waits(), 0);
  it.clock.advance(301);
  await it.begin(thief);
  const cancelled = await submit(owner, "/account", "/account/recovery/cancel");
  assert.equal(cancelled.headers.location, "/account/security?done=removal_cancelled");
  assert.equal(await waits(), 0);
  it.clock.advance(301);
  await it.begin(thief);
  const sent = (await it.mails()).length;
  it.clock.advance(36 * hour);
  await it.tell();
  it.clock.advance(30 * hour);
  await it.tell();
  const links = (await it.mails())
    .slice(sent - 1)
    .flatMap(({ text }) => /https:\/\/id\.example(\/cancel-recovery\?token=\S+)/.exec(text)?.[1] ?? []);
  assert.equal(new Set(links).size, 3);
  const stranger = testBrowser(it.app);
  for (const link of links) assert.match((await stranger.get(link)).body, /Keep your passkey/);
  const form = await stranger.get(links[1] ?? "");
  const fields = { token: hiddenField(form, "token"), csrf_token: hiddenField(form, "csrf_token") };
  assert.match((await stranger.post("/cancel-recovery", fields)).body, /Your passkey stays/);
  assert.equal(await waits(), 0);
  assert.match((await it.mails()).at(-1)?.subject ?? "", /Your passkey at id\.example stays/);
  it.clock.advance(12 * hour);
  await it.tell();
  assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 1);
});

test("MF-15: a wrong code begins nothing, and a second passkey serves instead of any of this", async () => {
  const it = await setUp();
  const browser = await it.enter(testBrowser(it.app));
  await it.send(browser, { step: "ask" });
  const right = await it.mailed();
  const wrong = right.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
  assert.equal((await it.send(browser, { step: "code", code: wrong })).statusCode, 401);
  assert.equal(await it.store.count("recoveries", {}), 0);
  assert.equal((await browser.post(path, { step: "code", code: right })).statusCode, 403);
  const { device } = await aPasskey(it.user, it.identity, { name: "Other" });
  it.clock.advance(301);
  const asked = await submit(browser, "/account", "/account/passkeys/new");
  const sudo_passkey = JSON.stringify(device.assert(String(optionsOf(asked).challenge)));
  assert.ok(!asks(await browser.post("/account/passkeys/new", confirmed(asked, { sudo_passkey }))));
  assert.equal((await browser.get(path)).headers.location, "/account/security");
});

test("MF-15: who has too little left, or administers the server, is told of the way there is", async () => {
  const root = await setUp({ is_platform_admin: true });
  const browser = await root.enter(testBrowser(root.app));
  assert.match((await browser.get(path)).body, /Ask another administrator/);
  const asked = await submit(browser, "/account", path, { step: "ask" });
  assert.match(asked.body, /Ask another administrator/);
  assert.equal(await root.store.count("recoveries", {}), 0);
  const it = await setUp();
  const ada = await it.enter(testBrowser(it.app));
  await it.store.remove("totp_authenticators", { user_id: it.user.id });
  await it.store.remove("recovery_codes", { user_id: it.user.id });
  const told = await ada.get(path);
  assert.match(told.body, /choose “I lost all my second factors”/);
  await it.send(ada, { step: "ask" });
  assert.equal(await it.store.count("recoveries", {}), 0);
  const off = await setUp({ hours: 0 });
  const eve = await off.enter(testBrowser(off.app));
  const stuck = await submit(eve, "/account", "/account/passkeys/new");
  assert.ok(asks(stuck) && !stuck.body.includes("lost-passkey"));
  assert.equal((await eve.get(path)).statusCode, 404);
});
