/** Proofs of a mailbox, and their consequences (SS-5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { isInviterActive } from "../../src/admin/changes/inviters.ts";
import { inviteMember } from "../../src/admin/invitations/invitations.ts";
import { createUser, updateUser } from "../../src/admin/records/users.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import { userClaims } from "../../src/oauth/token/id_token.ts";
import { makeResetMail, resetPassword } from "../../src/people/authenticators/password/password_reset.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { countAttempt, forgiveAttempts, withdrawAttempt } from "../../src/people/core/throttle.ts";
import { acceptAsNewUser, acceptInvitation } from "../../src/people/entry/invitations.ts";
import { admitRegistration } from "../../src/people/entry/request_registration.ts";
import { completeSetup, makeSetupLink } from "../../src/people/entry/setup.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { publicView } from "../../src/records/definition/view.ts";
import { testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import { aMembership, anOrganization, aUser, start } from "../support/builders.ts";
import { databasesInForm, describeInForm, type TestDatabase } from "../support/databases.ts";

const origin = { client_ip: "192.0.2.7", user_agent: "test", request_id: "r1" };
const password = "an entirely new password";

describeInForm("addresses verified by their owner", (database) => {
  async function setUp() {
    const store = await database.open();
    const management = testContext(store);
    const { passwords, sealer, now } = management;
    const identity: IdentityContext = {
      store,
      memory: serverMemory(),
      passwords,
      sealer,
      now,
      report() {},
      throttle: false,
    };
    const verified = async (id: string) =>
      (await store.find("users", { id }))?.email_verified_at?.getTime() ?? null;
    return { store, management, identity, verified, at: start.getTime() };
  }

  async function invited(
    { store, management }: Pick<Awaited<ReturnType<typeof setUp>>, "store" | "management">,
    email: string,
    mailed: boolean,
  ): Promise<string> {
    const owner = await aUser(store);
    const organization = await anOrganization(store);
    await aMembership(store, { user_id: owner.id, organization_id: organization.id, role: "owner" });
    const actor: Actor = { kind: "user", user: owner };
    const context = { ...management, actor, ...(mailed && { onInvitation() {} }) };
    const outcome = await inviteMember(context, organization.id, { email, role: "member" });
    return outcome.type === "invited" ? outcome.token : assert.fail(outcome.error);
  }

  test("SS-5 accepting a mailed invitation verifies the address of a new account, and a link handed over does not", async () => {
    const it = await setUp();
    for (const mailed of [true, false]) {
      const email = `new-${mailed}@example.com`;
      const token = await invited(it, email, mailed);
      const accepted = await acceptAsNewUser(
        { token, name: "Grace", password, origin },
        isInviterActive,
        it.identity,
      );
      assert.equal(accepted.type, "joined");
      const id = accepted.type === "joined" ? accepted.user.id : "";
      assert.equal(await it.verified(id), mailed ? it.at : null);
    }
  });

  test("SS-5 an existing account that accepts a mailed invitation is verified only if its address is spelled the same", async () => {
    const it = await setUp();
    const cases = [
      ["one@example.com", true, true],
      ["two@example.com", false, false],
      // This may be another mailbox, because a mail server may distinguish case before the @.
      ["Three@example.com", true, false],
    ] as const;
    for (const [email, mailed, proved] of cases) {
      const user = await aUser(it.store, { email: email.toLowerCase() });
      const token = await invited(it, email, mailed);
      const outcome = await acceptInvitation({ token, user, origin }, isInviterActive, it.identity);
      assert.equal(outcome.type, "joined");
      assert.equal(await it.verified(user.id), proved ? it.at : null, email);
    }
  });

  test("SS-5 using a password link verifies the mailbox, and requesting one does not", async () => {
    const { store, identity, verified, at } = await setUp();
    const user = await aUser(store, { password_hash: "$argon2id$old" });
    const message = await makeResetMail({ email: user.email, origin }, identity);
    const token = message?.type === "link" ? message.token : "";
    assert.equal(await verified(user.id), null);
    await resetPassword({ token, password, origin }, identity);
    assert.equal(await verified(user.id), at);
  });

  test("SS-5 an address entered by an administrator is unverified, and changing an address removes its verification", async () => {
    const { store, management, verified } = await setUp();
    const typed = await createUser(management, { name: "Ada", email: "ada@example.com" });
    assert.equal(typed.email_verified_at, null);
    for (const requested of [
      { name: "Ada", email: "eve@example.com", email_verified_at: start.toISOString() },
      { name: "Ada", email: "eve@example.com", email_verified_at: null },
    ]) {
      await assert.rejects(createUser(management, requested), { code: "invalid_record" });
    }
    const user = await aUser(store, { email: "grace@example.com", email_verified_at: start });
    await assert.rejects(updateUser(management, user.id, { email_verified_at: null }), {
      code: "invalid_record",
    });
    await updateUser(management, user.id, { name: "Grace", email: user.email });
    assert.equal(await verified(user.id), start.getTime(), "the same address again");
    await updateUser(management, user.id, { email: "Grace@example.com" });
    assert.equal(await verified(user.id), null);
    await updateUser(management, user.id, { email: "grace@example.com" });
    assert.equal(await verified(user.id), null, "the former address does not bring it back");
  });

  test("SS-5 the address of the first administrator, entered at setup, is unverified", async () => {
    const { store, identity, verified } = await setUp();
    const path = await makeSetupLink(identity);
    const token = new URL(path ?? "", "https://id.example").searchParams.get("token") ?? "";
    const overrides = { token, name: "Root", email: "root@example.com", password, origin };
    const made = await completeSetup(overrides, identity);
    assert.equal(made.type, "made");
    const root = await store.find("users", { is_platform_admin: true });
    assert.equal(await verified(root?.id ?? ""), null);
  });

  test("SS-5 email_verified is true for a verified address, absent otherwise, and only with the scope email", async () => {
    const { store } = await setUp();
    const unproved = await aUser(store);
    const proved = await aUser(store, { email_verified_at: start });
    assert.equal("email_verified" in userClaims(["openid", "email"], unproved), false);
    assert.equal(userClaims(["openid", "email"], proved).email_verified, true);
    assert.equal("email_verified" in userClaims(["openid", "profile"], proved), false);
    assert.equal(publicView("users", proved).email_verified_at, start.toISOString());
  });
});

/** Limits for an address that many users share (docs/decisions/abuse-limits.md). */
const [database] = databasesInForm as readonly [TestDatabase];
const school = "198.51.100.1";
const correctPassword = "an example of a password";
const from = (client_ip: string) => ({ client_ip, user_agent: "test", request_id: "r-1" });

