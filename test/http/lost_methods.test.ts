/**
 * For every set of enrolled factors and every loss, one of these holds: a sign-in method remains, at once or
 * after a wait; the security page had shown a warning; or an administrator can help. Each case is tested
 * through the pages.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { actOnRecord, removeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { followRecoveries } from "../../src/people/authenticators/recovery/recovery_notices.http.ts";
import { startSession } from "../../src/people/core/sessions.ts";
import { languages } from "../../src/web/words/language.ts";
import { testContext } from "../admin/context.ts";
import {
  giveFactor,
  press,
  factorPage as secondFactor,
  sendForm,
  submit,
  testMail,
  withCookie,
} from "../support/account.ts";
import { aPerson, password, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { anOAuthAccount, byPassword, start } from "../support/builders.ts";
import { someOf } from "../support/form.ts";
import { aPasskey, type Device, optionsOf, passkeyOrigin, signInByPasskey } from "../support/passkeys.ts";
import {
  aProvider,
  returnAs,
  scriptedClient,
  stateOf,
  upstreamPerson,
  visitProvider,
} from "../support/scripted_providers.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const fresh = "an entirely new password";

const methods = [
  "password",
  "synced passkey",
  "passkey of one device",
  "app",
  "recovery codes",
  "provider",
] as const;
type Method = (typeof methods)[number] | "mailbox";

/** Returns every subset, beginning with the empty one. */
function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** items.length }, (_, bits) =>
    items.filter((_item, index) => (bits >> index) % 2 === 1),
  );
}

type Server = Awaited<ReturnType<typeof makeServer>>;

/** Starts a server that sends mail, with this waiting time. */
async function makeServer(recovery_delay_hours: number) {
  const mail = testMail();
  const client = scriptedClient();
  const identity_settings = { extra_sign_in: ["passkey", "totp"], recovery_delay_hours } as const;
  const it = await testApp({
    mail: mail.outbox,
    throttle: false,
    identity_settings,
    provider_client: client,
  });
  return { ...it, outbox: mail.outbox, client };
}

const servers = new Map<number, Promise<Server>>();

/**
 * Returns the server that all accounts with this waiting time use one after the other, because starting one
 * takes longer than most of them.
 */
function serverOf(hours: number): Promise<Server> {
  const made = servers.get(hours) ?? makeServer(hours);
  servers.set(hours, made);
  return made;
}

/** Creates the only account of the server, with these methods. */
async function accountWith(enrolled: readonly Method[], { hours = 72 } = {}) {
  const it = await serverOf(hours);
  const { store, identity, clock, app, outbox, client } = it;
  for (const table of ["users", "providers"] as const) await store.remove(table, {});
  client.people.clear();
  await outbox.settled();
  const earlier = new Set(outbox.kept());
  const has = (method: Method) => enrolled.includes(method);
  const user = await aPerson(it, {
    email: "ada@example.com",
    email_verified_at: start,
    ...(!has("password") && { password_hash: null }),
  });
  const devices = new Map<Method, Device>();
  if (has("synced passkey")) {
    devices.set("synced passkey", (await aPasskey(user, identity, { synced: true })).device);
  }
  if (has("passkey of one device"))
    devices.set("passkey of one device", (await aPasskey(user, identity)).device);
  const secret = has("app") ? (await anAuthenticatorApp(user, identity)).secret : "";
  await store.remove("recovery_codes", { user_id: user.id });
  const codes = has("recovery codes") ? [...(await someRecoveryCodes(user, identity))] : [];
  if (has("provider")) {
    const { slug, id: provider_id } = await aProvider(store);
    const input = { provider: slug, provider_id, provider_user_id: "upstream-1" };
    await anOAuthAccount(store, { user_id: user.id, ...input });
  }
  const admin = { ...testContext(store), now: clock.now };
  const mails = async () => {
    await outbox.settled();
    return outbox.kept().filter((mail) => !earlier.has(mail));
  };
  const follow = (hours: number) => {
    clock.advance(hours * 3600);
    return followRecoveries({ mail: outbox, server: it.server, identity, languages }, clock.now());
  };
  return { ...it, app, user, client, devices, secret, codes, admin, mails, follow };
}

type Account = Awaited<ReturnType<typeof accountWith>>;

