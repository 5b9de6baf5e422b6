import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { OverloadedError } from "../../src/errors.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { startSession } from "../../src/people/core/sessions.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { sourceOf } from "../../src/records/definition/request_origin.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aUser, byPassword } from "../support/builders.ts";
import { type databasesInForm, describeInForm } from "../support/databases.ts";

const password = "an example of a password";

interface TestIdentity extends TestServer {
  readonly context: IdentityContext;
  /** Every password that was hashed or verified, including those verified without an account. */
  readonly hashed: string[];
}

async function identityOn(
  database: (typeof databasesInForm)[number],
  throttle = true,
): Promise<TestIdentity> {
  const test = await testServer(await database.open());
  const hashed: string[] = [];
  const { store, sealer, now, report } = test.server;
  const passwords = {
    ...test.server.passwords,
    verify: (phc: string, text: string) => {
      hashed.push("verify");
      return test.server.passwords.verify(phc, text);
    },
    verifyAgainstNothing: (text: string) => {
      hashed.push("verify against nothing");
      return test.server.passwords.verifyAgainstNothing(text);
    },
  };
  return {
    ...test,
    hashed,
    context: { store, memory: test.server.memory, sealer, now, report, passwords, throttle },
  };
}

const person = async (it: TestIdentity, overrides: Partial<User> = {}) =>
  aUser(it.store, { password_hash: await it.server.passwords.hash(password), ...overrides });

const from = (client_ip: string | null) => ({ client_ip, user_agent: "test", request_id: "r-1" });

const enter = (it: TestIdentity, email: string, overrides: { password?: string; ip?: string | null } = {}) =>
  signIn(
    {
      email,
      password: overrides.password ?? password,
      origin: from(overrides.ip === undefined ? "192.0.2.1" : overrides.ip),
    },
    it.context,
  );

