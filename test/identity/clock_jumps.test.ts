/**
 * A machine's clock that jumps an hour, ahead, back, or ahead and back: no ended record becomes valid, no
 * valid one ends, and records created afterwards are valid (docs/decisions/operations.md).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { updateRecord } from "../../src/admin/manage/manage.ts";
import { apps } from "../../src/admin/resources/apps.ts";
import { users } from "../../src/admin/resources/people.ts";
import { newChallenge, readChallenge } from "../../src/crypto/passkey_challenge.ts";
import { OAuthError } from "../../src/errors.ts";
import { challengeMailbox, proveMailbox } from "../../src/people/authenticators/mail_code/sudo_mailbox.ts";
import { isFirstUse } from "../../src/people/authenticators/passkeys/register_passkey.ts";
import { makeResetMail, resetPassword } from "../../src/people/authenticators/password/password_reset.ts";
import { newFormCookie } from "../../src/people/core/form_tokens.ts";
import { beginHalfSignIn, findHalfSignIn, finishHalfSignIn } from "../../src/people/core/half_sign_in.ts";
import {
  forgetDevices,
  rememberDevice,
  useRememberedDevice,
} from "../../src/people/core/remembered_devices.ts";
import { endSession, findSession, startSession } from "../../src/people/core/sessions.ts";
import { missingProofs } from "../../src/people/core/sudo/sudo.ts";
import { countAttempt } from "../../src/people/core/throttle.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { lockOfEmail } from "../../src/records/names/liveness.ts";
import { settledClock } from "../../src/server/background.ts";
import { testContext } from "../admin/context.ts";
import { aClientFixture, clientFixtureOf } from "../oauth/client_fixture.ts";
import { testServer } from "../support/authorization_server.ts";
import { aConsent, anApp, aUser, byPassword } from "../support/builders.ts";
import { describeInForm, type TestDatabase } from "../support/databases.ts";
import { withdrawConsent } from "../support/endings.ts";
import { ask, authorizeParameters, signedIn } from "../support/flows.ts";
import { identityOn } from "../support/identity_context.ts";
import { anAuthenticatorApp, proveTotp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };
const hour = 3600;

/** Seconds by which the clock is moved, one step after the other. */
const jumps = { back: [-hour], ahead: [hour], "ahead and back": [hour, -hour] } as const;

/** A credential; `use` returns whether it was accepted. */
interface Made {
  use(): Promise<boolean>;
  /** Ends it explicitly; single-use credentials end by use. */
  end?(): Promise<unknown>;
}

async function setUp(database: TestDatabase) {
  const scenario = await testServer(await database.open());
  const { server, clock } = scenario;
  const context = identityOn(server, {
    throttle: false,
    sends_mail: true,
    settings: { remember_device_days: 30 },
  });
  const { store, passwords, now } = context;
  const password_hash = await passwords.hash("an example of a password");
  const aPerson = async () => {
    const { id } = await aUser(store, { password_hash });
    return async (): Promise<User> => (await store.find("users", { id })) ?? assert.fail();
  };
  // The sweeper's monotonic clock; a second passes between two runs.
  let steady = 0;
  const settled = settledClock(now, () => (steady += 1000));
  const sweep = () => store.sweepSome(settled());
  const jump = async (seconds: number) => {
    clock.advance(seconds);
    await sweep();
    clock.advance(1);
  };
  await sweep();
  const begin = async (user: User): Promise<{ cookie: string } & SignedIn> => {
    const { cookie, session } = await startSession({ user, methods: byPassword(now()), origin }, context);
    return { cookie, session, user };
  };
  return { scenario, store, clock, context, aPerson, begin, jump, admin: { ...testContext(store), now } };
}

type Fixture = Awaited<ReturnType<typeof setUp>>;

