/** What id_token, access token and introspection say of a sign-in, and go on saying (SU-2, SU-8). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJwt } from "jose";
import type { SignInMethod } from "../../src/records/sign_in_methods.ts";
import { testServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { aParty, partyOf } from "./party.ts";

type Proof = readonly [Partial<SignInMethod> & Pick<SignInMethod, "kind">, ago: number];

/** Proofs, how many seconds ago they were given, and what is said of them. */
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

describeInForm("what is told of a sign-in", (database) => {
  async function aSignIn(proofs: readonly Proof[], extra_sign_in: readonly ("totp" | "passkey")[]) {
    const test = await testServer(await database.open(), { extra_sign_in });
    const party = await aParty(test, {
      first_party: true,
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      allowed_scopes: ["openid", "offline_access", "orders:read"],
    });
    const now = test.clock.now().getTime();
    const methods = proofs.map(
      ([method, ago]): SignInMethod => ({ credential: null, ...method, at: now - ago * 1000 }),
    );
    const { session } = party.who;
    await test.store.update("sessions", { id: session.id }, { methods });
    const who = { ...party.who, session: { ...session, methods } };
    return { test, party: partyOf({ ...party, who }), seconds: Math.floor(now / 1000) };
  }

  const told = ({ acr, amr, auth_time }: Readonly<Record<string, unknown>>) => ({ acr, amr, auth_time });
  const nothing = { acr: undefined, amr: undefined, auth_time: undefined };

  for (const [name, proofs, acr, amr, ago] of cases) {
    test(`SU-2, SU-8: ${name}: id_token, JWT and introspection agree, after a refresh too`, async () => {
      const { test: stage, party, seconds } = await aSignIn(proofs, ["totp", "passkey"]);
      const expected = { acr, amr, auth_time: seconds - ago };
      const first = await party.flow({ scope: "openid offline_access" });
      stage.clock.advance(100);
      const second = await party.refresh(first.refresh_token);
      stage.clock.advance(100);
      const third = await party.refresh(second.refresh_token);
      for (const { id_token, access_token } of [first, second, third]) {
        assert.deepEqual(told(decodeJwt(id_token ?? "")), expected, "id_token");
        assert.deepEqual(told(decodeJwt(access_token)), expected, "access token");
      }
      const answer = await party.introspect(third.access_token);
      assert.deepEqual(told(answer as Readonly<Record<string, unknown>>), expected, "introspection");
    });
  }

  test("SU-7: the row of a token says that its sign-in rests on a provider of an organization, after a refresh too", async () => {
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
      const { test: stage, party } = await aSignIn(proofs, ["totp"]);
      const first = await party.flow({ scope: "openid offline_access" });
      const second = await party.refresh(first.refresh_token);
      const rows = await stage.store.list("oauth_tokens");
      assert.equal(rows.length, 2);
      for (const { request_data } of rows) {
        assert.equal(JSON.parse(request_data ?? "{}").of_organization === true, rests);
      }
      assert.equal("of_organization" in decodeJwt(second.access_token), false);
    }
  });

  test("SU-8: with nothing but the password switched on access tokens say nothing of the sign-in", async () => {
    const { party, seconds } = await aSignIn([[{ kind: "password" }, 30]], []);
    const { id_token, access_token, refresh_token } = await party.flow({ scope: "openid offline_access" });
    assert.deepEqual(told(decodeJwt(id_token ?? "")), {
      acr: "urn:postern:acr:password",
      amr: ["pwd"],
      auth_time: seconds - 30,
    });
    for (const said of [decodeJwt(access_token), await party.introspect(access_token)]) {
      assert.deepEqual(told(said as Readonly<Record<string, unknown>>), nothing);
    }
    const again = await party.refresh(refresh_token);
    assert.deepEqual(told(decodeJwt(again.access_token)), nothing);
  });

  test("SU-8: refresh tokens and machines of whom no sign-in is told", async () => {
    const { party } = await aSignIn([[{ kind: "password" }, 30]], ["totp"]);
    const { refresh_token } = await party.flow({ scope: "openid offline_access" });
    assert.deepEqual(told((await party.introspect(refresh_token)) as Record<string, unknown>), nothing);
    const { access_token } = await party.clientCredentials({ scope: "orders:read" });
    assert.deepEqual(told(decodeJwt(access_token)), nothing);
    assert.deepEqual(told((await party.introspect(access_token)) as Record<string, unknown>), nothing);
  });

  test("SU-8: codes and tokens of before say pwd", async () => {
    const { test: stage, party } = await aSignIn([[{ kind: "password" }, 30]], ["totp"]);
    const code = await party.code({ scope: "openid offline_access" });
    const withoutAmr = (text: string | null) => {
      const { amr: _, ...others } = JSON.parse(text ?? "{}") as Record<string, unknown>;
      return JSON.stringify(others);
    };
    const [stored] = await stage.store.list("oauth_auth_codes", {});
    assert.ok(stored);
    const request_data = withoutAmr(stored.request_data);
    await stage.store.update("oauth_auth_codes", { id: stored.id }, { request_data });
    const first = await party.exchange(code);
    assert.deepEqual(decodeJwt(first.id_token ?? "").amr, ["pwd"]);
    const row = await party.rowOf(first.access_token);
    const before = { request_data: withoutAmr(row.request_data) };
    await stage.store.update("oauth_tokens", { id: row.id }, before);
    assert.deepEqual(told((await party.introspect(first.access_token)) as Record<string, unknown>).amr, [
      "pwd",
    ]);
    const next = await party.refresh(first.refresh_token ?? "");
    assert.deepEqual(decodeJwt(next.access_token).amr, ["pwd"]);
  });
});
