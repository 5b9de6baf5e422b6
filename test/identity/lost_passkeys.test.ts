/** Lost passkeys are removed after a wait, unless one is used or the removal is canceled (MF-15). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import { provePasskey } from "../../src/people/authenticators/passkeys/prove_passkey.ts";
import { dueRecoveryMails } from "../../src/people/authenticators/recovery/due_recoveries.ts";
import {
  lostPasskeysState,
  removeLostPasskeys,
} from "../../src/people/authenticators/recovery/remove_lost_passkeys.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import {
  beginRecovery,
  type Lost,
  recoveryState,
  waitingRecovery,
} from "../../src/people/core/delayed_recovery.ts";
import { addMethods, findSession, startSession, writeSession } from "../../src/people/core/sessions.ts";
import { missingProofs } from "../../src/people/core/sudo/sudo.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, byPassword } from "../support/builders.ts";
import { describeInForm, openStoreAt } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { aPasskey, testSite } from "../support/passkeys.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "Browser", request_id: "r" };
const hour = 3600;

describeInForm("recovery of a lost passkey", (database) => {
  async function setUp({ hours = 72, sends_mail = true, app = true, ...input } = {}) {
    const address = await database.tables();
    const [one, other] = [await openStoreAt(address), await openStoreAt(address)];
    const { server, clock } = await testServer(one);
    const settings = { recovery_delay_hours: hours, extra_sign_in: ["passkey", "totp"] as const };
    const context: IdentityContext = identityOn(server, { settings, sends_mail });
    const { store } = server;
    const { now } = context;
    const second: IdentityContext = { ...context, store: other };
    const user = await aUser(store, { password_hash: "phc", ...input });
    const { passkey, device } = await aPasskey(user, context);
    const key = await aPasskey(user, context, { kind: "security_key", name: "Drawer" });
    if (app) await anAuthenticatorApp(user, context);
    const at = () => now().getTime();
    const proof = (kind: SignInMethod["kind"], credential: string | null = null, uv = false) =>
      ({ kind, credential, at: at(), ...(kind === "passkey" && { uv }) }) as const;
    const current = async () => (await store.find("users", { id: user.id })) ?? assert.fail("no user");
    const begin = async (lost: Lost = "passkeys", at = context) => {
      const begun = await beginRecovery(
        await current(),
        { lost, origin, language: "es", keep: async () => {} },
        at,
      );
      clock.advance(1);
      return begun;
    };
    const mails = async () => (await dueRecoveryMails(context, async () => {})).map(({ stage }) => stage);
    const removed: (readonly string[])[] = [];
    const remove = (at = context) =>
      removeLostPasskeys(at, async (_, { names }) => {
        removed.push(names);
      });
    const waits = async () => (await waitingRecovery(await current(), context)) !== undefined;
    const signIn = (methods: readonly SignInMethod[]) => startSession({ user, methods, origin }, context);
    const parts = { store, context, second, clock, user, passkey, device, security_key: key.passkey };
    return { ...parts, proof, current, begin, mails, removed, remove, waits, signIn };
  }

  /** Returns a user after the full waiting time, with every mail sent. */
  async function waited(...input: Parameters<typeof setUp>) {
    const it = await setUp(...input);
    assert.ok(await it.begin());
    it.clock.advance(66 * hour);
    assert.deepEqual(await it.mails(), ["ready"]);
    it.clock.advance(6 * hour);
    return it;
  }

  test("MF-15 after the wait and its mails the passkey is removed, and other factors confirm sensitive actions", async () => {
    const it = await setUp();
    const { store, context, user, passkey, clock, proof } = it;
    assert.ok(await it.begin());
    assert.deepEqual(await it.mails(), []);
    clock.advance(36 * hour);
    assert.deepEqual(await it.mails(), ["halfway"]);
    clock.advance(30 * hour - 2);
    assert.deepEqual([await it.mails(), await it.remove()], [[], 0]);
    clock.advance(2);
    // The last mail is sent six hours before the end, so there is time to cancel.
    assert.deepEqual([await it.mails(), await it.remove()], [["ready"], 0]);
    clock.advance(6 * hour - 2);
    assert.equal(await it.remove(), 0);
    // Writes only the rows, because starting a session with such proofs would cancel the recovery.
    const begun = async (methods: readonly SignInMethod[]) =>
      (await store.transaction((tx) => writeSession(tx, { user, methods, origin }, context))).cookie;
    const by_passkey = await begun([proof("passkey", passkey.id, true)]);
    const both = await begun([...byPassword(), proof("totp", "app"), proof("passkey", passkey.id, true)]);
    const other = await begun([...byPassword(), proof("totp", "app")]);
    clock.advance(2);
    assert.equal(await it.remove(), 1);
    assert.deepEqual(it.removed, [["Key"]]);
    assert.deepEqual(
      (await store.list("passkeys", { user_id: user.id })).map(({ id }) => id),
      [it.security_key.id],
    );
    assert.equal(await it.remove(), 0);
    const events = (await store.list("audit_events", { actor_id: user.id })).map(({ type }) => type);
    for (const type of ["recovery.created", "passkey.deleted", "recovery.finished"]) {
      assert.equal(events.filter((each) => each === type).length, 1, type);
    }
    // As with every removal (PK-11), sessions that depend on the passkey end. None of them is in use.
    for (const cookie of [by_passkey, both]) assert.equal(await findSession(cookie, context), undefined);
    assert.ok(await findSession(other, context));
    const fresh = [...byPassword(clock.now()), proof("totp", "app")];
    const { session } = await it.signIn(fresh);
    const enrolled = await store.enrolledMethods(await it.current());
    assert.deepEqual(missingProofs({ session, user }, enrolled, clock.now()), []);
  });

  test("MF-15 after a downtime of the server, the last mail is sent first and the user still has time to cancel", async () => {
    const it = await setUp();
    assert.ok(await it.begin());
    it.clock.advance(100 * hour);
    assert.deepEqual([await it.mails(), await it.remove()], [["ready"], 0]);
    const reported = await it.store.find("recoveries", { user_id: it.user.id });
    assert.equal(reported?.due_at.getTime(), it.context.now().getTime() + 6 * hour * 1000);
    it.clock.advance(6 * hour - 2);
    assert.deepEqual([await it.mails(), await it.remove()], [[], 0]);
    it.clock.advance(2);
    assert.equal(await it.remove(), 1);
  });

  test("MF-15 both other factors are required, and neither one of them nor the lost passkey alone suffices", async () => {
    const it = await setUp();
    const { context, clock, user, store, proof } = it;
    const missing = async (methods: readonly SignInMethod[]) => {
      const { session } = await it.signIn(methods);
      const enrolled = await store.enrolledMethods(user);
      return missingProofs({ session, user }, enrolled, clock.now(), { passkeys_lost: true });
    };
    const seconds = ["passkey", "totp"];
    assert.deepEqual(await missing([]), [["password"], seconds]);
    assert.deepEqual(await missing(byPassword(clock.now())), [seconds]);
    assert.deepEqual(await missing([proof("totp", "app")]), [["password"]]);
    assert.deepEqual(await missing([...byPassword(clock.now()), proof("totp", "app")]), []);
    clock.advance(301);
    const codes = await setUp({ app: false });
    await codes.store.remove("passkeys", { id: codes.security_key.id });
    const { session } = await codes.signIn(byPassword(codes.clock.now()));
    const requested = { session, user: codes.user };
    assert.equal((await lostPasskeysState(requested, codes.context)).type, "too_little_left");
    await someRecoveryCodes(codes.user, codes.context);
    assert.equal((await lostPasskeysState(requested, codes.context)).type, "possible");
    const enrolled = await codes.store.enrolledMethods(codes.user);
    const now = codes.clock.now();
    assert.deepEqual(missingProofs(requested, enrolled, now, { passkeys_lost: true }), [["recovery_code"]]);
    assert.equal((await lostPasskeysState(requested, { ...context, store: codes.store })).type, "possible");
  });

  test("MF-15 using the passkey cancels the removal, and a sign-in with other factors does not", async () => {
    const it = await setUp();
    const { passkey, security_key, proof, user, context, clock } = it;
    const second = (kind: SignInMethod["kind"], credential: string, uv = false) => [
      ...byPassword(clock.now()),
      proof(kind, credential, uv),
    ];
    assert.ok(await it.begin());
    for (const methods of [
      second("totp", "app"),
      second("recovery_code", "c"),
      second("passkey", security_key.id),
    ]) {
      await it.signIn(methods);
      assert.ok(await it.waits(), JSON.stringify(methods));
    }
    const cancelling = [
      second("passkey", passkey.id),
      [proof("passkey", passkey.id, true)],
      [proof("passkey", security_key.id, true)],
    ];
    for (const methods of cancelling) {
      await it.signIn(methods);
      assert.equal(await it.waits(), false, JSON.stringify(methods));
      await it.begin();
    }
    // The passkey is used in an existing session, as for sudo.
    const { session } = await it.signIn(byPassword(clock.now()));
    assert.ok(await addMethods({ session, user }, [proof("passkey", passkey.id, true)], context));
    assert.equal(await it.waits(), false);
    const events = await it.store.list("audit_events", { type: "recovery.deleted" });
    assert.deepEqual(
      events.map(({ details }) => details),
      Array.from({ length: 4 }, () => ({ by: "sign_in", lost: "passkeys" })),
    );
  });

  /** Verifies the passkey for a sign-in, without the steps that would follow. */
  const useOf = ({ device }: Awaited<ReturnType<typeof setUp>>, at: IdentityContext) => {
    const requested = { purpose: "sign_in", holder: "browser" } as const;
    const answer = JSON.stringify(device.assert(newChallenge(requested, at.sealer, at.now())));
    return provePasskey({ ...requested, answer, origin }, testSite, at);
  };

  test("H-53: the use of the passkey and the end of the recovery are stored in one transaction", async () => {
    const it = await waited();
    assert.equal((await useOf(it, it.context)).type, "proved");
    assert.deepEqual([await it.waits(), await it.remove()], [false, 0]);
    assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 2);
    const [event] = await it.store.list("audit_events", { type: "recovery.deleted" });
    assert.deepEqual(event?.details, { by: "sign_in", lost: "passkeys" });
  });

  test("H-53: if the passkey is used and removed concurrently, only one of the two takes effect", async () => {
    const seen = new Set<string>();
    // The first two cases fix the order, so both orders are covered on any database.
    for (const way of ["use", "removal", "both", "both", "both"]) {
      const it = await waited();
      const early = way === "removal" ? await it.remove(it.second) : undefined;
      const using = useOf(it, it.context);
      if (way === "use") await using;
      const ended = early ?? (await it.remove(it.second));
      const left = await it.store.count("passkeys", { id: it.passkey.id });
      seen.add(JSON.stringify([(await using).type, ended, left]));
    }
    const [used, removed] = [JSON.stringify(["proved", 0, 1]), JSON.stringify(["refused", 1, 0])];
    const late = JSON.stringify(["expired", 1, 0]);
    for (const each of seen) assert.ok([used, removed, late].includes(each), each);
    assert.ok(seen.has(used) && seen.has(removed));
  });

  test("MF-15 a user has one recovery at a time; one of all factors replaces that of a passkey, not the reverse", async () => {
    const it = await setUp();
    const begun = await Promise.all([it.begin(), it.begin("passkeys", it.second), it.begin()]);
    assert.equal(begun.filter((each) => each !== undefined).length, 1);
    const [row] = await it.store.list("recoveries", {});
    assert.equal(row?.passkeys_only, true);
    assert.equal((await recoveryState(await it.current(), undefined, it.context)).type, "none");
    const all = await it.begin("factors");
    assert.equal((await recoveryState(await it.current(), all?.cookie, it.context)).type, "waiting");
    assert.equal(await it.begin(), undefined);
    assert.equal((await it.store.list("recoveries", {}))[0]?.passkeys_only, false);
    // The steps for lost passkeys never apply to a recovery of all factors.
    it.clock.advance(72 * hour);
    await it.mails();
    assert.equal(await it.remove(), 0);
    assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 2);
  });

  test("MF-15 after the system clock jumps, the mails are sent first, and the passkey is removed in a later run", async () => {
    const it = await setUp();
    await it.begin();
    it.clock.advance(100 * hour);
    assert.equal(await it.remove(), 0);
    assert.deepEqual(await it.mails(), ["ready"]);
    it.clock.advance(-99 * hour);
    assert.equal(await it.remove(), 0);
    assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 2);
  });

  test("MF-15 parallel runs in two processes remove the passkey once, and not if its mail cannot be stored", async () => {
    const it = await waited();
    const failing = removeLostPasskeys(it.context, async () => {
      throw new Error("no place for the mail");
    });
    await assert.rejects(failing, /no place/);
    assert.equal(await it.store.count("passkeys", { user_id: it.user.id }), 2);
    const ended = await Promise.all([it.remove(), it.remove(it.second), it.remove(), it.remove(it.second)]);
    assert.equal(
      ended.reduce((sum, each) => sum + each, 0),
      1,
    );
    assert.equal(it.removed.length, 1);
  });

  test("MF-15 removing a lost passkey is refused to a platform administrator, and if the feature or mail is off", async () => {
    const root = await setUp({ is_platform_admin: true } as object);
    const { session } = await root.signIn(byPassword());
    assert.equal(await root.begin(), undefined);
    const state = await lostPasskeysState({ session, user: root.user }, root.context);
    assert.equal(state.type, "administrator");
    const it = await waited();
    const { store, user, context } = it;
    for (const off of [
      { ...context, settings: {} },
      { ...context, sends_mail: false },
    ]) {
      assert.equal(await it.remove(off), 0);
    }
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    assert.equal(await it.remove(), 0);
    await store.update("users", { id: user.id }, { is_platform_admin: false });
    assert.equal(await it.remove(), 1);
  });

  test("MF-15 a new password or address cancels the removal, and the last sign-in method is not removed", async () => {
    const it = await waited();
    const { store, user } = it;
    const admin = { ...testContext(store), now: it.clock.now };
    await updateRecord(admin, resourceOf("users"), user.id, { password: "an entirely new password" });
    it.clock.advance(1);
    assert.deepEqual([await it.waits(), await it.remove()], [false, 0]);
    const bare = await waited();
    await bare.store.update("users", { id: bare.user.id }, { password_hash: null });
    assert.equal(await bare.remove(), 1);
    assert.deepEqual(bare.removed, []);
    assert.equal(await bare.store.count("passkeys", { user_id: bare.user.id }), 2);
    const [event] = await bare.store.list("audit_events", { type: "recovery.deleted" });
    assert.deepEqual(event?.details, { by: "last_way", lost: "passkeys" });
  });
});