describeInForm("signing in with a password", (database) => {
  test("only the correct password signs a user in", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const outcome = await enter(it, user.email);
    assert.equal(outcome.type === "signed_in" && outcome.user.id, user.id);
    for (const wrong of [
      "",
      password.toUpperCase(),
      ` ${password}`,
      `${password}\0`,
      password.slice(0, -1),
    ]) {
      const refused = { type: "refused", reason: "wrong_password" };
      assert.deepEqual(await enter(it, user.email, { password: wrong }), refused);
    }
  });

  test("L-9: an unknown or inactive user, or one without a password, is refused like a wrong password, at the same cost", async () => {
    const it = await identityOn(database);
    const { email } = await person(it);
    const inactive = await person(it, { active: false });
    const bare = await person(it, { password_hash: null });
    for (const [who, secret, work, reason] of [
      [email, "wrong", "verify", "wrong_password"],
      [inactive.email, password, "verify", "inactive_user"],
      [bare.email, password, "verify against nothing", "wrong_password"],
      ["nobody@example.com", password, "verify against nothing", "unknown_user"],
      ["", "", "verify against nothing", "unknown_user"],
    ] as const) {
      it.hashed.length = 0;
      // The reason is recorded for administrators; no page shows it.
      assert.deepEqual(await enter(it, who, { password: secret }), { type: "refused", reason });
      assert.deepEqual(it.hashed, [work]);
    }
  });

  test("L-10: if many passwords are tried in parallel, at most ten are verified", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, guess) => enter(it, user.email, { password: `guess ${guess}` })),
    );
    assert.equal(outcomes.filter(({ type }) => type === "refused").length, 10);
    assert.equal(it.hashed.length, 10);
    const [throttled] = outcomes.filter((outcome) => outcome.type === "throttled");
    assert.equal(throttled?.retry_after, 900);
    assert.equal((await enter(it, user.email)).type, "throttled");
  });

  test("L-10: attempts at unknown accounts are limited like those at known ones", async () => {
    const it = await identityOn(database);
    for (let guess = 0; guess < 10; guess += 1) await enter(it, "nobody@example.com");
    assert.equal((await enter(it, "Nobody@Example.com")).type, "throttled");
  });

  test("L-10: a limit lasts fifteen minutes, and the answer states the remaining time", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    for (let guess = 0; guess < 10; guess += 1) await enter(it, user.email, { password: "wrong" });
    it.clock.advance(600);
    assert.deepEqual(await enter(it, user.email), { type: "throttled", retry_after: 300 });
    it.clock.advance(300);
    assert.equal((await enter(it, user.email)).type, "signed_in");
  });

  test("L-10: a successful sign-in clears earlier wrong guesses, and does not count itself", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    for (let round = 0; round < 5; round += 1) {
      for (let guess = 0; guess < 8; guess += 1) await enter(it, user.email, { password: "wrong" });
      assert.equal((await enter(it, user.email)).type, "signed_in");
    }
    const office = Array.from({ length: 60 }, () => person(it));
    for (const { email } of await Promise.all(office)) {
      assert.equal((await enter(it, email, { ip: "192.0.2.99" })).type, "signed_in");
    }
  });

  test("L-10: a source has fifty attempts in all, for any accounts, and a /64 of IPv6 is one source", async () => {
    const it = await identityOn(database);
    for (let guess = 0; guess < 50; guess += 1) {
      const ip = `2001:db8:0:1::${guess.toString(16)}`;
      assert.equal((await enter(it, `user${guess}@example.com`, { ip })).type, "refused");
    }
    const user = await person(it);
    assert.equal((await enter(it, user.email, { ip: "2001:db8:0:1:ffff::1" })).type, "throttled");
    assert.equal((await enter(it, user.email, { ip: "2001:db8:0:2::1" })).type, "signed_in");
  });

  test("L-10: an account has a hundred attempts from all sources, and its user can still sign in from known places", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    await startSession({ methods: byPassword(), user, origin: from("198.51.100.1") }, it.context);
    for (let guess = 0; guess < 100; guess += 1) {
      await enter(it, user.email, { password: "wrong", ip: `203.0.113.${Math.floor(guess / 10)}` });
    }
    assert.equal((await enter(it, user.email, { ip: "203.0.113.200" })).type, "throttled");
    assert.equal((await enter(it, user.email, { ip: "198.51.100.1" })).type, "signed_in");
  });

  test("L-10: a source without attempts left does not use up the account's attempts", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    for (let guess = 0; guess < 150; guess += 1) await enter(it, user.email, { password: "wrong" });
    assert.equal((await enter(it, user.email, { ip: "192.0.2.2" })).type, "signed_in");
  });

  test("L-10: if the limit is disabled, no attempt is counted", async () => {
    const it = await identityOn(database, false);
    const user = await person(it);
    for (let guess = 0; guess < 12; guess += 1) await enter(it, user.email, { password: "wrong" });
    assert.equal((await enter(it, user.email)).type, "signed_in");
    assert.equal(await it.store.count("ephemera"), 0);
  });

  test("L-10: the stored counters reveal neither user nor source", async () => {
    const it = await identityOn(database);
    // The texts searched for cannot occur in hexadecimal digits by chance.
    await enter(it, "grace@example.com", { ip: null });
    const rows = await it.store.list("ephemera");
    assert.equal(rows.length, 3);
    const keys = rows.map(({ key }) => Buffer.from(key).toString("latin1"));
    assert.doesNotMatch(JSON.stringify([rows, keys]), /grace|192\.0/);
  });

  test("L-11: a weak hash is replaced at the next correct sign-in, and not by a wrong password", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const stronger = passwordHasher({ concurrency: 1, queue: 9, parameters: { m: 16, t: 1, p: 1 } });
    const context = { ...it.context, passwords: stronger };
    const hash = async () => (await it.store.find("users", { id: user.id }))?.password_hash;
    await signIn({ email: user.email, password: "wrong", origin: from(null) }, context);
    assert.equal(await hash(), user.password_hash);
    await signIn({ email: user.email, password, origin: from(null) }, context);
    assert.match(String(await hash()), /m=16,/);
    assert.equal(
      (await signIn({ email: user.email, password, origin: from(null) }, context)).type,
      "signed_in",
    );
  });

  test("L-11, L-12: under load the weak hash is kept, and the user is signed in", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const passwords = {
      ...it.context.passwords,
      needsRehash: () => true,
      hash: async () => {
        throw new OverloadedError(1);
      },
    };
    const context = { ...it.context, passwords };
    assert.equal(
      (await signIn({ email: user.email, password, origin: from(null) }, context)).type,
      "signed_in",
    );
    assert.equal((await it.store.find("users", { id: user.id }))?.password_hash, user.password_hash);
  });

  test("L-12: an attempt refused because the server is busy does not count against the user", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const verify = async () => {
      throw new OverloadedError(3);
    };
    const busy = { ...it.context, passwords: { ...it.context.passwords, verify } };
    for (let attempt = 0; attempt < 15; attempt += 1) {
      await assert.rejects(
        signIn({ email: user.email, password, origin: from("192.0.2.1") }, busy),
        OverloadedError,
      );
    }
    assert.equal((await enter(it, user.email)).type, "signed_in");
  });

  test("L-12: a password of more than 1024 bytes is refused", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const refused = { type: "refused", reason: "wrong_password" };
    assert.deepEqual(await enter(it, user.email, { password: "é".repeat(513) }), refused);
  });

  test("L-15, design 6.17: the email is found in any case and Unicode form, and with invisible marks around it", async () => {
    const it = await identityOn(database);
    await person(it, { email: "Zo\u00eb@Example.com" });
    for (const email of [
      "zo\u00eb@example.com",
      "ZOE\u0308@EXAMPLE.COM",
      "\u202azo\u00eb@example.com\u202c ",
    ]) {
      assert.equal((await enter(it, email)).type, "signed_in");
    }
  });

  test("L-15: the owner of an address stored with invisible marks around it can still sign in", async () => {
    const it = await identityOn(database);
    const email = "\u202aold@example.com\u202c";
    await person(it, { email, email_key: email });
    assert.equal((await enter(it, email)).type, "signed_in");
    assert.deepEqual(await enter(it, "old@example.com"), { type: "refused", reason: "unknown_user" });
  });

  test("L-16: last_login_at changes only on success, and each attempt is in the audit log without the password", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const last = async () => (await it.store.find("users", { id: user.id }))?.last_login_at;
    it.clock.advance(60);
    await enter(it, user.email, { password: "a wrong one" });
    assert.equal(await last(), null);
    await enter(it, "typed-by-mistake@example.com");
    const outcome = await enter(it, user.email);
    assert.deepEqual(await last(), it.clock.now());
    assert.deepEqual(outcome.type === "signed_in" && outcome.user.last_login_at, it.clock.now());
    const method = "password";
    assert.deepEqual(
      it.events.map(({ type, outcome, actor, details }) => [type, outcome, actor, details]),
      [
        ["sign_in", "failure", { kind: "user", id: user.id }, { reason: "wrong_password", method }],
        ["sign_in", "failure", { kind: "anonymous" }, { reason: "unknown_user", method }],
        ["sign_in", "success", { kind: "user", id: user.id }, { method }],
      ],
    );
    assert.doesNotMatch(JSON.stringify(it.events), /a wrong one|an example|by-mistake/);
  });

  test("a sign-in fails if the password is changed while it is verified", async () => {
    const it = await identityOn(database);
    const user = await person(it);
    const verify = async (phc: string, text: string) => {
      const right = await it.server.passwords.verify(phc, text);
      await it.store.update("users", { id: user.id }, { password_hash: "$argon2id$changed" });
      return right;
    };
    const context = { ...it.context, passwords: { ...it.context.passwords, verify } };
    assert.deepEqual(await signIn({ email: user.email, password, origin: from(null) }, context), {
      type: "refused",
      reason: "changed_meanwhile",
    });
  });
});

test("L-10: an IPv6 /64 counts as one source, and so does a single IPv4 address", () => {
  for (const [address, source] of [
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["1::192.0.2.1", "1:0:0:0::/64"],
    [null, "unknown"],
  ] as const) {
    assert.equal(sourceOf(address), source);
  }
});
