/** A user who lost every second factor waits for new ones (MF-10), on both databases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { dueRecoveryMails } from "../../src/people/authenticators/recovery/due_recoveries.ts";
import { finishRecovery } from "../../src/people/authenticators/recovery/finish_recovery.ts";
import {
  challengeRecoveryMailbox,
  proveRecoveryMailbox,
} from "../../src/people/authenticators/recovery/recovery_mailbox.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import {
  beginRecovery,
  cancelRecovery,
  newCancelToken,
  offersRecovery,
  recoveryOfLink,
  recoveryState,
  waitingRecovery,
} from "../../src/people/core/delayed_recovery.ts";
import { secondStepOf } from "../../src/people/core/enter.ts";
import { newFormCookie } from "../../src/people/core/form_tokens.ts";
import { beginHalfSignIn, findHalfSignIn } from "../../src/people/core/half_sign_in.ts";
import { addMethods, findSession, startSession } from "../../src/people/core/sessions.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { testContext } from "../admin/context.ts";
import { insertAny } from "../storage/any_row.ts";
import { testServer } from "../support/authorization_server.ts";
import { anotherOfItsKey, aUser, byPassword } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "Browser", request_id: "r" };
const hour = 3600;
const noMail = async () => {};
const requested = { lost: "factors", keep: noMail } as const;

describeInForm("delayed recovery of lost second factors", (database) => {
  async function setUp({ hours = 72, sends_mail = true, throttle = true, ...input } = {}) {
    const address = await database.tables();
    const [one, other] = [await openStoreAt(address), await openStoreAt(address)];
    const { server, clock } = await testServer(one);
    const { store, memory, passwords, sealer, now, report } = server;
    const settings = { recovery_delay_hours: hours, remember_device_days: 30 };
    const base = { store, memory, passwords, sealer, now, report, throttle, sends_mail };
    const context: IdentityContext = { ...base, settings };
    const second: IdentityContext = { ...context, store: other };
    const user = await aUser(store, { password_hash: "x", ...input });
    await anAuthenticatorApp(user, context);
    const current = async (): Promise<User> => (await store.find("users", { id: user.id })) ?? assert.fail();
    /** Begins a sign-in in a browser that still lacks the second factor. */
    const half = async (browser = newFormCookie(context)) => {
      const methods = byPassword(now());
      await beginHalfSignIn({ user: await current(), methods, browser, request: "/account" }, context);
      return (await findHalfSignIn(browser, context)) ?? assert.fail("no half sign-in");
    };
    const begin = async () => {
      const begun = await beginRecovery(
        (await half()).user,
        { ...requested, origin, language: "es" },
        context,
      );
      clock.advance(1);
      return begun;
    };
    const state = async (cookie: string | undefined) =>
      (await recoveryState(await current(), cookie, context)).type;
    const mails = async () => (await dueRecoveryMails(context, noMail)).map(({ stage }) => stage);
    const finish = async (cookie: string | undefined) => {
      const input = { cookie, origin, request: "/account" };
      return finishRecovery(await half(), input, context);
    };
    const admin = { ...testContext(store), now };
    const parts = { store, context, second, clock, user, current, half, begin, state, mails, finish };
    return { ...parts, admin };
  }

  /** Returns a user after the full waiting time. */
  async function waited() {
    const it = await setUp();
    const begun = await it.begin();
    assert.ok(begun);
    it.clock.advance(72 * hour);
    assert.deepEqual(await it.mails(), ["ready"]);
    return { ...it, cookie: begun.cookie };
  }

  test("MF-10 new factors may be enrolled only after the wait, in the browser that requested it", async () => {
    const it = await setUp();
    const begun = await it.begin();
    assert.ok(begun);
    const { cookie } = begun;
    assert.equal(await it.state(cookie), "waiting");
    assert.equal(await it.state(undefined), "elsewhere");
    assert.equal(await it.finish(cookie), false);
    it.clock.advance(36 * hour);
    assert.deepEqual(await it.mails(), ["halfway"]);
    it.clock.advance(36 * hour - 2);
    assert.deepEqual(await it.mails(), []);
    assert.equal(await it.finish(cookie), false);
    it.clock.advance(1);
    // The waiting time is over, but the mail about it is not sent yet.
    assert.equal(await it.state(cookie), "waiting");
    assert.equal(await it.finish(cookie), false);
    assert.deepEqual(await it.mails(), ["ready"]);
    assert.equal(await it.state(cookie), "ready");
    assert.equal(await it.finish(undefined), false);
    assert.equal(await it.finish(`${cookie.slice(0, -1)}${cookie.endsWith("A") ? "Q" : "A"}`), false);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.user.id }), 1);
    assert.equal(await it.finish(cookie), true);
    assert.equal(await it.store.count("totp_authenticators", { user_id: it.user.id }), 0);
    assert.equal(await it.finish(cookie), false);
  });

  test("MF-10 finishing the recovery removes all factors and ends sessions, and the next sign-in needs a mailed code", async () => {
    const it = await waited();
    const { store, context, user } = it;
    await someRecoveryCodes(user, context);
    for (const table of ["passkeys", "devices"] as const) await insertAny(store, table, { users: user.id });
    const other = await startSession({ user, methods: byPassword(), origin }, context);
    it.clock.advance(1);
    assert.equal(await it.finish(it.cookie), true);
    const left = ["passkeys", "totp_authenticators", "recovery_codes", "devices", "recoveries"] as const;
    for (const table of left) assert.equal(await store.count(table, { user_id: user.id }), 0, table);
    assert.equal(await findSession(other.cookie, context), undefined);
    it.clock.advance(1);
    const owing = await it.current();
    assert.equal(await secondStepOf({ user: owing, methods: byPassword() }, context), "asked");
    const types = (await store.list("audit_events", { actor_id: user.id })).map(({ type }) => type);
    assert.deepEqual(types.toSorted(), ["recovery.created", "recovery.finished"]);
  });

  test("MF-10 if several attempts to finish are parallel, one succeeds, and its half-finished sign-in is used up", async () => {
    const it = await waited();
    const halves = await Promise.all(Array.from({ length: 8 }, () => it.half()));
    const input = { cookie: it.cookie, origin, request: "/account" };
    const done = await Promise.all(
      halves.map((half, index) => finishRecovery(half, input, index % 2 ? it.second : it.context)),
    );
    assert.equal(done.filter(Boolean).length, 1);
    assert.equal(await it.store.count("audit_events", { type: "recovery.finished" }), 1);
  });

  test("MF-10 a system clock that jumps an hour, ahead or back, does not shorten the wait", async () => {
    const it = await setUp();
    const begun = await it.begin();
    assert.ok(begun);
    const { due_at } = begun.recovery;
    const jumps = [hour, -hour, 69 * hour, hour, -hour, hour, -2 * hour] as const;
    for (const seconds of jumps) {
      it.clock.advance(seconds);
      await it.mails();
      assert.equal(await it.finish(begun.cookie), false, `${seconds} s`);
    }
    // Neither jump changed the end, and a later change of the setting does not change it either.
    const shorter = { ...it.context, settings: { recovery_delay_hours: 1 } };
    assert.equal((await recoveryState(await it.current(), begun.cookie, shorter)).type, "waiting");
    const [recovery] = await it.store.list("recoveries", {});
    assert.equal(recovery?.due_at.getTime(), due_at.getTime());
  });

  test("MF-10 a second request neither shortens nor restarts the wait, and sends no further mail", async () => {
    const it = await setUp();
    const begun = await it.begin();
    assert.ok(begun);
    it.clock.advance(10 * hour);
    for (let turn = 0; turn < 3; turn++) assert.equal(await it.begin(), undefined);
    const rows = await it.store.list("recoveries", { user_id: it.user.id });
    assert.deepEqual(
      rows.map(({ id, mails }) => [id, mails]),
      [[begun.recovery.id, 1]],
    );
    const both = await Promise.all([it.half(), it.half()]);
    await it.store.remove("recoveries", {});
    const made = await Promise.all(
      both.map((half, index) =>
        beginRecovery(
          half.user,
          { ...requested, origin, language: "en" },
          index === 0 ? it.context : it.second,
        ),
      ),
    );
    assert.equal(made.filter((each) => each !== undefined).length, 1);
  });

  test("MF-10 several processes together send each mail once, and the halfway mail not after the wait", async () => {
    const it = await setUp();
    await it.begin();
    assert.deepEqual(await it.mails(), []);
    it.clock.advance(36 * hour);
    const halfway = await Promise.all(
      [it.context, it.second, it.context, it.second].map((context) => dueRecoveryMails(context, noMail)),
    );
    assert.deepEqual(
      halfway.flat().map(({ stage, recovery, user }) => [stage, recovery.language, user.id]),
      [["halfway", "es", it.user.id]],
    );
    const late = await setUp();
    await late.begin();
    late.clock.advance(80 * hour);
    assert.deepEqual(await late.mails(), ["ready"]);
    assert.deepEqual(await late.mails(), []);
  });

  test("MF-10 a mail that fails is retried next time, and does not delay others", async () => {
    const it = await setUp();
    await it.begin();
    const later = await aUser(it.store, { password_hash: "x" });
    await anAuthenticatorApp(later, it.context);
    await beginRecovery(later, { ...requested, origin, language: "en" }, it.context);
    it.clock.advance(36 * hour);
    const kept: string[] = [];
    const failing = dueRecoveryMails(it.context, async (_, { user }) => {
      if (user.id === it.user.id) throw new Error("a mail that cannot be written");
      kept.push(user.id);
    });
    await assert.rejects(failing, /cannot be written/);
    assert.deepEqual(kept, [later.id]);
    const [again, ...others] = await dueRecoveryMails(it.context, noMail);
    assert.deepEqual([again?.user.id, others.length], [it.user.id, 0]);
  });

  test("MF-10 a recovery that is not finished expires seven days after the wait, and is deleted", async () => {
    const it = await waited();
    it.clock.advance(7 * 24 * hour - 2);
    assert.equal(await it.state(it.cookie), "ready");
    it.clock.advance(1);
    assert.equal(await it.state(it.cookie), "none");
    assert.equal(await it.finish(it.cookie), false);
    await it.store.sweepSome(it.clock.now());
    assert.equal(await it.store.count("recoveries", {}), 0);
  });

  test("MF-10 a recovery is refused to a platform administrator, and if the feature or mail is off", async () => {
    const root = await setUp({ is_platform_admin: true } as object);
    assert.equal(await root.state(undefined), "administrator");
    assert.equal(await root.begin(), undefined);
    const made = await waited();
    await made.store.update("users", { id: made.user.id }, { is_platform_admin: true });
    assert.equal(await made.finish(made.cookie), false);
    const off = { ...made.context, settings: { recovery_delay_hours: 0 } };
    await made.store.update("users", { id: made.user.id }, { is_platform_admin: false });
    const input = { user: made.user, methods: byPassword() };
    assert.equal(offersRecovery(input, made.context), true);
    for (const context of [off, { ...made.context, settings: {} }, { ...made.context, sends_mail: false }]) {
      assert.equal(offersRecovery(input, context), false);
      assert.equal(await waitingRecovery(await made.current(), context), undefined);
      const finishing = { cookie: made.cookie, origin, request: "/" };
      assert.equal(await finishRecovery(await made.half(), finishing, context), false);
    }
  });

  const factor = (kind: SignInMethod["kind"], at: Date): SignInMethod => ({
    kind,
    credential: null,
    at: at.getTime(),
  });
  for (const kind of ["totp", "passkey", "recovery_code"] as const) {
    test(`MF-10 a sign-in or step-up with a ${kind} cancels the recovery, and a password alone does not`, async () => {
      const it = await setUp();
      await it.begin();
      const { user, context, clock, store } = it;
      const entered = await startSession({ user, methods: byPassword(clock.now()), origin }, context);
      assert.equal(await store.count("recoveries", {}), 1);
      const signedIn = { session: entered.session, user };
      assert.ok(await addMethods(signedIn, [factor("mail_code", clock.now())], context));
      assert.equal(await store.count("recoveries", {}), 1);
      const [session] = await store.list("sessions", { user_id: user.id });
      assert.ok(session && (await addMethods({ session, user }, [factor(kind, clock.now())], context)));
      assert.equal(await store.count("recoveries", {}), 0);
      await it.begin();
      const methods = [...byPassword(clock.now()), factor(kind, clock.now())];
      await startSession({ user, methods, origin }, context);
      assert.equal(await store.count("recoveries", {}), 0);
      assert.equal(await store.count("audit_events", { type: "recovery.deleted" }), 2);
    });
  }

  test("MF-10 the link of a mail cancels only its own recovery, and only after its button is pressed", async () => {
    const it = await setUp();
    const begun = await it.begin();
    assert.ok(begun);
    const token = await newCancelToken(begun.recovery, it.context);
    for (let turn = 0; turn < 3; turn++) {
      assert.equal((await recoveryOfLink(token, it.context))?.id, begun.recovery.id);
    }
    assert.equal(await it.state(begun.cookie), "waiting");
    const input = { by: "link", origin, id: begun.recovery.id } as const;
    assert.equal((await cancelRecovery(it.user, input, it.context))?.id, begun.recovery.id);
    assert.equal(await recoveryOfLink(token, it.context), undefined);
    // The link does not affect another recovery of the same user.
    const again = await it.begin();
    assert.ok(again);
    assert.equal(await recoveryOfLink(token, it.context), undefined);
    assert.equal(await cancelRecovery(it.user, input, it.context), undefined);
    assert.equal(await it.state(again.cookie), "waiting");
    const stranger = await aUser(it.store);
    assert.equal(await cancelRecovery(stranger, { by: "session", origin }, it.context), undefined);
  });

  const ends: Readonly<Record<string, (it: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>>> = {
    "another password": ({ user, admin }) =>
      updateRecord(admin, resourceOf("users"), user.id, { password: "an entirely new password" }),
    "another address": ({ user, admin }) =>
      updateRecord(admin, resourceOf("users"), user.id, { email: "eve@example.com" }),
    "another mailbox that people take for the same": ({ user, admin }) =>
      updateRecord(admin, resourceOf("users"), user.id, { email: anotherOfItsKey(user.email) }),
    "a reset by an administrator": ({ user, admin }) =>
      actOnRecord(admin, resourceOf("users"), "reset_factors", user.id, { reason: "lost" }),
    "a user who is switched off": ({ user, admin }) =>
      updateRecord(admin, resourceOf("users"), user.id, { active: false }),
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`MF-10 ${what} ends the recovery`, async () => {
      const it = await waited();
      await end(it);
      it.clock.advance(1);
      assert.equal(await it.state(it.cookie), "none");
      assert.equal(await waitingRecovery(await it.current(), it.context), undefined);
    });
  }

  test("MF-10 the mailed code works once, in its browser, for ten minutes and at most five attempts", async () => {
    const it = await setUp({ throttle: false });
    const half = await it.half();
    const ask = async () => (await challengeRecoveryMailbox(half, origin, it.context)) ?? assert.fail();
    const give = (code: string, of = half) => proveRecoveryMailbox(of, code, it.context);
    const code = await ask();
    assert.equal(await give(code, await it.half()), "expired");
    const wrong = code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    for (let turn = 0; turn < 4; turn++) assert.equal(await give(wrong), "wrong");
    assert.equal(await give(code), "right");
    assert.equal(await give(code), "expired");
    const next = await ask();
    for (let turn = 0; turn < 5; turn++) assert.equal(await give(wrong), "wrong");
    assert.equal(await give(next), "expired");
    const old = await ask();
    it.clock.advance(600);
    assert.equal(await give(old, await it.half()), "expired");
  });

  test("MF-10 a recovery requires the password, or a provider if there is none; a mailed code alone is not enough", async () => {
    const it = await waited();
    const { context, clock, user } = it;
    const kinds = ["mail_code", "provider", "password"] as const;
    const bare = { ...user, password_hash: null };
    const offered = (of: User) =>
      kinds.filter((kind) => offersRecovery({ user: of, methods: [factor(kind, clock.now())] }, context));
    assert.deepEqual(offered(user), ["password"]);
    assert.deepEqual(offered(bare), ["provider"]);
    const input = { cookie: it.cookie, origin, request: "/account" };
    for (const kind of ["mail_code", "provider"] as const) {
      const half = { ...(await it.half()), methods: [factor(kind, clock.now())] };
      assert.equal(await finishRecovery(half, input, context), false, kind);
    }
    assert.equal(await finishRecovery(await it.half(), input, context), true);
  });

  test("MF-10 the number of mailed codes is limited", async () => {
    const it = await setUp();
    const half = await it.half();
    let mailed = 0;
    for (let turn = 0; turn < 8; turn++) {
      if ((await challengeRecoveryMailbox(half, origin, it.context)) !== undefined) mailed += 1;
    }
    assert.equal(mailed, 5);
  });
});