async function aFixture(overrides: Partial<IdentityContext> = {}) {
  const { server, clock } = await testServer(await database.open());
  const { store, memory, sealer, now, report, passwords } = server;
  const context: IdentityContext = {
    store,
    sealer,
    now,
    report,
    memory,
    passwords,
    throttle: true,
    ...overrides,
  };
  const password_hash = await passwords.hash(correctPassword);
  const people = (count: number) =>
    Promise.all(Array.from({ length: count }, () => aUser(store, { password_hash })));
  const enter = async ({ email }: Pick<User, "email">, typed = correctPassword, ip = school) =>
    (await signIn({ email, password: typed, origin: from(ip) }, context)).type;
  /**
   * Tries wrong passwords for different accounts. Returns the number that was checked before one was refused
   * unchecked.
   */
  async function spray(most: number, between: () => Promise<unknown> = async () => {}): Promise<number> {
    for (let guess = 0; guess < most; guess += 1) {
      const victim = { email: `victim${guess}@example.com` };
      if ((await enter(victim, "wrong")) === "throttled") return guess;
      await between();
    }
    return most;
  }
  return { context, clock, people, enter, spray };
}

test("L-10: sixty mistyped passwords from a school lock out no user, if correct ones come from there too", async () => {
  const it = await aFixture();
  const [pupils, mistyping] = [await it.people(10), await it.people(60)];
  const [newcomer, next] = (await it.people(2)) as [User, User];
  for (const pupil of pupils) assert.equal(await it.enter(pupil), "signed_in");
  for (const pupil of mistyping) assert.equal(await it.enter(pupil, "mistyped"), "refused");
  assert.equal(await it.enter(newcomer), "signed_in");
  // The limits stay raised on the next day, whenever it begins.
  it.clock.advance(86_400);
  for (const pupil of mistyping) assert.equal(await it.enter(pupil, "mistyped"), "refused");
  assert.equal(await it.enter(next), "signed_in");
  it.clock.advance(2 * 86_400);
  assert.equal(await it.spray(100), 50);
});

test("L-10: wrong attempts before the correct password no longer count against the source", async () => {
  const it = await aFixture();
  const [person] = (await it.people(1)) as [User];
  for (let round = 0; round < 10; round += 1) {
    for (let wrong = 0; wrong < 9; wrong += 1) assert.equal(await it.enter(person, "mistyped"), "refused");
    assert.equal(await it.enter(person), "signed_in");
  }
});

