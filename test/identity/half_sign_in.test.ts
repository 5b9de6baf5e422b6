import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sealer } from "../../src/crypto/sealing.ts";
import {
  makeLostFactorsCode,
  proveLostFactorsCode,
} from "../../src/people/authenticators/mail_code/lost_factors_code.ts";
import { newMailboxCode } from "../../src/people/authenticators/mail_code/mailbox_code.ts";
import { findTotp } from "../../src/people/authenticators/totp/authenticator_apps.ts";
import { enter } from "../../src/people/core/enter.ts";
import { newFormCookie } from "../../src/people/core/form_tokens.ts";
import {
  beginHalfSignIn,
  countWrongFactor,
  findHalfSignIn,
  finishHalfSignIn,
} from "../../src/people/core/half_sign_in.ts";
import {
  type CodePurpose,
  isCodeWaiting,
  storeMailedCode,
  tryMailedCode,
} from "../../src/people/core/proofs/mailed_codes.ts";
import { redeemProof } from "../../src/people/core/proofs/proofs.ts";
import { purposes } from "../../src/people/core/proofs/purposes.ts";
import { findSession, startSession } from "../../src/people/core/sessions.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { insertAny } from "../storage/any_row.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anOAuthAccount, aUser, byPassword, later, start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };

/** Returns a user with an authenticator app who has given the password in a browser. */
async function halfWay(context: Parameters<typeof enter>[1] & { readonly store: TestServer["store"] }) {
  const user = await aUser(context.store);
  await insertAny(context.store, "totp_authenticators", { users: user.id });
  const browser = newFormCookie(context);
  const entrance = { user, methods: byPassword(), origin, browser: () => browser, request: "/account" };
  const entered = await enter(entrance, context);
  return { user, browser, entered };
}

const code = (at: Date): SignInMethod => ({ kind: "totp", credential: null, at: at.getTime() });