/** Every kind of credential, as it is created. */
const subjects = {
  async session({ aPerson, begin, context }) {
    const { cookie, ...who } = await begin(await (await aPerson())());
    return {
      use: async () => (await findSession(cookie, context)) !== undefined,
      end: () => endSession(who, origin, context),
    };
  },
  async sudo({ aPerson, begin, context }) {
    const who = await begin(await (await aPerson())());
    const { store, now } = context;
    return {
      use: async () => missingProofs(who, await store.enrolledMethods(who.user), now()).length === 0,
    };
  },
  async max_age({ scenario }) {
    const oauthClient = await aClientFixture(scenario, { first_party: true });
    return {
      async use() {
        const outcome = await ask(
          scenario,
          oauthClient.who,
          authorizeParameters(oauthClient.app, { max_age: "300" }),
        );
        return outcome.type === "redirect";
      },
    };
  },
  async "half sign-in"({ aPerson, context }) {
    const browser = newFormCookie(context);
    const user = await (await aPerson())();
    const methods = byPassword(context.now());
    await beginHalfSignIn({ user, methods, browser, request: "/account" }, context);
    return {
      async use() {
        const half = await findHalfSignIn(browser, context);
        const method = { kind: "recovery_code", credential: null, at: context.now().getTime() } as const;
        return (
          half !== undefined && (await finishHalfSignIn(half, { method, origin }, context)) !== undefined
        );
      },
    };
  },
  async "mailed link"({ aPerson, context }) {
    const { email } = await (await aPerson())();
    const message = await makeResetMail({ email, origin }, context);
    const token = message?.type === "link" ? message.token : assert.fail();
    const input = { token, password: "quite another password", origin };
    return { use: async () => (await resetPassword(input, context)).type === "done" };
  },
  async "mailed code"({ aPerson, begin, context }) {
    const who = await begin(await (await aPerson())());
    const code = (await challengeMailbox(who, origin, context)) ?? assert.fail();
    return {
      async use() {
        const proved = await proveMailbox(who, code, context);
        if (proved.type !== "proved" || proved.commitProof === undefined) return false;
        return context.store.transaction(proved.commitProof);
      },
    };
  },
  async "authorization code"({ scenario }) {
    const oauthClient = await aClientFixture(scenario);
    const code = await oauthClient.code();
    return {
      async use() {
        try {
          return (await oauthClient.exchange(code)).access_token !== undefined;
        } catch (error) {
          if (error instanceof OAuthError && error.code === "invalid_grant") return false;
          throw error;
        }
      },
    };
  },
  async "TOTP code"({ aPerson, context }) {
    const user = await (await aPerson())();
    const { secret } = await anAuthenticatorApp(user, context);
    const code = totpCode(secret, context.now());
    return { use: async () => (await proveTotp(user, code, context)).type === "proved" };
  },
  async "passkey challenge"({ context }) {
    const { sealer, now } = context;
    const requested = { purpose: "sign_in", holder: "browser" } as const;
    const challenge = newChallenge(requested, sealer, now());
    return {
      async use() {
        const read = readChallenge(challenge, requested, sealer, now());
        return typeof read === "object" && (await isFirstUse(read, context));
      },
    };
  },
  async "remembered device"({ aPerson, context }) {
    const user = await (await aPerson())();
    const app = await anAuthenticatorApp(user, context);
    const methods = byPassword(context.now());
    const method = { kind: "totp", credential: app.id, at: context.now().getTime() } as const;
    const cookie = await rememberDevice({ user, method, cookie: undefined, origin }, context);
    return {
      use: () => useRememberedDevice(user, { cookie, methods }, context),
      end: () => forgetDevices(user, { origin }, context),
    };
  },
  async "refresh token"({ scenario }) {
    const oauthClient = await aClientFixture(scenario);
    const { refresh_token } = await oauthClient.flow({ scope: "openid offline_access" });
    return {
      use: () => oauthClient.isActive(refresh_token),
      end: () => oauthClient.revoke(refresh_token),
    };
  },
  async consent({ scenario, store, clock }) {
    const user = await aUser(store);
    const app = await anApp(store, { owner_id: user.id });
    await aConsent(store, { user_id: user.id, app_id: app.id, scopes: ["openid"] });
    return {
      use: async () =>
        (await ask(scenario, await signedIn(scenario, user), authorizeParameters(app))).type === "redirect",
      end: () => withdrawConsent(store, user.id, app.id, "user", clock.now()),
    };
  },
} satisfies Record<string, (fixture: Fixture) => Promise<Made>>;

type Subject = keyof typeof subjects;
const makers: readonly [Subject, (fixture: Fixture) => Promise<Made>][] = Object.entries(subjects) as never;

/**
 * Records that last for days or until a user ends them. All others last for minutes by the clock that created
 * them.
 */
const lasting: readonly Subject[] = ["session", "remembered device", "refresh token", "consent"];
/** Records that only time ends. */
const reusable: readonly Subject[] = ["sudo", "max_age"];