test("P-12: an attacker with one account gains five guesses from its address, however often it signs in", async () => {
  const it = await aFixture();
  const [own] = (await it.people(1)) as [User];
  await it.enter(own);
  assert.equal(await it.spray(200, () => it.enter(own)), 55);
  // The address's own earlier wrong passwords are credited once, by any number of concurrent sign-ins.
  it.clock.advance(15 * 60);
  for (let wrong = 0; wrong < 9; wrong += 1) await it.enter(own, "wrong");
  assert.equal(await it.spray(10), 10);
  await Promise.all(Array.from({ length: 6 }, () => it.enter(own)));
  assert.ok((await it.spray(200)) <= 45);
  // Wrong passwords of the previous window give no credit in the next one.
  it.clock.advance(10 * 60);
  for (let wrong = 0; wrong < 9; wrong += 1) await it.enter(own, "wrong");
  it.clock.advance(5 * 60);
  assert.equal(await it.spray(30), 30);
  await it.enter(own);
  assert.equal(await it.spray(200), 25);
});

test("P-12: many accounts of one owner raise the address's limit tenfold at most, and no account's own limit", async () => {
  const limits = { sign_ins: 3, mails: 5, isShared: () => false };
  const it = await aFixture({ address_limits: limits });
  for (const own of await it.people(20)) await it.enter(own);
  assert.equal(await it.spray(200), 30);
  const [victim] = (await (await aFixture()).people(1)) as [User];
  it.clock.advance(15 * 60);
  const answers = [];
  for (let guess = 0; guess < 12; guess += 1) answers.push(await it.enter(victim, "wrong"));
  assert.equal(answers.filter((answer) => answer === "refused").length, 10);
});

test("L-10, MF-4: completing a sign-in with a second factor clears only its own attempt at the password", async () => {
  const it = await aFixture();
  const [own] = (await it.people(1)) as [User];
  const guess = { account: own, client_ip: school };
  assert.equal(await it.spray(20), 20);
  for (let round = 0; round < 10; round += 1) {
    await countAttempt(guess, it.context);
    await (await countAttempt(guess, it.context)).forgive();
    await withdrawAttempt(guess, it.context);
    await forgiveAttempts(guess, it.context);
  }
  assert.equal(await it.spray(100), 30);
});

test("L-10: limits of an address are settings and can be off for a shared network; those of accounts always apply", async () => {
  const limits = { sign_ins: 12, mails: 6, isShared: (ip: string) => ip === school };
  const it = await aFixture({ address_limits: limits });
  assert.equal(await it.spray(120), 120);
  const [person] = (await it.people(1)) as [User];
  const there = "192.0.2.9";
  const answers = [];
  for (let guess = 0; guess < 14; guess += 1)
    answers.push(await it.enter({ email: `u${guess}@example.com` }, "wrong", there));
  assert.equal(answers.filter((answer) => answer === "refused").length, 12);
  for (let guess = 0; guess < 10; guess += 1) await it.enter(person, "wrong");
  assert.equal(await it.enter(person), "throttled");

  const ask = async (email: string, ip: string) =>
    admitRegistration({ email, origin: from(ip), browser: "b", request: "/", rules: [] }, it.context);
  const requested = async (count: number, ip: string) => {
    let admitted = 0;
    for (let each = 0; each < count; each += 1) {
      if ((await ask(`new${each}@${ip}.example`, ip)) === undefined) admitted += 1;
    }
    return admitted;
  };
  assert.equal(await requested(40, school), 40);
  assert.equal(await requested(10, there), 6);
  const again = [];
  for (let each = 0; each < 6; each += 1) again.push(await ask("one@example.com", school));
  assert.equal(again.filter((wait) => wait === undefined).length, 5);
});

test("P-5: a class can register from an address with correct sign-ins, and each account there adds five requests", async () => {
  const it = await aFixture();
  const registers = async (count: number, ip: string) => {
    let admitted = 0;
    for (let each = 0; each < count; each += 1) {
      const email = `new${each}@${ip}.example`;
      const wait = await admitRegistration(
        { email, origin: from(ip), browser: "b", request: "/", rules: [] },
        it.context,
      );
      if (wait === undefined) admitted += 1;
    }
    return admitted;
  };
  for (const teacher of await it.people(3)) await it.enter(teacher);
  assert.equal(await registers(40, school), 35);
  assert.equal(await registers(40, "192.0.2.9"), 20);
});