/** Signs in with the first factor, and returns the response. */
const firsts: Readonly<
  Partial<Record<Method, (it: Account, browser: TestBrowser) => Promise<LightMyRequestResponse>>>
> = {
  password: (it, browser) => signInAs(browser, it.user, { password }),
  "synced passkey": (it, browser) => byPasskey(it, browser, "synced passkey"),
  "passkey of one device": (it, browser) => byPasskey(it, browser, "passkey of one device"),
  provider: ({ client }, browser) => visitProvider(browser, client),
  mailbox: byMailbox,
};

function byPasskey({ devices }: Account, browser: TestBrowser, method: Method) {
  const device = devices.get(method) ?? assert.fail("no such passkey");
  return signInByPasskey(browser, device);
}

/** Requests a new password, sets it and signs in with it. */
async function byMailbox(it: Account, browser: TestBrowser): Promise<LightMyRequestResponse> {
  const { email } = (await it.store.find("users", { id: it.user.id })) ?? it.user;
  const requested = await submit(browser, "/forgot-password", undefined, { email });
  const [mail] = await it.mails();
  const link =
    mail?.to === email && /https:\/\/id\.example(\/reset-password\?token=\S+)/.exec(mail.text)?.[1];
  if (!link) return requested;
  await press(browser, link, { password: fresh, password_again: fresh });
  it.clock.advance(1);
  return signInAs(browser, { email }, { password: fresh });
}

const seconds: Readonly<Partial<Record<Method, (it: Account, browser: TestBrowser) => Promise<unknown>>>> = {
  app: (it, browser) => giveSecond(browser, "totp", { code: totpCode(it.secret, it.clock.now()) }),
  "recovery codes": (it, browser) =>
    giveSecond(browser, "recovery_code", { recovery_code: it.codes.pop() ?? "" }),
  "synced passkey": (it, browser) => giveSecondPasskey(it, browser, "synced passkey"),
  "passkey of one device": (it, browser) => giveSecondPasskey(it, browser, "passkey of one device"),
};

const giveSecond = (browser: TestBrowser, method: string, fields: Record<string, string>) =>
  giveFactor(browser, { method, ...fields }, `${secondFactor}?method=${method}`);

async function giveSecondPasskey({ devices }: Account, browser: TestBrowser, method: Method) {
  const page = await browser.get(`${secondFactor}?method=passkey`);
  const answer = devices.get(method)?.assert(String(optionsOf(page).challenge));
  return sendForm(browser, page, secondFactor, { method: "passkey", answer: JSON.stringify(answer) });
}

const isIn = async (browser: TestBrowser) => (await browser.get("/account")).statusCode === 200;

/** Tries every first factor with every second factor, and returns the combinations that sign in. */
async function methodsOf(it: Account, enrolled: readonly Method[]): Promise<readonly (readonly Method[])[]> {
  const ways: (readonly Method[])[] = [];
  // The mailbox comes last, because a new password changes the account.
  for (const first of [...enrolled, "mailbox"] as const) {
    const enter = firsts[first];
    if (enter === undefined) continue;
    const begun = testBrowser(it.app);
    it.clock.advance(60);
    const answer = await enter(it, begun);
    if (await isIn(begun)) ways.push([first]);
    if (answer.headers.location !== secondFactor) continue;
    for (const second of enrolled) {
      const give = seconds[second];
      if (give === undefined || second === first) continue;
      const browser = testBrowser(it.app);
      it.clock.advance(60);
      if (first === "mailbox") await signInAs(browser, it.user, { password: fresh });
      else await enter(it, browser);
      await give(it, browser);
      if (await isIn(browser)) ways.push([first, second]);
    }
  }
  return ways;
}

/** Returns whether the security page shows a warning. */
async function warns(it: Account): Promise<boolean> {
  const { cookie } = await startSession(
    { user: it.user, methods: byPassword(), origin: passkeyOrigin },
    it.identity,
  );
  const { statusCode, body } = await withCookie(it.app, cookie).get("/account/security");
  assert.equal(statusCode, 200);
  return body.includes("notice-caution");
}

/**
 * Returns whether an administrator can help: after a change of the email address and a removal of the
 * enrolled factors, mails to the new address let the user sign in.
 */