describeInForm("when the system clock jumps by an hour,", (database) => {
  for (const [direction, moves] of Object.entries(jumps))
    test(`H-24: nothing that ended becomes valid again, and nothing valid ends permanently: ${direction}`, async () => {
      const fixture = await setUp(database);
      const shut = new Map<string, Made>();
      const kept = new Map<string, Made>();
      for (const [kind, make] of makers) {
        kept.set(kind, await make(fixture));
        if (reusable.includes(kind)) continue;
        const made = await make(fixture);
        assert.equal(await made.use(), true, `${kind} is good at first`);
        await made.end?.();
        assert.equal(await made.use(), false, `${kind} is shut`);
        shut.set(kind, made);
      }
      const [first = 0, ...others] = moves;
      await fixture.jump(first);
      const between = new Map<string, Made>();
      for (const [kind, make] of makers) between.set(kind, await make(fixture));
      for (const move of others) await fixture.jump(move);
      for (const [kind, made] of shut) {
        assert.equal(await made.use(), false, `${kind} that was shut stays shut`);
      }
      const cameBack = others.length > 0;
      for (const [kind, made] of kept) {
        // After a jump there and back, it is still valid, because nothing was deleted meanwhile.
        const good = lasting.includes(kind as Subject) || cameBack;
        assert.equal(await made.use(), good, `${kind} of before`);
      }
      for (const [kind, made] of between) {
        const good = lasting.includes(kind as Subject) || !cameBack;
        assert.equal(await made.use(), good, `${kind} of a clock that ${cameBack ? "was ahead" : "jumped"}`);
      }
      for (const [kind, make] of makers) {
        assert.equal(await (await make(fixture)).use(), true, `${kind} that is made now is good`);
      }
    });

  test("H-24: after the clock was an hour ahead, users can sign in and apps get tokens", async () => {
    const { scenario, context, store, clock, jump, begin, admin } = await setUp(database);
    const oauthClient = await aClientFixture(
      scenario,
      {},
      { password_hash: await context.passwords.hash("an old password") },
    );
    await jump(hour);
    await updateRecord(admin, users, oauthClient.user.id, { password: "quite another password" });
    for (const active of [false, true]) {
      await updateRecord(admin, apps, oauthClient.app.id, { active });
      await updateRecord(admin, users, oauthClient.user.id, { active });
    }
    await jump(-hour);
    const user = (await store.find("users", { id: oauthClient.user.id })) ?? assert.fail();
    const { cookie } = await begin(user);
    const who = (await findSession(cookie, context)) ?? assert.fail("a session that begins is good");
    const here = clientFixtureOf({ ...oauthClient, user, who });
    const tokens = await here.flow();
    assert.equal(await here.isActive(tokens.access_token), true);
    const refreshed = await here.refresh(tokens.refresh_token);
    assert.equal(await here.isActive(refreshed.access_token), true);

    // If a process with a slow clock ends the user's records, it also ends those that a process with a fast
    // clock created.
    await updateRecord(admin, users, user.id, { password: "a third of the passwords" });
    for (const seconds of [1, 2 * hour]) {
      clock.advance(seconds);
      assert.equal(await findSession(cookie, context), undefined);
      assert.equal(await here.isActive(refreshed.access_token), false);
    }
  });

  test("H-24: records created while the clock was ahead are ended together with the user's other records", async () => {
    const { scenario, context, store, clock, jump, begin, admin } = await setUp(database);
    await jump(hour);
    const oauthClient = await aClientFixture(scenario);
    const { cookie } = await begin(oauthClient.user);
    const tokens = await oauthClient.flow();
    const app = await anAuthenticatorApp(oauthClient.user, context);
    const method = { kind: "totp", credential: app.id, at: context.now().getTime() } as const;
    const device = await rememberDevice(
      { user: oauthClient.user, method, cookie: undefined, origin },
      context,
    );
    const user = async () => (await store.find("users", { id: oauthClient.user.id })) ?? assert.fail();
    const remembered = async () =>
      useRememberedDevice(await user(), { cookie: device, methods: byPassword(clock.now()) }, context);
    await jump(-hour);
    assert.equal(await remembered(), true);
    assert.equal(await oauthClient.isActive(tokens.access_token), true);
    for (const active of [false, true]) {
      await updateRecord(admin, apps, oauthClient.app.id, { active });
      await updateRecord(admin, users, oauthClient.user.id, { active });
    }
    for (const seconds of [1, 2 * hour]) {
      clock.advance(seconds);
      assert.equal(await findSession(cookie, context), undefined);
      assert.equal(await oauthClient.isActive(tokens.access_token), false);
      assert.equal(await oauthClient.isActive(tokens.refresh_token), false);
      assert.equal(await remembered(), false);
    }
  });

  test("L-10, H-24: wrong passwords counted while the clock was ahead expire as soon as others", async () => {
    const it = await setUp(database);
    const context = { ...it.context, throttle: true };
    const account = await (await it.aPerson())();
    const attempt = () => countAttempt({ account, client_ip: "192.0.2.9" }, context);
    await it.jump(24 * hour);
    for (let turn = 0; turn < 10; turn++) await attempt();
    assert.ok((await attempt()).retry_after);
    await it.jump(-24 * hour);
    const { retry_after } = await attempt();
    assert.equal(retry_after, 15 * 60, "still closed, for the time of a new one");
    it.clock.advance(15 * 60 - 1);
    assert.ok((await attempt()).retry_after);
    it.clock.advance(1);
    assert.equal((await attempt()).retry_after, undefined);
  });
});

test("H-24: the time in which a restored email address cannot change never exceeds its original length", () => {
  const now = new Date("2030-01-01T00:00:00Z");
  const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  for (const [until, expected] of [
    [71, after(71)],
    [73, after(72)],
    [9000, after(72)],
    [0, undefined],
  ] as const) {
    assert.deepEqual(lockOfEmail({ email_locked_until: after(until) }, now), expected);
  }
});
