import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialPrefix, findSignature } from "../../src/crypto/credentials.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { requestHash } from "../../src/oauth/authorize/interaction.ts";
import { pendingInteraction } from "../../src/oauth/authorize/pending_request.ts";
import type { OAuthApp, User } from "../../src/records/definition.ts";
import type { SignedIn } from "../../src/records/request_origin.ts";
import type { MethodKind, SignInMethod } from "../../src/records/sign_in_methods.ts";
import { insertAny } from "../storage/any_row.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import {
  ask,
  authorizeParameters,
  formOf,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../support/flows.ts";

const password = "urn:postern:acr:password";
const mfa = "urn:postern:acr:mfa";

/** A proof that was given so many seconds ago. */
type Given = readonly [MethodKind, ago?: number];

describeInForm("stepping up", (database) => {
  interface Stage {
    readonly as: TestServer;
    readonly app: OAuthApp;
    readonly user: User;
    who(...given: Given[]): Promise<SignedIn>;
    ask(who: SignedIn, given?: Parameters): ReturnType<typeof ask>;
  }

  /** A first-party app and a person with a password, and the second factors named. */
  async function stage(
    factors: readonly ("totp" | "passkey")[] = [],
    given: Partial<OAuthApp> = {},
  ): Promise<Stage> {
    const as = await testServer(await database.open());
    const user = await aUser(as.store, { password_hash: "phc" });
    const app = await anApp(as.store, { first_party: true, ...given });
    if (factors.includes("totp")) await insertAny(as.store, "totp_authenticators", { users: user.id });
    if (factors.includes("passkey")) {
      await insertAny(as.store, "passkeys", { users: user.id }, { signs_in: true, uv_initialized: true });
    }
    return {
      as,
      app,
      user,
      async who(...given) {
        const { session } = await signedIn(as, user);
        const now = as.clock.now().getTime();
        const methods = given.map(
          ([kind, ago = 0]): SignInMethod => ({
            kind,
            credential: kind === "password" ? null : kind,
            at: now - ago * 1000,
            ...(kind === "passkey" && { uv: true }),
          }),
        );
        await as.store.update("sessions", { id: session.id }, { methods });
        return { user, session: { ...session, methods } };
      },
      ask: (who, given) => ask(as, who, authorizeParameters(app, given)),
    };
  }

  /** What a code says of the sign-in. */
  async function toldBy({ as }: Stage, outcome: Awaited<ReturnType<typeof ask>>) {
    const code_signature = findSignature(credentialPrefix.code, redirected(outcome).get("code") ?? "");
    assert.ok(code_signature, String(redirected(outcome)));
    const code = await as.store.find("oauth_auth_codes", { code_signature });
    const { acr, amr, auth_time } = JSON.parse(code?.request_data ?? "{}") as Record<string, unknown>;
    return { acr, amr, auth_time };
  }

  const errorOf = (outcome: Awaited<ReturnType<typeof ask>>) => redirected(outcome).get("error");

  test("SU-3: without a request the highest level is told that is held", async () => {
    const it = await stage(["totp"]);
    const who = await it.who(["password"], ["totp"]);
    assert.equal((await toldBy(it, await it.ask(who))).acr, mfa);
  });

  test("SU-3: of acr_values the first is told that is held, and a lower wish lowers nothing", async () => {
    const it = await stage(["totp", "passkey"]);
    const who = await it.who(["password"], ["totp"]);
    for (const [acr_values, acr] of [
      [password, password],
      [`${mfa} ${password}`, mfa],
      [`${password} ${mfa}`, password],
      [`phr ${password}`, password],
      ["urn:somebody:else", mfa],
    ] as const) {
      assert.equal((await toldBy(it, await it.ask(who, { acr_values }))).acr, acr, acr_values);
    }
    assert.equal((await toldBy(it, await it.ask(who))).acr, mfa, "the session still holds what it held");
  });

  test("SU-3: where none of them is held the easiest is asked for that can be reached", async () => {
    const both = await stage(["totp", "passkey"]);
    const one = await stage(["totp"]);
    for (const [it, acr_values, acr] of [
      [both, `phr ${mfa}`, mfa],
      [both, "phr", "phr"],
      [one, `phr ${mfa}`, mfa],
      [one, `${mfa} phr`, mfa],
    ] as const) {
      const outcome = await it.ask(await it.who(["password"]), { acr_values });
      assert.equal(outcome.type, "step_up");
      assert.equal(outcome.type === "step_up" && outcome.acr, acr, acr_values);
    }
  });

  test("SU-3: a voluntary wish that cannot be reached is answered with the level that is held", async () => {
    const none = await stage();
    const some = await stage(["totp"]);
    assert.equal(
      (await toldBy(none, await none.ask(await none.who(["password"]), { acr_values: mfa }))).acr,
      password,
    );
    const who = await some.who(["password"], ["totp"]);
    assert.equal((await toldBy(some, await some.ask(who, { acr_values: "phr" }))).acr, mfa);
    const silent = await none.ask(await none.who(["password"]), { acr_values: mfa, prompt: "none" });
    assert.equal((await toldBy(none, silent)).acr, password);
  });

  test("SU-3: what the app requires is met, stepped up to, or refused", async () => {
    const cases = [
      [["totp"], [["password"], ["totp"]], undefined],
      [["totp"], [["password"]], "step_up"],
      [[], [["password"]], "unmet_authentication_requirements"],
    ] as const;
    for (const [factors, given, expected] of cases) {
      const it = await stage(factors, { require_acr: mfa });
      const outcome = await it.ask(await it.who(...given));
      if (expected === "step_up") assert.equal(outcome.type === "step_up" && outcome.acr, mfa);
      else if (expected === undefined) assert.equal((await toldBy(it, outcome)).acr, mfa);
      else assert.equal(errorOf(outcome), expected);
    }
  });

  test("SU-3: a wish below what the app requires is none", async () => {
    const it = await stage(["totp"], { require_acr: mfa });
    const who = await it.who(["password"]);
    assert.equal((await it.ask(who, { acr_values: password })).type, "step_up");
    const more = await it.who(["password"], ["totp"]);
    assert.equal((await toldBy(it, await it.ask(more, { acr_values: password }))).acr, mfa);
  });

  test("SU-3: prompt=none asks nobody: login_required where the level could be reached", async () => {
    const it = await stage(["totp"]);
    const who = await it.who(["password"]);
    assert.equal(errorOf(await it.ask(who, { acr_values: mfa, prompt: "none" })), "login_required");
    const strict = await stage(["totp"], { require_acr: mfa });
    const other = await strict.who(["password"]);
    assert.equal(errorOf(await strict.ask(other, { prompt: "none" })), "login_required");
    const never = await stage([], { require_acr: mfa });
    assert.equal(
      errorOf(await never.ask(await never.who(["password"]), { prompt: "none" })),
      "unmet_authentication_requirements",
    );
  });

  test("SU-3: no consent goes around it", async () => {
    const it = await stage(["totp"], { first_party: false });
    const who = await it.who(["password"]);
    const question = await it.ask(who);
    assert.equal(question.type, "consent");
    await it.as.store.update("oauth_apps", { id: it.app.id }, { require_acr: mfa });
    const { form } = question as Extract<typeof question, { type: "consent" }>;
    const outcome = await answerConsent({ form, decision: "allow", signedIn: who, origin }, it.as.server);
    assert.deepEqual([outcome.type, await it.as.store.count("oauth_auth_codes", {})], ["step_up", 0]);
  });

  test("SU-4: max_age asks all factors of the level again, and a fresh code freshens no password", async () => {
    const it = await stage(["totp"]);
    const half = await it.who(["password", 300], ["totp", 10]);
    assert.equal((await it.ask(half, { max_age: "60" })).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, { max_age: "60" }))}`;
    assert.equal(await pendingInteraction(url, half, it.as.server), "sign_in", "the login page agrees");
    const whole = await it.who(["password", 30], ["totp", 10]);
    const told = await toldBy(it, await it.ask(whole, { max_age: "60" }));
    assert.deepEqual([told.acr, told.auth_time], [mfa, Math.floor(it.as.clock.now().getTime() / 1000) - 30]);
    assert.equal(errorOf(await it.ask(half, { max_age: "60", prompt: "none" })), "login_required");
  });

  test("SU-4: the age that counts is that of the level that is told", async () => {
    const it = await stage(["totp"], { require_acr: mfa });
    const who = await it.who(["password", 10], ["totp", 300]);
    const given = { max_age: "60", acr_values: password };
    assert.equal((await it.ask(who, given)).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, given))}`;
    assert.equal(await pendingInteraction(url, who, it.as.server), "sign_in", "no loop with the login page");
    await it.as.store.update("oauth_apps", { id: it.app.id }, { require_acr: null });
    assert.equal((await toldBy(it, await it.ask(who, given))).acr, password);
  });

  test("SU-4: after a fresh sign-in that was asked for, older proofs do not count for the request", async () => {
    const it = await stage(["totp", "passkey"]);
    const given = { prompt: "login", max_age: "60" };
    const who = await it.who(["passkey", 3600], ["password", 5], ["totp", 2]);
    assert.equal((await it.ask(who, given)).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, given))}`;
    const satisfied_request = requestHash(url, it.as.clock.now());
    await it.as.store.update("sessions", { id: who.session.id }, { satisfied_request });
    const fresh = { ...who, session: { ...who.session, satisfied_request } };
    const told = await toldBy(it, await it.ask(fresh, given));
    assert.deepEqual([told.acr, told.auth_time], [mfa, Math.floor(it.as.clock.now().getTime() / 1000) - 5]);
    const wished = { ...given, acr_values: "phr" };
    const other = `/oauth/authorize?${formOf(authorizeParameters(it.app, wished))}`;
    const again = { ...fresh.session, satisfied_request: requestHash(other, it.as.clock.now()) };
    const outcome = await it.ask({ ...who, session: again }, wished);
    assert.equal(outcome.type === "step_up" && outcome.acr, "phr", "the old passkey is asked for again");
  });

  test("SU-3: what is enrolled is read only where more is asked for than is held", async () => {
    const it = await stage(["totp"], { require_acr: password });
    const { store } = it.as;
    let reads = 0;
    const enrolledMethods: typeof store.enrolledMethods = (...given) => {
      reads++;
      return store.enrolledMethods(...given);
    };
    const server = { ...it.as.server, store: { ...store, enrolledMethods } };
    const who = await it.who(["password"], ["totp"]);
    for (const given of [{}, { acr_values: mfa }, { acr_values: `phr ${password}` }, { max_age: "60" }]) {
      assert.ok(
        redirected(await ask({ ...it.as, server }, who, authorizeParameters(it.app, given))).has("code"),
      );
    }
    assert.equal(reads, 0);
    await ask({ ...it.as, server }, who, authorizeParameters(it.app, { acr_values: "phr" }));
    assert.equal(reads, 1);
  });
});
