import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import { credentialPrefix, findSignature } from "../../src/crypto/credentials.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { requestHash } from "../../src/oauth/authorize/interaction.ts";
import { pendingInteraction } from "../../src/oauth/authorize/pending_request.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { MethodKind, SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { insertAny } from "../storage/any_row.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, anOrganization, aResource, aUser } from "../support/builders.ts";
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
import { aClientFixture, clientFixtureOf } from "./client_fixture.ts";

const password = "urn:postern:acr:password";
const mfa = "urn:postern:acr:mfa";

/** A proof that the user gave `ago` seconds ago. */
type Given = readonly [MethodKind, ago?: number];

describeInForm("levels of authentication and stepping up", (database) => {
  interface Scenario {
    readonly as: TestServer;
    readonly app: OAuthApp;
    readonly user: User;
    who(...overrides: Given[]): Promise<SignedIn>;
    ask(who: SignedIn, overrides?: Parameters): ReturnType<typeof ask>;
  }

  /** Creates a first-party app, and a user with a password and the given second factors. */
  async function scenario(
    factors: readonly ("totp" | "passkey")[] = [],
    overrides: Partial<OAuthApp> = {},
  ): Promise<Scenario> {
    const as = await testServer(await database.open());
    const user = await aUser(as.store, { password_hash: "phc" });
    const app = await anApp(as.store, { first_party: true, ...overrides });
    if (factors.includes("totp")) await insertAny(as.store, "totp_authenticators", { users: user.id });
    if (factors.includes("passkey")) {
      await insertAny(as.store, "passkeys", { users: user.id }, { signs_in: true, uv_initialized: true });
    }
    return {
      as,
      app,
      user,
      async who(...overrides) {
        const { session } = await signedIn(as, user);
        const now = as.clock.now().getTime();
        const methods = overrides.map(
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
      ask: (who, overrides) => ask(as, who, authorizeParameters(app, overrides)),
    };
  }

  /** Returns the claims of the sign-in from the tokens of a code. */
  async function claimsBy({ as }: Scenario, outcome: Awaited<ReturnType<typeof ask>>) {
    const code_signature = findSignature(credentialPrefix.code, redirected(outcome).get("code") ?? "");
    assert.ok(code_signature, String(redirected(outcome)));
    const code = await as.store.find("oauth_auth_codes", { code_signature });
    const { acr, amr, auth_time } = JSON.parse(code?.request_data ?? "{}") as Record<string, unknown>;
    return { acr, amr, auth_time };
  }

  const errorOf = (outcome: Awaited<ReturnType<typeof ask>>) => redirected(outcome).get("error");

  test("SU-3: if no level is requested, the id_token reports the highest level that the session has", async () => {
    const it = await scenario(["totp"]);
    const who = await it.who(["password"], ["totp"]);
    assert.equal((await claimsBy(it, await it.ask(who))).acr, mfa);
  });

  test("SU-3: of acr_values, the first level that the session has is reported, and the session keeps its own level", async () => {
    const it = await scenario(["totp", "passkey"]);
    const who = await it.who(["password"], ["totp"]);
    for (const [acr_values, acr] of [
      [password, password],
      [`${mfa} ${password}`, mfa],
      [`${password} ${mfa}`, password],
      [`phr ${password}`, password],
      ["urn:somebody:else", mfa],
    ] as const) {
      assert.equal((await claimsBy(it, await it.ask(who, { acr_values }))).acr, acr, acr_values);
    }
    assert.equal((await claimsBy(it, await it.ask(who))).acr, mfa, "the session still holds what it held");
  });

  test("SU-3: if the session has none of the requested levels, the user must reach the easiest possible one", async () => {
    const both = await scenario(["totp", "passkey"]);
    const one = await scenario(["totp"]);
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

  test("SU-3: if a voluntary level cannot be reached, the level of the session is reported", async () => {
    const none = await scenario();
    const some = await scenario(["totp"]);
    assert.equal(
      (await claimsBy(none, await none.ask(await none.who(["password"]), { acr_values: mfa }))).acr,
      password,
    );
    const who = await some.who(["password"], ["totp"]);
    assert.equal((await claimsBy(some, await some.ask(who, { acr_values: "phr" }))).acr, mfa);
    const silent = await none.ask(await none.who(["password"]), { acr_values: mfa, prompt: "none" });
    assert.equal((await claimsBy(none, silent)).acr, password);
  });

  test("SU-3: a level that the app requires is already met, reached by a step-up, or refused", async () => {
    const cases = [
      [["totp"], [["password"], ["totp"]], undefined],
      [["totp"], [["password"]], "step_up"],
      [[], [["password"]], "unmet_authentication_requirements"],
    ] as const;
    for (const [factors, overrides, expected] of cases) {
      const it = await scenario(factors, { require_acr: mfa });
      const outcome = await it.ask(await it.who(...overrides));
      if (expected === "step_up") assert.equal(outcome.type === "step_up" && outcome.acr, mfa);
      else if (expected === undefined) assert.equal((await claimsBy(it, outcome)).acr, mfa);
      else assert.equal(errorOf(outcome), expected);
    }
  });

  test("SU-3: if a requested level cannot be reached, the level that the app requires is sufficient", async () => {
    for (const [factors, require_acr, acr_values] of [
      [["totp"], mfa, "phr"],
      [[], password, mfa],
    ] as const) {
      const it = await scenario(factors, { require_acr });
      const given: Given[] = [["password"], ...factors.map((kind): Given => [kind])];
      for (const prompt of ["none", undefined]) {
        const outcome = await it.ask(await it.who(...given), { acr_values, ...(prompt && { prompt }) });
        assert.equal((await claimsBy(it, outcome)).acr, require_acr);
      }
    }
    const it = await scenario(["totp"], { require_acr: mfa });
    const outcome = await it.ask(await it.who(["password"]), { acr_values: "phr" });
    assert.equal(outcome.type === "step_up" && outcome.acr, mfa);
  });

  test("SU-3: a requested level below the one that the app requires is ignored", async () => {
    const it = await scenario(["totp"], { require_acr: mfa });
    const who = await it.who(["password"]);
    assert.equal((await it.ask(who, { acr_values: password })).type, "step_up");
    const more = await it.who(["password"], ["totp"]);
    assert.equal((await claimsBy(it, await it.ask(more, { acr_values: password }))).acr, mfa);
  });

  test("SU-3: with prompt=none no page is shown, and the error is login_required if the level could be reached", async () => {
    const it = await scenario(["totp"]);
    const who = await it.who(["password"]);
    assert.equal(errorOf(await it.ask(who, { acr_values: mfa, prompt: "none" })), "login_required");
    const strict = await scenario(["totp"], { require_acr: mfa });
    const other = await strict.who(["password"]);
    assert.equal(errorOf(await strict.ask(other, { prompt: "none" })), "login_required");
    const never = await scenario([], { require_acr: mfa });
    assert.equal(
      errorOf(await never.ask(await never.who(["password"]), { prompt: "none" })),
      "unmet_authentication_requirements",
    );
  });

  test("SU-3: the consent page does not bypass the required level", async () => {
    const it = await scenario(["totp"], { first_party: false });
    const who = await it.who(["password"]);
    const question = await it.ask(who);
    assert.equal(question.type, "consent");
    await it.as.store.update("oauth_apps", { id: it.app.id }, { require_acr: mfa });
    const { form } = question as Extract<typeof question, { type: "consent" }>;
    const outcome = await answerConsent({ form, decision: "allow", signedIn: who, origin }, it.as.server);
    assert.deepEqual([outcome.type, await it.as.store.count("oauth_auth_codes", {})], ["step_up", 0]);
  });

  test("SU-4: max_age applies to all factors of the level, and a fresh code does not renew the password", async () => {
    const it = await scenario(["totp"]);
    const half = await it.who(["password", 300], ["totp", 10]);
    assert.equal((await it.ask(half, { max_age: "60" })).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, { max_age: "60" }))}`;
    assert.equal(await pendingInteraction(url, half, it.as.server), "sign_in", "the login page agrees");
    const whole = await it.who(["password", 30], ["totp", 10]);
    const claims = await claimsBy(it, await it.ask(whole, { max_age: "60" }));
    assert.deepEqual(
      [claims.acr, claims.auth_time],
      [mfa, Math.floor(it.as.clock.now().getTime() / 1000) - 30],
    );
    assert.equal(errorOf(await it.ask(half, { max_age: "60", prompt: "none" })), "login_required");
  });

  test("SU-4: max_age refers to the level that is reported", async () => {
    const it = await scenario(["totp"], { require_acr: mfa });
    const who = await it.who(["password", 10], ["totp", 300]);
    const overrides = { max_age: "60", acr_values: password };
    assert.equal((await it.ask(who, overrides)).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, overrides))}`;
    assert.equal(await pendingInteraction(url, who, it.as.server), "sign_in", "no loop with the login page");
    await it.as.store.update("oauth_apps", { id: it.app.id }, { require_acr: null });
    assert.equal((await claimsBy(it, await it.ask(who, overrides))).acr, password);
  });

  test("SU-4: after a required fresh sign-in, older proofs do not count for the request", async () => {
    const it = await scenario(["totp", "passkey"]);
    const overrides = { prompt: "login", max_age: "60" };
    const who = await it.who(["passkey", 3600], ["password", 5], ["totp", 2]);
    assert.equal((await it.ask(who, overrides)).type, "login");
    const url = `/oauth/authorize?${formOf(authorizeParameters(it.app, overrides))}`;
    const satisfied_request = requestHash(url, it.as.clock.now());
    await it.as.store.update("sessions", { id: who.session.id }, { satisfied_request });
    const fresh = { ...who, session: { ...who.session, satisfied_request } };
    const claims = await claimsBy(it, await it.ask(fresh, overrides));
    assert.deepEqual(
      [claims.acr, claims.auth_time],
      [mfa, Math.floor(it.as.clock.now().getTime() / 1000) - 5],
    );
    const wished = { ...overrides, acr_values: "phr" };
    const other = `/oauth/authorize?${formOf(authorizeParameters(it.app, wished))}`;
    const again = { ...fresh.session, satisfied_request: requestHash(other, it.as.clock.now()) };
    const outcome = await it.ask({ ...who, session: again }, wished);
    assert.equal(outcome.type === "step_up" && outcome.acr, "phr", "the old passkey is asked for again");
  });

  test("SU-3: the user's factors are read only if the required level is higher than that of the session", async () => {
    const it = await scenario(["totp"], { require_acr: password });
    const { store } = it.as;
    let reads = 0;
    const enrolledMethods: typeof store.enrolledMethods = (...overrides) => {
      reads++;
      return store.enrolledMethods(...overrides);
    };
    const server = { ...it.as.server, store: { ...store, enrolledMethods } };
    const who = await it.who(["password"], ["totp"]);
    for (const overrides of [{}, { acr_values: mfa }, { acr_values: `phr ${password}` }, { max_age: "60" }]) {
      assert.ok(
        redirected(await ask({ ...it.as, server }, who, authorizeParameters(it.app, overrides))).has("code"),
      );
    }
    assert.equal(reads, 0);
    await ask({ ...it.as, server }, who, authorizeParameters(it.app, { acr_values: "phr" }));
    assert.equal(reads, 1);
  });
});

/**
 * The sign-in claims of id_token, access token and introspection, initially and after refreshes (SU-2, SU-8).
 */
type Proof = readonly [Partial<SignInMethod> & Pick<SignInMethod, "kind">, ago: number];

/** Proofs, their age in seconds, and the resulting claims. */
const cases: readonly [name: string, readonly Proof[], acr: string, amr: readonly string[], ago: number][] = [
  ["a password", [[{ kind: "password" }, 30]], "urn:postern:acr:password", ["pwd"], 30],
  ["a provider", [[{ kind: "provider" }, 20]], "urn:postern:acr:federated", [], 20],
  [
    "a password and a code",
    [
      [{ kind: "password" }, 30],
      [{ kind: "totp" }, 10],
    ],
    "urn:postern:acr:mfa",
    ["pwd", "otp", "mfa"],
    30,
  ],
  [
    "a password and a recovery code",
    [
      [{ kind: "password" }, 9],
      [{ kind: "recovery_code" }, 8],
    ],
    "urn:postern:acr:mfa",
    ["pwd", "urn:postern:amr:recovery_code", "mfa"],
    9,
  ],
  ["a passkey", [[{ kind: "passkey", uv: true }, 40]], "phr", ["pop", "user", "mfa"], 40],
  [
    "an old password and a passkey",
    [
      [{ kind: "password" }, 900],
      [{ kind: "passkey", uv: true }, 4],
    ],
    "phr",
    ["pop", "user", "mfa"],
    4,
  ],
];

describeInForm("what tokens report about the sign-in", (database) => {
  async function aSignIn(proofs: readonly Proof[], extra_sign_in: readonly ("totp" | "passkey")[]) {
    const test = await testServer(await database.open(), { extra_sign_in });
    const fixture = await aClientFixture(test, {
      first_party: true,
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      allowed_scopes: ["openid", "offline_access", "orders:read"],
    });
    const now = test.clock.now().getTime();
    const methods = proofs.map(
      ([method, ago]): SignInMethod => ({ credential: null, ...method, at: now - ago * 1000 }),
    );
    const { session } = fixture.who;
    await test.store.update("sessions", { id: session.id }, { methods });
    const who = { ...fixture.who, session: { ...session, methods } };
    return { test, fixture: clientFixtureOf({ ...fixture, who }), seconds: Math.floor(now / 1000) };
  }

  const claims = ({ acr, amr, auth_time }: Readonly<Record<string, unknown>>) => ({ acr, amr, auth_time });
  const nothing = { acr: undefined, amr: undefined, auth_time: undefined };

  for (const [name, proofs, acr, amr, ago] of cases) {
    test(`SU-2, SU-8: ${name}: id_token, access token and introspection agree, also after a refresh`, async () => {
      const { test: scenario, fixture, seconds } = await aSignIn(proofs, ["totp", "passkey"]);
      const expected = { acr, amr, auth_time: seconds - ago };
      const first = await fixture.flow({ scope: "openid offline_access" });
      scenario.clock.advance(100);
      const second = await fixture.refresh(first.refresh_token);
      scenario.clock.advance(100);
      const third = await fixture.refresh(second.refresh_token);
      for (const { id_token, access_token } of [first, second, third]) {
        assert.deepEqual(claims(decodeJwt(id_token ?? "")), expected, "id_token");
        assert.deepEqual(claims(decodeJwt(access_token)), expected, "access token");
      }
      const answer = await fixture.introspect(third.access_token);
      assert.deepEqual(claims(answer as Readonly<Record<string, unknown>>), expected, "introspection");
    });
  }

  test("SU-7: a token's row records a sign-in through an organization's provider, also after a refresh", async () => {
    const provider = { kind: "provider", of_organization: true } as const;
    const firsts: readonly [readonly Proof[], boolean][] = [
      [[[provider, 20]], true],
      [
        [
          [{ kind: "password" }, 30],
          [provider, 20],
        ],
        true,
      ],
      [
        [
          [provider, 30],
          [{ kind: "password" }, 20],
        ],
        false,
      ],
    ];
    for (const [proofs, rests] of firsts) {
      const { test: scenario, fixture } = await aSignIn(proofs, ["totp"]);
      const first = await fixture.flow({ scope: "openid offline_access" });
      const second = await fixture.refresh(first.refresh_token);
      const rows = await scenario.store.list("oauth_tokens");
      assert.equal(rows.length, 2);
      for (const { request_data } of rows) {
        assert.equal(JSON.parse(request_data ?? "{}").of_organization === true, rests);
      }
      assert.equal("of_organization" in decodeJwt(second.access_token), false);
    }
  });

  test("SU-8: if only passwords are enabled, access tokens do not report the sign-in", async () => {
    const { fixture, seconds } = await aSignIn([[{ kind: "password" }, 30]], []);
    const { id_token, access_token, refresh_token } = await fixture.flow({ scope: "openid offline_access" });
    assert.deepEqual(claims(decodeJwt(id_token ?? "")), {
      acr: "urn:postern:acr:password",
      amr: ["pwd"],
      auth_time: seconds - 30,
    });
    for (const said of [decodeJwt(access_token), await fixture.introspect(access_token)]) {
      assert.deepEqual(claims(said as Readonly<Record<string, unknown>>), nothing);
    }
    const again = await fixture.refresh(refresh_token);
    assert.deepEqual(claims(decodeJwt(again.access_token)), nothing);
  });

  test("SU-8: access tokens report the sign-in if every API of the audience asks for it, also after a refresh", async () => {
    const { test: scenario, fixture, seconds } = await aSignIn([[{ kind: "password" }, 30]], []);
    const { issuer } = scenario.server;
    const organization_id = (await anOrganization(scenario.store)).id;
    await scenario.store.update("oauth_apps", { id: fixture.app.id }, { organization_id });
    const one = await aResource(scenario.store, { sign_in_claims: true, app_ids: [fixture.app.id] });
    const two = await aResource(scenario.store);
    const told = { acr: "urn:postern:acr:password", amr: ["pwd"], auth_time: seconds - 30 };
    const both = [one.identifier, two.identifier];
    async function reports(access_token: string, aud: string | string[], expected: object) {
      const payload = decodeJwt(access_token);
      assert.deepEqual(payload.aud, aud);
      assert.deepEqual(claims(payload), expected, String(aud));
      const answer = (await fixture.introspect(access_token)) as Readonly<Record<string, unknown>>;
      assert.equal(answer.active, true);
      assert.deepEqual(claims(answer), expected, String(aud));
    }

    const first = await fixture.flow({ resource: both, scope: "openid offline_access" });
    await reports(first.access_token, both, nothing);
    scenario.clock.advance(100);
    const narrowed = await fixture.refresh(first.refresh_token, { resource: one.identifier });
    await reports(narrowed.access_token, one.identifier, told);
    const other = await fixture.refresh(narrowed.refresh_token, { resource: two.identifier });
    await reports(other.access_token, two.identifier, nothing);
    await scenario.store.update("resources", { id: two.id }, { sign_in_claims: true });
    scenario.clock.advance(100);
    const wide = await fixture.refresh(other.refresh_token);
    await reports(wide.access_token, both, told);

    // Without `resource` the token is for the app's own API, and with `openid` for this server.
    const own = await fixture.flow({ scope: "openid offline_access" });
    await reports(own.access_token, [one.identifier, issuer], told);
    await scenario.store.update("resources", { id: one.id }, { sign_in_claims: false });
    await reports((await fixture.refresh(own.refresh_token)).access_token, [one.identifier, issuer], nothing);
    const machine = await fixture.clientCredentials({ scope: "orders:read", resource: two.identifier });
    await reports(machine.access_token, two.identifier, nothing);
  });

  test("SU-8: refresh tokens and tokens of machines do not report a sign-in", async () => {
    const { fixture } = await aSignIn([[{ kind: "password" }, 30]], ["totp"]);
    const { refresh_token } = await fixture.flow({ scope: "openid offline_access" });
    assert.deepEqual(claims((await fixture.introspect(refresh_token)) as Record<string, unknown>), nothing);
    const { access_token } = await fixture.clientCredentials({ scope: "orders:read" });
    assert.deepEqual(claims(decodeJwt(access_token)), nothing);
    assert.deepEqual(claims((await fixture.introspect(access_token)) as Record<string, unknown>), nothing);
  });

  test("SU-8: codes and tokens from earlier versions report pwd", async () => {
    const { test: scenario, fixture } = await aSignIn([[{ kind: "password" }, 30]], ["totp"]);
    const code = await fixture.code({ scope: "openid offline_access" });
    const withoutAmr = (text: string | null) => {
      const { amr: _, ...others } = JSON.parse(text ?? "{}") as Record<string, unknown>;
      return JSON.stringify(others);
    };
    const [stored] = await scenario.store.list("oauth_auth_codes", {});
    assert.ok(stored);
    const request_data = withoutAmr(stored.request_data);
    await scenario.store.update("oauth_auth_codes", { id: stored.id }, { request_data });
    const first = await fixture.exchange(code);
    assert.deepEqual(decodeJwt(first.id_token ?? "").amr, ["pwd"]);
    const row = await fixture.rowOf(first.access_token);
    const before = { request_data: withoutAmr(row.request_data) };
    await scenario.store.update("oauth_tokens", { id: row.id }, before);
    assert.deepEqual(claims((await fixture.introspect(first.access_token)) as Record<string, unknown>).amr, [
      "pwd",
    ]);
    const next = await fixture.refresh(first.refresh_token ?? "");
    assert.deepEqual(decodeJwt(next.access_token).amr, ["pwd"]);
  });
});