async function administratorHelps(it: Account): Promise<boolean> {
  const { user, admin, store, clock } = it;
  const users = resourceOf("users");
  clock.advance(60);
  await updateRecord(admin, users, user.id, { email: "ada@new.example" });
  await actOnRecord(admin, users, "reset_factors", user.id, { reason: "She showed her passport" });
  for (const { id } of await store.list("oauth_accounts", { user_id: user.id })) {
    await removeRecord(admin, resourceOf("linked_accounts"), id);
  }
  clock.advance(1);
  const browser = testBrowser(it.app);
  await byMailbox(it, browser);
  return givesMailedCode(it, browser);
}

/** Returns the code in the newest mail. */
const mailedCode = async ({ mails }: Account) =>
  (await mails()).map(({ text }) => /\b\d{4} \d{4}\b/.exec(text)?.[0]).find(Boolean) ?? "";

/** Returns whether the user can sign in with the code that the second-factor page mails. */
async function givesMailedCode(it: Account, browser: TestBrowser): Promise<boolean> {
  const page = await browser.get(secondFactor);
  await sendForm(browser, page, secondFactor, { mail_code: await mailedCode(it) });
  return isIn(browser);
}

/** Returns whether the user can enroll new factors after this first factor and a wait (MF-10). */
async function waitsForNewFactors(it: Account, first: "mailbox" | "provider"): Promise<boolean> {
  const lost = "/sign-in/lost-factors";
  const browser = testBrowser(it.app);
  const enter = firsts[first] ?? assert.fail();
  const again = first === "provider" ? enter : () => signInAs(browser, it.user, { password: fresh });
  await enter(it, browser);
  const send = (fields: Record<string, string>) => submit(browser, secondFactor, lost, fields);
  await send({ step: "ask" });
  await send({ step: "code", code: await mailedCode(it) });
  await it.follow(72);
  await again(it, browser);
  await send({ step: "finish" });
  it.clock.advance(1);
  return givesMailedCode(it, browser);
}

/**
 * Returns whether sudo is possible after a wait (MF-15), with this first factor, this second factor, the
 * mailbox and no passkey.
 */
async function waitsForSudo(it: Account, first: "mailbox" | "provider", second: Method): Promise<boolean> {
  const [lost, sensitive] = ["/account/lost-passkey", "/account/passkeys/new"] as const;
  const browser = testBrowser(it.app);
  const asks = ({ body }: LightMyRequestResponse) => body.includes('name="sudo_form"');
  const enter = async () => {
    if (first === "provider") await firsts.provider?.(it, browser);
    else await signInAs(browser, it.user, { password: fresh });
    // Recovery codes were removed with the last second factor.
    if (!(await isIn(browser))) await seconds[second]?.(it, browser);
    it.clock.advance(301);
  };
  /** Goes to the provider, and returns to the pending form. */
  const confirmAtProvider = async (path: string, page: LightMyRequestResponse) => {
    const sent = await sendForm(browser, page, path, { sudo_provider: "example" });
    await returnAs(browser, it.client, stateOf(sent), upstreamPerson({ auth_time: it.clock.now() }));
    return browser.get("/account/confirm");
  };
  /** Submits a form, and gives the proofs that the page requires. */
  const send = async (path: string, fields: Record<string, string>) => {
    let page = await submit(browser, "/account", path, fields);
    if (page.body.includes('name="sudo_provider"')) page = await confirmAtProvider(path, page);
    if (!asks(page)) return page;
    const proofs = {
      ...(page.body.includes('name="sudo_password"') && { sudo_password: fresh }),
      ...(page.body.includes('name="sudo_totp"') && { sudo_totp: totpCode(it.secret, it.clock.now()) }),
      ...(!page.body.includes('name="sudo_totp"') &&
        page.body.includes('name="sudo_recovery_code"') && { sudo_recovery_code: it.codes.pop() ?? "" }),
    };
    return sendForm(browser, page, path, proofs);
  };
  if (first === "mailbox") await byMailbox(it, browser);
  await enter();
  const stuck = await send(sensitive, {});
  if (!stuck.body.includes(`href="${lost}"`)) return false;
  await send(lost, { step: "ask" });
  await send(lost, { step: "code", code: await mailedCode(it) });
  await it.follow(66);
  await it.follow(6);
  await enter();
  const open = await send(sensitive, {});
  return open.statusCode < 400 && !asks(open);
}

