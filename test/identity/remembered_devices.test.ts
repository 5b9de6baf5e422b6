/** Browsers that skip the second factor for some days (MF-13), on both databases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { makeEmailUndo, undoEmail } from "../../src/people/account/email/undo_email.ts";
import { disown } from "../../src/people/account/endings/disown.ts";
import { ownData } from "../../src/people/account/export_data.ts";
import { removePasskey } from "../../src/people/authenticators/passkeys/change_passkey.ts";
import { makeResetMail, resetPassword } from "../../src/people/authenticators/password/password_reset.ts";
import {
  makeRecoveryCodes,
  replaceRecoveryCodes,
} from "../../src/people/authenticators/recovery_codes/recovery_codes.ts";
import {
  ownAuthenticatorApp,
  removeAuthenticatorApp,
} from "../../src/people/authenticators/totp/authenticator_apps.ts";
import { newDisownToken } from "../../src/people/core/disown_token.ts";
import { enter, secondStepOf } from "../../src/people/core/enter.ts";
import {
  forgetDevices,
  rememberDevice,
  rememberedDevices,
} from "../../src/people/core/remembered_devices.ts";
import { startSession } from "../../src/people/core/sessions.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { testContext } from "../admin/context.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser, byPassword, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { aPasskey } from "../support/passkeys.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "Browser", request_id: "r" };
const day = 86_400;
const password = "an example of a password";

describeInForm("browsers remembered for the second factor", (database) => {
  async function setUp(days = 30) {
    const { server, clock, events } = await testServer(await database.open());
    const settings = { remember_device_days: days };
    const context = identityOn(server, { settings });
    const { store, passwords, now } = context;
    const password_hash = await passwords.hash(password);
    const aPerson = async (overrides: Partial<User> = {}) => {
      const user = await aUser(store, { password_hash, ...overrides });
      const app = await anAuthenticatorApp(user, context);
      return { user, app };
    };
    const { user, app } = await aPerson();
    const current = async (of: User): Promise<User> =>
      (await store.find("users", { id: of.id })) ?? assert.fail();
    const remember = async (of = user, app_id = app.id, cookie?: string) => {
      const method = { kind: "totp", credential: app_id, at: now().getTime() } as const;
      const made = await rememberDevice({ user: await current(of), method, cookie, origin }, context);
      clock.advance(1);
      return made;
    };
    const step = async (device: string | undefined, of = user, methods = byPassword(now())) =>
      secondStepOf({ user: await current(of), methods, device }, context);
    const admin = { ...testContext(store), now };
    return { store, context, clock, events, user, app, aPerson, current, remember, step, admin };
  }

  test("MF-13 a remembered browser skips the second factor until its days are over", async () => {
    const it = await setUp();
    assert.equal(await it.step(undefined), "asked");
    const cookie = await it.remember();
    assert.ok(cookie);
    assert.equal(await it.step(cookie), "remembered");
    assert.equal(await it.step(undefined), "asked");
    assert.equal(await it.step(`${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`), "asked");
    const [device] = await it.store.list("devices", { user_id: it.user.id });
    assert.equal(device?.last_used_at?.getTime(), it.clock.now().getTime());
    assert.ok(!device?.token_signature.equals(Buffer.from(cookie)));
    it.clock.advance(30 * day - 2);
    assert.equal(await it.step(cookie), "remembered");
    it.clock.advance(1);
    assert.equal(await it.step(cookie), "asked");
    assert.deepEqual(await rememberedDevices(it.user, it.context), []);
  });

  test("MF-13 expired rows of remembered browsers are deleted, and others stay", async () => {
    const it = await setUp();
    await it.remember();
    it.clock.advance(day);
    await it.remember();
    assert.equal((await it.store.sweep(later(30 * day), { dry_run: true })).devices, 1);
    await it.store.sweepSome(later(30 * day));
    assert.equal(await it.store.count("devices", {}), 1);
    assert.equal((await it.store.sweep(later(32 * day))).devices, 1);
  });

  test("MF-13 if the feature is off, no browser is remembered or skips the factor, and fewer days apply at once", async () => {
    const it = await setUp();
    const cookie = await it.remember();
    const off = { ...it.context, settings: { remember_device_days: 0 } };
    const method = { kind: "totp", credential: it.app.id, at: 0 } as const;
    assert.equal(await rememberDevice({ user: it.user, method, cookie: undefined, origin }, off), undefined);
    const requested = { user: it.user, methods: byPassword(), device: cookie };
    assert.equal(await secondStepOf(requested, off), "asked");
    assert.equal(await secondStepOf(requested, { ...it.context, settings: {} }), "asked");
    assert.deepEqual(await rememberedDevices(it.user, off), []);
    const fewer = { ...it.context, settings: { remember_device_days: 7 } };
    it.clock.advance(7 * day - 2);
    assert.equal(await secondStepOf(requested, fewer), "remembered");
    it.clock.advance(1);
    assert.equal(await secondStepOf(requested, fewer), "asked");
    assert.equal(await secondStepOf(requested, it.context), "remembered");
  });

  test("MF-13 a cookie remembered for one user does not help another, and a browser can be remembered for several", async () => {
    const it = await setUp();
    const eve = await it.aPerson();
    const ada = await it.remember();
    assert.equal(await it.step(ada, eve.user), "asked");
    const both = await it.remember(eve.user, eve.app.id, ada);
    assert.equal(await it.step(both), "remembered");
    assert.equal(await it.step(both, eve.user), "remembered");
    // When the browser is remembered again, it gets another token, and the previous one is invalid.
    const renewed = await it.remember(it.user, it.app.id, both);
    assert.equal(await it.step(renewed, eve.user), "remembered");
    assert.equal(await it.step(renewed), "remembered");
    assert.equal(await it.step(ada), "asked");
    assert.equal(await it.store.count("devices", { user_id: it.user.id }), 1);
  });

  test("MF-13 the cookie holds the last four users, and a longer cookie is ignored", async () => {
    const it = await setUp();
    let cookie: string | undefined;
    const people = [{ user: it.user, app: it.app }];
    for (let more = 0; more < 4; more++) people.push(await it.aPerson());
    for (const { user, app } of people) cookie = await it.remember(user, app.id, cookie);
    assert.equal(cookie?.split(".").length, 4);
    const steps: string[] = [];
    for (const { user } of people) steps.push(await it.step(cookie, user));
    assert.deepEqual(steps, ["asked", "remembered", "remembered", "remembered", "remembered"]);
    const filler = "x.".repeat(4);
    assert.equal(await it.step(filler + cookie, people.at(-1)?.user), "asked");
  });

  test("MF-13 a user can forget one remembered browser and keep another, or forget all", async () => {
    const it = await setUp();
    const [one, other] = [await it.remember(), await it.remember()];
    const [newest, oldest] = await rememberedDevices(it.user, it.context);
    assert.ok(newest && oldest);
    const stranger = await aUser(it.store);
    assert.equal(await forgetDevices(stranger, { id: oldest.id, origin }, it.context), 0);
    assert.equal(await forgetDevices(it.user, { id: oldest.id, origin }, it.context), 1);
    assert.equal(await it.step(one), "asked");
    assert.equal(await it.step(other), "remembered");
    await it.remember();
    assert.equal(await forgetDevices(it.user, { origin }, it.context), 2);
    assert.equal(await it.step(other), "asked");
    const events = await it.store.list("audit_events", { actor_id: it.user.id });
    const count = (type: string) => events.filter((event) => event.type === type).length;
    assert.deepEqual([count("device.created"), count("device.deleted")], [3, 2]);
  });

  test("MF-13 a user has at most fifty remembered browsers, and a new one replaces the oldest", async () => {
    const it = await setUp();
    const first = await it.remember();
    for (let more = 1; more < 50; more++) await it.remember();
    assert.equal(await it.step(first), "remembered");
    await it.remember();
    assert.equal(await it.step(first), "asked");
    assert.equal(await it.store.count("devices", {}), 50);
  });

  test("MF-13 platform administrators always need the second factor, even if the browser was remembered before", async () => {
    const it = await setUp();
    const cookie = await it.remember();
    await it.store.update("users", { id: it.user.id }, { is_platform_admin: true });
    assert.equal(await it.step(cookie), "asked");
    assert.equal(await it.remember(), undefined);
  });

  test("MF-13 a sign-in by recovery code or mailed code cannot remember the browser", async () => {
    const it = await setUp();
    for (const kind of ["recovery_code", "mail_code", "password", "provider"] as const) {
      const method: SignInMethod = { kind, credential: it.app.id, at: 0 };
      const overrides = { user: it.user, method, cookie: undefined, origin };
      assert.equal(await rememberDevice(overrides, it.context), undefined, kind);
    }
    // A mailed code is not a first factor either, so a sign-in with only that code requires the second
    // factor.
    const cookie = await it.remember();
    const mail: SignInMethod = { kind: "mail_code", credential: null, at: it.clock.now().getTime() };
    assert.equal(await it.step(cookie, it.user, [mail]), "asked");
  });

  test("MF-13 a session of a remembered browser has and reports only the level of the first factor", async () => {
    const it = await setUp();
    const device = await it.remember();
    const entrance = { user: it.user, methods: byPassword(it.clock.now()), origin, request: "/", device };
    const entered = await enter({ ...entrance, browser: () => assert.fail() }, it.context);
    assert.equal(entered.type, "signed_in");
    const [session] = await it.store.list("sessions", { user_id: it.user.id });
    assert.equal(session?.acr, "urn:postern:acr:password");
    assert.deepEqual(session?.methods, byPassword(it.clock.now()));
    const reported = it.events.filter(({ type }) => type === "sign_in").map(({ details }) => details);
    assert.deepEqual(reported, [{ method: "password", remembered_device: true }]);
  });

  test("MF-13 correct passwords in a remembered browser do not reset the count of wrong ones", async () => {
    const it = await setUp();
    const device = await it.remember();
    const { email } = it.user;
    const type = async (typed: string) =>
      (await signIn({ email, password: typed, origin, device }, it.context)).type;
    for (let turn = 0; turn < 9; turn++) assert.equal(await type("a wrong password"), "refused");
    for (let turn = 0; turn < 3; turn++) assert.equal(await type(password), "signed_in");
    assert.equal(await type("a wrong password"), "refused");
    assert.equal(await type(password), "throttled");
  });

  test("MF-13 a browser is not remembered if its sign-in ended meanwhile", async () => {
    const it = await setUp();
    const method = { kind: "totp", credential: it.app.id, at: it.clock.now().getTime() } as const;
    const overrides = { user: it.user, method, cookie: undefined, origin };
    it.clock.advance(1);
    await updateRecord(it.admin, resourceOf("users"), it.user.id, { password: "an entirely new password" });
    it.clock.advance(1);
    assert.equal(await rememberDevice(overrides, it.context), undefined);
    await it.store.remove("totp_authenticators", { id: it.app.id });
    assert.equal(await it.remember(), undefined);
    assert.equal(await it.store.count("devices", {}), 0);
  });

  const ends: Readonly<Record<string, (it: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>>> = {
    "a new password by a mailed link": async ({ user, context }) => {
      const message = await makeResetMail({ email: user.email, origin }, context);
      assert.equal(message?.type, "link");
      const overrides = { token: message.token, password: "an entirely new password", origin };
      assert.equal((await resetPassword(overrides, context)).type, "done");
    },
    "a changed password": async ({ user, admin }) =>
      updateRecord(admin, resourceOf("users"), user.id, { password: "an entirely new password" }),
    "factors reset by an administrator": async ({ user, admin, context, store }) => {
      await actOnRecord(admin, resourceOf("users"), "reset_factors", user.id, { reason: "lost" });
      assert.equal(await store.count("devices", {}), 0);
      await anAuthenticatorApp(user, context);
    },
    "one factor taken by an administrator": async ({ user, app, admin, context }) => {
      await anAuthenticatorApp(user, context);
      const overrides = { factor_id: app.id, reason: "lost" };
      await actOnRecord(admin, resourceOf("users"), "remove_factor", user.id, overrides);
    },
    "a removed authenticator app": async ({ user, app, context }) => {
      await anAuthenticatorApp(user, context);
      const own = await ownAuthenticatorApp(user, app.id, context);
      assert.ok(own && (await removeAuthenticatorApp(own, origin, context)));
    },
    "an added passkey": async ({ user, context }) => aPasskey(user, context),
    "a removed passkey": async ({ user, context, remember, app }) => {
      const { passkey } = await aPasskey(user, context);
      assert.ok(await remember(user, app.id));
      const { session } = await startSession({ user, methods: byPassword(), origin }, context);
      assert.equal((await removePasskey(passkey, { user, session }, origin, context)).type, "removed");
      assert.equal(await context.store.count("devices", {}), 0);
    },
    "new recovery codes": async ({ user, context, store, clock }) => {
      const { hashed } = await makeRecoveryCodes(user, context);
      await store.transaction((tx) =>
        replaceRecoveryCodes(tx, user, hashed, { origin, at: clock.now() }, context),
      );
    },
    "a change of the address that is undone": async ({ user, context, clock }) => {
      const token = await context.store.transaction((tx) => makeEmailUndo(tx, user, clock.now(), context));
      assert.ok(await undoEmail(token, origin, context));
    },
    "“it was not me”": async ({ user, context }) => {
      const { id } = await anAuthenticatorApp(user, context);
      assert.ok(
        await disown(
          await newDisownToken({ user, since: context.now(), factor: { kind: "totp", id } }, context),
          origin,
          context,
        ),
      );
    },
    "a user who is switched off, and on again": async ({ user, admin, clock }) => {
      await updateRecord(admin, resourceOf("users"), user.id, { active: false });
      clock.advance(1);
      await updateRecord(admin, resourceOf("users"), user.id, { active: true });
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`MF-13 ${what} makes the browser forgotten`, async () => {
      const it = await setUp();
      const cookie = await it.remember();
      assert.equal(await it.step(cookie), "remembered");
      await end(it);
      it.clock.advance(1);
      assert.equal(await it.step(cookie), "asked");
      assert.deepEqual(await rememberedDevices(await it.current(it.user), it.context), []);
    });
  }

  test("MF-13 remembered browsers are in the user's data file, without their signatures", async () => {
    const it = await setUp();
    await it.remember();
    let text = "";
    for await (const part of ownData(it.user, it.context)) text += part;
    const [device, ...others] = JSON.parse(text).records.devices;
    assert.equal(others.length, 0);
    assert.equal(device.client_ip, "192.0.2.1");
    assert.ok(!("token_signature" in device));
  });
});
