import assert from "node:assert/strict";
import { test } from "node:test";
import { needsMailbox } from "../../src/people/authenticators/mail_code/mailbox_code.ts";
import { mayProveMailbox } from "../../src/people/authenticators/mail_code/sudo_mailbox.ts";
import { admitResetRequest } from "../../src/people/authenticators/password/password_reset.ts";
import { beganHere, isLongKnown, markBrowser } from "../../src/people/core/browser_marks.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { startSession } from "../../src/people/core/sessions.ts";
import { missingProofs } from "../../src/people/core/sudo/sudo.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { Session, User } from "../../src/records/definition/definition.ts";
import { siteOf } from "../../src/records/definition/request_origin.ts";
import type { EnrolledMethods, MethodKind, SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { altered } from "../support/altered.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aUser, byPassword } from "../support/builders.ts";
import { describeInForm, type TestDatabase } from "../support/databases.ts";

const now = new Date("2030-01-01T12:00:00Z");
const fresh = now.getTime() - 5 * 60_000;
const stale = fresh - 1;

const none: EnrolledMethods = {
  password: false,
  passkeys: [],
  security_keys: [],
  totp: [],
  recovery_codes: 0,
  providers: [],
};
const github = { id: "link", slug: "github", preset: "github" } as const;
const entra = { id: "link", slug: "entra", preset: "microsoft" } as const;

const method = (kind: MethodKind, at: number, more: Partial<SignInMethod> = {}): SignInMethod => ({
  kind,
  credential: null,
  at,
  ...more,
});

function missing(enrolled: Partial<EnrolledMethods>, methods: readonly SignInMethod[] | null, at = stale) {
  const session = { methods, authenticated_at: new Date(at) } as Session;
  return missingProofs({ session, user: {} as User }, { ...none, ...enrolled }, now);
}

const mfa = { password: true, totp: ["app"], recovery_codes: 10 };
const passkey = (at: number, uv: boolean) => method("passkey", at, { credential: "key", uv });

test("SU-6: for each set of enrolled methods, the missing proof is asked for, and lasts five minutes", () => {
  const first = ["password"];
  const second = ["totp", "recovery_code"];
  const cases: [string, ReturnType<typeof missing>, readonly (readonly string[])[]][] = [
    ["a fresh password", missing({ password: true }, [method("password", fresh)]), []],
    ["an old password", missing({ password: true }, [method("password", stale)]), [first]],
    ["a session of before the methods", missing({ password: true }, null), [first]],
    ["such a session that is fresh", missing({ password: true }, null, fresh), []],
    ["both are old", missing(mfa, [method("password", stale), method("totp", stale)]), [first, second]],
    ["the code is fresh", missing(mfa, [method("password", stale), method("totp", fresh)]), [first]],
    ["the password is fresh", missing(mfa, [method("password", fresh), method("totp", stale)]), [second]],
    ["both are fresh", missing(mfa, [method("password", fresh), method("totp", fresh)]), []],
    ["a recovery code", missing(mfa, [method("password", fresh), method("recovery_code", fresh)]), []],
    ["a passkey instead", missing({ ...mfa, passkeys: ["key"] }, [passkey(fresh, true)]), []],
    [
      "with a passkey nothing less will do",
      missing({ ...mfa, passkeys: ["key"] }, [method("password", fresh), method("totp", fresh)]),
      [["passkey"]],
    ],
    [
      "a key that verified nobody is no passkey",
      missing({ ...mfa, passkeys: ["key"] }, [method("password", fresh), passkey(fresh, false)]),
      [["passkey"]],
    ],
    [
      "a security key is a second factor",
      missing({ password: true, security_keys: ["key"] }, [method("password", fresh)]),
      [["passkey"]],
    ],
    [
      "a provider that asks anew",
      missing({ providers: [entra] }, [method("provider", stale)]),
      [["provider"]],
    ],
    ["a sign-in through it just now", missing({ providers: [entra] }, [method("provider", fresh)]), []],
    [
      "with a password no provider is needed",
      missing({ password: true, providers: [entra] }, [method("password", stale)]),
      [first],
    ],
    [
      "a fresh sign-in there counts all the same",
      missing({ password: true, providers: [entra] }, [method("provider", fresh)]),
      [],
    ],
    [
      "one that the provider did not date does not",
      missing({ providers: [entra] }, [method("provider", fresh, { undated: true })]),
      [["provider"]],
    ],
    [
      "nor at a provider that asks nobody anew",
      missing({ providers: [github] }, [method("provider", fresh, { undated: true })]),
      [["mail_code"]],
    ],
    [
      "a provider that asks nobody anew",
      missing({ providers: [github] }, [method("provider", stale)]),
      [["mail_code"]],
    ],
    [
      "nor the provider of one organization",
      missing({ providers: [{ ...entra, of_organization: true }] }, [
        method("provider", fresh, { of_organization: true }),
      ]),
      [["mail_code"]],
    ],
    ["the mailbox stands in for it", missing({ providers: [github] }, [method("mail_code", fresh)]), []],
    [
      "and for nothing else",
      missing({ ...mfa, providers: [github] }, [method("mail_code", fresh), method("totp", fresh)]),
      [first],
    ],
    [
      "beside it the second factor",
      missing({ totp: ["app"], providers: [github] }, [method("mail_code", fresh)]),
      [["totp"]],
    ],
    ["nothing enrolled", missing({}, [method("provider", stale)]), [["mail_code"]]],
  ];
  for (const [name, found, expected] of cases) assert.deepEqual(found, expected, name);
});

/**
 * The sign-in methods that the owner of an account keeps despite strangers' guesses
 * (docs/decisions/abuse-limits.md).
 */
const password = "an example of a password";

interface Fixture extends TestServer {
  readonly context: IdentityContext;
  readonly owner: User;
}

async function aFixture(database: TestDatabase, overrides: Partial<User> = {}): Promise<Fixture> {
  const test = await testServer(await database.open());
  const { store, memory, sealer, now, report, passwords } = test.server;
  const owner = await aUser(store, { password_hash: await passwords.hash(password), ...overrides });
  return { ...test, owner, context: { store, sealer, now, report, memory, passwords, throttle: true } };
}

const from = (client_ip: string) => ({ client_ip, user_agent: "test", request_id: "r-1" });

interface Given {
  readonly ip: string;
  readonly password?: string;
  readonly browser_marks?: string;
}

async function enter({ owner, context }: Fixture, { ip, password: typed = password, browser_marks }: Given) {
  const input = { email: owner.email, password: typed, origin: from(ip), browser_marks };
  return (await signIn(input, context)).type;
}

/** Makes a hundred wrong guesses, each from a different prefix. */
async function closeToStrangers(
  it: Fixture,
  prefix = (guess: number) => `2001:db8:${guess.toString(16)}::1`,
) {
  for (let guess = 1; guess <= 100; guess += 1) await enter(it, { ip: prefix(guess), password: "wrong" });
}

const home = "2a02:8109:9:9::aaaa";

describeInForm("the owner's access to an account under attack", (database) => {
  test("P-3: a hundred guesses from a hundred networks do not lock the owner out at home (security finding 13)", async () => {
    const it = await aFixture(database);
    await startSession({ methods: byPassword(), user: it.owner, origin: from(home) }, it.context);
    await closeToStrangers(it);
    assert.equal(await enter(it, { ip: "2001:db8:ffff::1" }), "throttled");
    assert.equal(await enter(it, { ip: "2a02:8109:9:a::aaaa" }), "throttled");
    assert.equal(await enter(it, { ip: "2a02:8109:9:9::bbbb" }), "signed_in");
    // The limit of ten wrong passwords per network and account still applies at home.
    for (let guess = 0; guess < 10; guess += 1) {
      await enter(it, { ip: `2a02:8109:9:9::${guess}`, password: "wrong" });
    }
    assert.equal(await enter(it, { ip: home }), "throttled");
  });

  test("P-3: guesses from a whole /48 of IPv6 do not lock the account for other networks (security finding 13)", async () => {
    const it = await aFixture(database);
    await closeToStrangers(it, (guess) => `2001:db8:1:${guess.toString(16)}::1`);
    assert.equal(await enter(it, { ip: "2001:db8:1:ffff::1" }), "throttled");
    assert.equal(await enter(it, { ip: "2001:db8:2::1" }), "signed_in");
    assert.equal(await enter(it, { ip: "192.0.2.1" }), "signed_in");
  });

  test("P-4: in a browser where the owner signed in before, they can sign in from anywhere (security finding 13)", async () => {
    const it = await aFixture(database);
    const browser_marks = markBrowser(undefined, it.owner, it.context);
    await closeToStrangers(it);
    const ip = "198.51.100.7";
    assert.equal(await enter(it, { ip }), "throttled");
    assert.equal(await enter(it, { ip, browser_marks }), "signed_in");
    // The mark helps even after other guesses from this address have reached the limit of the address.
    for (let guess = 0; guess < 50; guess += 1) await enter(it, { ip, password: "wrong" });
    assert.equal(await enter(it, { ip }), "throttled");
    assert.equal(await enter(it, { ip, browser_marks }), "signed_in");
  });

  test("P-4: a stolen browser mark allows only ten guesses in a period, from any addresses (security finding 13)", async () => {
    const it = await aFixture(database);
    const browser_marks = markBrowser(undefined, it.owner, it.context);
    await closeToStrangers(it);
    const answers = [];
    for (let guess = 1; guess <= 30; guess += 1) {
      answers.push(await enter(it, { ip: `203.0.113.${guess}`, password: "wrong", browser_marks }));
    }
    assert.deepEqual(answers, [
      ...Array.from({ length: 10 }, () => "refused"),
      ...Array.from({ length: 20 }, () => "throttled"),
    ]);
    assert.equal(await enter(it, { ip: "203.0.113.99", browser_marks }), "throttled");
    it.clock.advance(15 * 60);
    await closeToStrangers(it);
    assert.equal(await enter(it, { ip: "203.0.113.99", browser_marks }), "signed_in");
  });

  test("P-3, P-4: accounts with look-alike addresses have separate known places, browsers and guesses", async () => {
    const email = "stra\u00dfe@example.com";
    const it = await aFixture(database, { email, email_key: email });
    const { store, context, owner } = it;
    const namesake = await aUser(store, {
      email: "strasse@example.com",
      password_hash: owner.password_hash,
    });
    await startSession({ methods: byPassword(), user: owner, origin: from(home) }, context);
    const browser_marks = markBrowser(undefined, owner, context);
    await closeToStrangers(it);
    const ip = "198.51.100.7";
    assert.equal(await enter(it, { ip }), "throttled");
    assert.equal(await enter({ ...it, owner: namesake }, { ip }), "signed_in");
    assert.equal(await enter(it, { ip: home }), "signed_in");
    assert.equal(await enter(it, { ip, browser_marks }), "signed_in");
    const ask = (client_ip: string) => admitResetRequest({ email, origin: from(client_ip) }, context);
    for (let mails = 0; mails < 20; mails += 1) {
      assert.equal(await ask(ip), undefined);
      it.clock.advance(15 * 60);
    }
    assert.ok(await ask(ip));
    it.clock.advance(15 * 60);
    assert.equal(await ask(home), undefined);
  });

  test("P-4: a browser mark ends with the password and after a year, and counts for one user only (security finding 13)", async () => {
    const it = await aFixture(database);
    const { owner, context, store, clock } = it;
    const browser_marks = markBrowser(undefined, owner, context);
    const other = await aUser(store);
    const shared = markBrowser(browser_marks, other, context);
    const foreign = markBrowser(undefined, other, context);
    await closeToStrangers(it);
    const ip = "198.51.100.7";
    for (const none of ["", "v1.x", foreign, altered(browser_marks), "A".repeat(5000)]) {
      assert.equal(await enter(it, { ip, browser_marks: none }), "throttled", none);
    }
    assert.equal(await enter(it, { ip, browser_marks: shared }), "signed_in");
    await store.update("users", { id: owner.id }, { tokens_not_before: clock.now() });
    assert.equal(await enter(it, { ip, browser_marks: shared }), "throttled");
    await store.update("users", { id: owner.id }, { tokens_not_before: null });
    assert.equal(await enter(it, { ip, browser_marks: shared }), "signed_in");
    clock.advance(366 * 86_400);
    await closeToStrangers(it);
    assert.equal(await enter(it, { ip, browser_marks: shared }), "throttled");
  });

  test("MF-12, SU-6: the day after which a browser is known starts with the owner's first sign-in in it", async () => {
    const { owner, context, clock } = await aFixture(database);
    const browser_marks = markBrowser(undefined, owner, context);
    const isKnown = () => isLongKnown(browser_marks, owner, context);
    const signedIn = await startSession({ methods: byPassword(), user: owner, origin: from(home) }, context);
    // The account was created long before, so no browser counts as its first one.
    const here = { user: { ...owner, created_at: new Date(0) }, session: signedIn.session };
    const requested = () => needsMailbox(here, browser_marks, context);
    const mayProve = () => mayProveMailbox(here, browser_marks, context);
    clock.advance(86_400 - 1);
    assert.deepEqual([isKnown(), await requested(), await mayProve()], [false, true, false]);
    clock.advance(1);
    assert.deepEqual([isKnown(), await requested(), await mayProve()], [true, false, true]);
    assert.equal(isLongKnown(undefined, owner, context), false);
  });

  test("MF-12: without mail, only the first browser of a young account can add a factor immediately", async () => {
    const { owner, context, clock } = await aFixture(database);
    const begin = () => startSession({ methods: byPassword(), user: owner, origin: from(home) }, context);
    const { session } = await begin();
    const first = markBrowser(undefined, owner, context);
    const requested = (marks: string | undefined, days = 0, sends_mail = false) => {
      const created_at = new Date(clock.now().getTime() - days * 86_400_000);
      return needsMailbox({ user: { ...owner, created_at }, session }, marks, { ...context, sends_mail });
    };
    assert.equal(await requested(first), false);
    assert.equal(await requested(first, 0, true), true, "with mail a code is asked for");
    assert.equal(await requested(undefined), true, "a browser without marks");
    assert.equal(await requested(first, 6.99), false);
    assert.equal(await requested(first, 7), true, "an account whose first sessions may be swept");
    clock.advance(61);
    await begin();
    const later = markBrowser(undefined, owner, context);
    assert.deepEqual([await requested(first), await requested(later)], [false, true]);
    // A new password invalidates every mark. If a browser had a valid mark before, its new mark keeps the age
    // of the earlier one.
    const changed = { ...owner, tokens_not_before: clock.now() };
    const anew = (before?: User) => markBrowser(first, changed, context, before);
    const knows = (marks: string) => beganHere(marks, { ...changed, created_at: clock.now() }, context);
    assert.deepEqual([await knows(anew(owner)), await knows(anew())], [true, false]);
  });
});

test("P-3: one site of IPv6 is a /48", () => {
  assert.equal(siteOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1::/48");
  assert.equal(siteOf("2001:db8::1"), "2001:db8:0::/48");
  assert.equal(siteOf("192.0.2.1"), undefined);
  assert.equal(siteOf(null), undefined);
});