const passkeys: readonly Method[] = ["synced passkey", "passkey of one device"];
const otherSeconds: readonly Method[] = ["app", "recovery codes"];
const hasPasskey = (some: readonly Method[]) => some.some((each) => passkeys.includes(each));
const asksSecond = (enrolled: readonly Method[]) => enrolled.includes("app") || hasPasskey(enrolled);

/**
 * Returns which methods a user needs to recover the account after a wait. The tests below try each of them
 * for some of these accounts.
 */
function methodsThatWait(enrolled: readonly Method[]): readonly (readonly Method[])[] {
  // A new password is mailed to users who have one, or no other sign-in method (SS-13).
  const is_mailed = enrolled.includes("password") || !(enrolled.includes("provider") || hasPasskey(enrolled));
  if (is_mailed) return [["mailbox"]];
  return enrolled.includes("provider") ? [["mailbox", "provider"]] : [];
}

const includesAll = (all: readonly Method[], part: readonly Method[]) =>
  part.every((each) => all.includes(each));

describe("recovery after losing sign-in methods", () => {
  test("MF-10: a user who lost every second factor can enroll new ones after the wait, whichever factors they were", async () => {
    // A user who has a password and a linked provider can recover in the same way as with the password alone.
    for (const [first, had] of [
      ["mailbox", "password"],
      ["provider", "provider"],
    ] as const) {
      for (const enrolled of someOf(subsetsOf([...passkeys, ...otherSeconds]).filter(asksSecond), 3)) {
        const it = await accountWith([had, ...enrolled]);
        assert.ok(await waitsForNewFactors(it, first), [had, ...enrolled].join(", "));
      }
    }
  });

  test("MF-15: a user who lost every passkey can confirm sensitive actions by two other factors after the wait", async () => {
    for (const [first, had] of [
      ["mailbox", "password"],
      ["provider", "provider"],
    ] as const) {
      for (const lost of subsetsOf(passkeys).slice(1)) {
        for (const second of someOf(otherSeconds, 2)) {
          const it = await accountWith([had, ...lost, second]);
          assert.ok(await waitsForSudo(it, first, second), [had, ...lost, second].join(", "));
        }
      }
    }
  });

  test("MF-10, PK-14: losing any of the sign-in methods leaves a recovery, or the page had warned about it", async () => {
    const dead: string[] = [];
    const needy = new Set<readonly Method[]>();
    const found = { at_once: 0, after_the_wait: 0, warned: 0, by_an_administrator: 0 };
    for (const enrolled of subsetsOf(methods)) {
      const it = await accountWith(enrolled);
      const warned = await warns(it);
      const ways = await methodsOf(it, enrolled);
      assert.ok(ways.length > 0, enrolled.join(", "));
      const waiting = methodsThatWait(enrolled);
      const all = [...enrolled, "mailbox" as const];
      for (const lost of subsetsOf(all).slice(1)) {
        const left = all.filter((each) => !lost.includes(each));
        const isOpen = (some: readonly (readonly Method[])[]) => some.some((way) => includesAll(left, way));
        // A user who has lost the passkey that sudo requires can sign in, but has to wait before sudo is
        // possible (MF-15).
        if (isOpen(ways) && (hasPasskey(left) || !hasPasskey(enrolled))) found.at_once += 1;
        else if (isOpen(waiting)) found.after_the_wait += 1;
        else if (warned) found.warned += 1;
        // Users who lost several methods, including the mailbox or a first factor, need an administrator.
        else if (lost.length > 1) found.by_an_administrator += 1;
        else dead.push(`${lost} of ${enrolled.join(", ")}`);
        if (lost.length === 1 && !isOpen(ways)) needy.add(enrolled);
      }
      assert.ok(await administratorHelps(it), `everything lost: ${enrolled.join(", ")}`);
    }
    // If the server sets no waiting time, every user who could be locked out by one loss gets a warning.
    assert.ok(needy.size > 4);
    for (const enrolled of needy) {
      if (!(await warns(await accountWith(enrolled, { hours: 0 })))) dead.push(`no wait: ${enrolled}`);
    }
    assert.deepEqual(dead, []);
    // Each method is absent, left or lost, and the mailbox is left or lost. The 64 cases without a loss are
    // not counted.
    const tried = Object.values(found).reduce((sum, each) => sum + each, 0);
    assert.equal(tried, 2 * 3 ** methods.length - 2 ** methods.length);
    for (const [way, times] of Object.entries(found)) assert.ok(times > 0, way);
  });
});