describeInForm("a sign-in that still lacks the second factor", (database) => {
  async function setUp() {
    const { server, clock, events } = await testServer(await database.open());
    const { store, memory, passwords, sealer, now, report } = server;
    return { clock, events, context: { store, memory, passwords, sealer, now, report, throttle: true } };
  }

  test("MF-5: the first factor alone starts no session if the account has a second factor", async () => {
    const { context } = await setUp();
    const { user, browser, entered } = await halfWay(context);
    assert.deepEqual(entered, { type: "second_factor" });
    assert.equal(await context.store.count("sessions", { user_id: user.id }), 0);
    const half = await findHalfSignIn(browser, context);
    assert.equal(half?.user.id, user.id);
    assert.deepEqual(half?.methods, byPassword());
    assert.equal(half?.request, "/account");
    assert.equal(await findSession(browser, context), undefined);
  });

  test("MF-5: a sign-in that lacks the second factor belongs to its browser and lasts ten minutes", async () => {
    const { context, clock } = await setUp();
    const { browser } = await halfWay(context);
    assert.equal(await findHalfSignIn(newFormCookie(context), context), undefined);
    assert.equal(await findHalfSignIn(undefined, context), undefined);
    clock.advance(599);
    assert.notEqual(await findHalfSignIn(browser, context), undefined);
    clock.advance(1);
    assert.equal(await findHalfSignIn(browser, context), undefined);
  });

  test("MF-2: a code sent twice at once signs in once, and neither request counts as a wrong code", async () => {
    const { context } = await setUp();
    const user = await aUser(context.store);
    const { secret } = await anAuthenticatorApp(user, context);
    const browser = newFormCookie(context);
    await beginHalfSignIn({ user, methods: byPassword(), browser, request: "/account" }, context);
    const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
    const input = () => findTotp(user, totpCode(secret, context.now()), context);
    const opened: boolean[] = [];
    for (const found of [await input(), await input()]) {
      if (found.type !== "proved") assert.fail(found.type);
      const { method, commitProof } = found;
      opened.push((await finishHalfSignIn(half, { method, commitProof, origin }, context)) !== undefined);
    }
    assert.deepEqual(opened, [true, false]);
    assert.equal((await input()).type, "wrong");
    assert.equal(await context.store.count("sessions", { user_id: user.id }), 1);
  });

  test("MF-4: parallel wrong factors are each counted, and end the sign-in", async () => {
    const { context } = await setUp();
    const { browser } = await halfWay(context);
    const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
    const counted = await Promise.all(Array.from({ length: 12 }, () => countWrongFactor(half, context)));
    assert.ok(counted.includes("ended"));
    assert.equal(await findHalfSignIn(browser, context), undefined);
  });

  test("MF-4: a sign-in with both factors does not count as a guess, also for an address stored in its earlier form", async () => {
    const { context } = await setUp();
    const { store, passwords } = context;
    const email = "stra\u00dfe@example.com";
    const password = "an example of a password";
    const password_hash = await passwords.hash(password);
    const user = await aUser(store, { email, email_key: email, password_hash });
    await aUser(store, { email: "strasse@example.com" });
    await insertAny(store, "totp_authenticators", { users: user.id });
    const browser = newFormCookie(context);
    for (let turn = 1; turn <= 11; turn++) {
      const first = await signIn({ email, password, origin }, context);
      assert.ok(first.type === "second_factor", `${first.type} in turn ${turn}`);
      await beginHalfSignIn({ ...first, browser, request: "/account" }, context);
      const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
      assert.ok(await finishHalfSignIn(half, { method: code(start), origin }, context));
    }
    const counts = await store.list("ephemera", { kind: "throttle" });
    const window = later(15 * 60, start);
    // Only the record of a correct password from that address is left, and it lasts longer.
    assert.deepEqual(
      counts.filter(({ count, expires_at }) => count > 0 && expires_at <= window),
      [],
    );
  });

  test("MF-5: whatever ends the user's tokens also ends a sign-in that lacks the second factor", async () => {
    const { context } = await setUp();
    const { user, browser } = await halfWay(context);
    await context.store.update("users", { id: user.id }, { tokens_not_before: start });
    assert.equal(await findHalfSignIn(browser, context), undefined);
  });

  for (const kind of ["provider", "passkey", "totp"] as const) {
    test(`EP-13, PK-11: no session starts if the credential was removed during the sign-in (${kind})`, async () => {
      const { context } = await setUp();
      const { store } = context;
      const user = await aUser(store);
      const app = await insertAny(store, "totp_authenticators", { users: user.id });
      const key = await insertAny(store, "passkeys", { users: user.id });
      const link = await anOAuthAccount(store, { user_id: user.id });
      const at = start.getTime();
      const methods = [{ kind: "provider", credential: link.id, at }] as const;
      const browser = newFormCookie(context);
      const entrance = { user, methods, origin, browser: () => browser, request: "/account" };
      assert.deepEqual(await enter(entrance, context), { type: "second_factor" });
      const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
      const second = kind === "provider" ? "totp" : kind;
      const held = { provider: link, passkey: key, totp: app };
      const tables = {
        provider: "oauth_accounts",
        passkey: "passkeys",
        totp: "totp_authenticators",
      } as const;
      const method: SignInMethod = { kind: second, credential: held[second].id, at };
      await store.remove(tables[kind], { id: held[kind].id });
      assert.equal(await finishHalfSignIn(half, { method, origin }, context), undefined);
      assert.equal(await store.count("sessions", { user_id: user.id }), 0);
    });
  }

  test("EP-13: a sign-in by a linked account that was removed meanwhile is refused, and the reason recorded", async () => {
    const { context, events } = await setUp();
    const user = await aUser(context.store);
    const link = await anOAuthAccount(context.store, { user_id: user.id });
    await context.store.remove("oauth_accounts", { id: link.id });
    const methods = [{ kind: "provider", credential: link.id, at: start.getTime() }] as const;
    const browser = () => newFormCookie(context);
    const entered = await enter({ user, methods, origin, browser, request: "/account" }, context);
    assert.deepEqual(entered, { type: "refused" });
    const [reported, ...others] = events.filter(({ type }) => type === "sign_in");
    assert.deepEqual([reported?.outcome, reported?.actor?.id, others.length], ["failure", user.id, 0]);
    assert.equal(reported?.details?.method, "provider");
  });

  test("MF-4: the fifth wrong second factor ends the sign-in", async () => {
    const { context } = await setUp();
    const { browser } = await halfWay(context);
    for (let turn = 1; turn <= 5; turn++) {
      const half = await findHalfSignIn(browser, context);
      assert.ok(half);
      assert.equal(await countWrongFactor(half, context), turn < 5 ? "again" : "ended");
    }
    assert.equal(await findHalfSignIn(browser, context), undefined);
  });

  test("MF-5: the second factor turns the sign-in into one session, even in 20 parallel attempts", async () => {
    const { context } = await setUp();
    const { user, browser } = await halfWay(context);
    const half = await findHalfSignIn(browser, context);
    assert.ok(half);
    const input = { method: code(start), origin };
    const finished = await Promise.all(
      Array.from({ length: 20 }, () => finishHalfSignIn(half, input, context)),
    );
    const [made, ...others] = finished.filter((each) => each !== undefined);
    assert.ok(made);
    assert.deepEqual(others, []);
    assert.equal(await context.store.count("sessions", { user_id: user.id }), 1);
    const signedIn = await findSession(made.cookie, context);
    assert.equal(signedIn?.session.acr, "urn:postern:acr:mfa");
    assert.deepEqual(
      signedIn?.session.methods?.map(({ kind }) => kind),
      ["password", "totp"],
    );
    assert.deepEqual((await context.store.find("users", { id: user.id }))?.last_login_at, start);
  });
});

describeInForm("half-finished sign-ins while the server's key is changed", (database) => {
  test("H-6, MF-5: processes with either order of keys find each other's sign-ins, and the newest counts", async () => {
    const { server } = await testServer(await database.open());
    const { store, memory, passwords, now, report } = server;
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const contextOf = (...keys: Buffer[]) => ({
      ...{ store, memory, passwords, now, report, throttle: true, sealer: sealer(keys) },
    });
    const [one, other] = [contextOf(before, after), contextOf(after, before)];
    const { user, browser } = await halfWay(one);
    assert.equal((await findHalfSignIn(browser, other))?.user.id, user.id);
    assert.equal(await findHalfSignIn(browser, contextOf(after)), undefined);
    const entrance = { user, methods: byPassword(), origin, browser: () => browser, request: "/account" };
    await enter({ ...entrance, request: "/account/security" }, other);
    assert.match((await findHalfSignIn(browser, one))?.request ?? "", /security$/);
    assert.equal(await store.count("ephemera", { kind: "proof" }), 1);
  });
});

/** Codes that users copy from a mail. Each purpose is counted, checked and consumed in the same way. */
const codePurposes = {
  mailbox_code: true,
  sudo_mailbox: true,
  recovery_mailbox: true,
  registration_code: true,
  provider_mailbox: true,
  lost_factors: true,
} satisfies Record<CodePurpose, true>;

test("L-10: one module creates and reads all codes that are mailed", () => {
  const src = join(import.meta.dirname, "../../src");
  const readers = globSync("**/*.ts", { cwd: src }).filter((file) =>
    /from "[^"]*\/mail_codes\.ts"/.test(readFileSync(join(src, file), "utf8")),
  );
  assert.deepEqual(readers, [join("people", "core", "proofs", "mailed_codes.ts")]);
});

describeInForm("codes that are mailed", (database) => {
  test("L-10: for each purpose, a mailed code works once and allows five attempts, each counted before it is checked", async () => {
    const { server, clock } = await testServer(await database.open());
    const context = identityOn(server);
    const { store } = context;
    const user = await aUser(store);
    for (const name of Object.keys(codePurposes)) {
      const purpose = name as "mailbox_code";
      const bound = Object.fromEntries(purposes[purpose].bound_to.map((bond) => [bond, `a ${bond}`]));
      const where = { place: "a place", bonds: bound as { session: string } };
      const make = () => storeMailedCode(purpose, { ...where, user, data: {} }, context);
      const attempt = (text: string) => tryMailedCode(purpose, { ...where, text }, context);
      const waits = () => isCodeWaiting(purpose, where, context);
      const wrong = (text: string) => (text.startsWith("0000") ? "1111 1111" : "0000 0000");

      assert.equal((await attempt("1234 5678")).type, "ended", `${name}: none was made`);
      const tried = await make();
      for (let turn = 1; turn <= 5; turn++) {
        assert.equal(await waits(), true, name);
        const outcome = await attempt(wrong(tried));
        assert.ok(outcome.type === "wrong" && outcome.last === (turn === 5), `${name}: try ${turn}`);
      }
      assert.equal((await attempt(tried)).type, "ended", `${name}: five tries`);
      assert.equal(await waits(), false, name);

      const code = await make();
      assert.match(code, /^\d{4} \d{4}$/);
      const parallel = await Promise.all(Array.from({ length: 4 }, () => attempt(code)));
      const right = parallel.filter(({ type }) => type === "right");
      assert.ok(right.length >= 1, `${name}: the code is right`);
      const spent = [];
      for (const each of right) {
        assert.ok(each.type === "right");
        spent.push(await redeemProof(store, each.proof));
      }
      assert.deepEqual(spent.filter(Boolean), [true], `${name}: it is good once`);
      assert.equal((await attempt(code)).type, "ended", name);

      const typed = await make();
      assert.equal((await attempt(` ${typed.replace(" ", "-")} `)).type, "right", `${name}: blanks`);
      const others = await tryMailedCode(purpose, { ...where, text: typed, user_id: "another" }, context);
      assert.equal(others.type, "ended", `${name}: of another user`);
      const nothing = { ...where, text: typed, opens: () => false };
      assert.equal((await tryMailedCode(purpose, nothing, context)).type, "wrong", `${name}: opens nothing`);
      clock.advance(purposes[purpose].minutes * 60);
      assert.equal((await attempt(typed)).type, "ended", `${name}: too old`);
    }
  });

  test("P-5: mailed codes for a first factor are limited like other mails, by source and by account", async () => {
    const { server } = await testServer(await database.open());
    const context = identityOn(server);
    const { store } = context;
    const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
    const someone = async () => {
      const user = await aUser(store);
      return { user, ...(await startSession({ user, methods: byPassword(), origin }, context)) };
    };
    const first = await someone();
    const ask = (signedIn: SignedIn, within = context) => newMailboxCode(signedIn, origin, within);
    for (let turn = 1; turn <= 5; turn++) assert.ok(await ask(first));
    assert.equal(await ask(first), undefined);
    for (let turn = 7; turn <= 20; turn++) assert.ok(await ask(await someone()));
    assert.equal(await ask(await someone()), undefined, "one source");
    assert.ok(await ask(first, { ...context, throttle: false }));
  });

  test("L-10, MF-10: the code that replaces lost factors also allows five attempts, and is used up by the session", async () => {
    const { server } = await testServer(await database.open());
    const context = identityOn(server);
    const { store } = context;
    const user = await aUser(store);
    const browser = newFormCookie(context);
    const begin = async (methods: readonly SignInMethod[]) => {
      await beginHalfSignIn({ user, methods, browser, request: "/account" }, context);
      const half = (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
      const made = await makeLostFactorsCode(half, { client_ip: null }, context);
      return { half, code: made.type === "made" ? made.code : assert.fail(made.type) };
    };
    const first = await begin(byPassword(start));
    const prove = (text: string) => proveLostFactorsCode(first.half, text, context);
    const wrong = first.code.startsWith("0000") ? "1111 1111" : "0000 0000";
    for (let turn = 1; turn <= 5; turn++) assert.equal((await prove(wrong)).type, "wrong");
    assert.equal((await prove(first.code)).type, "expired");

    const second = await begin(byPassword(new Date(start.getTime() + 1)));
    const proved = await proveLostFactorsCode(second.half, second.code, context);
    assert.ok(proved.type === "proved" && proved.commitProof !== undefined);
    assert.equal(await store.transaction(proved.commitProof), true);
    assert.equal(await store.transaction(proved.commitProof), false);
    assert.equal((await proveLostFactorsCode(second.half, second.code, context)).type, "expired");
  });
});
