import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessTokenSignature } from "../../../src/crypto/credentials.ts";
import { startSession } from "../../../src/people/core/sessions.ts";
import { manageScope } from "../../../src/records/definition/permissions.ts";
import { writeRequestData } from "../../../src/records/names/request_data.ts";
import type { SignInMethod } from "../../../src/records/names/sign_in_methods.ts";
import { insertAny } from "../../storage/any_row.ts";
import { issuer } from "../../support/authorization_server.ts";
import { aToken, aUser } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { type ApiServer, anApiKeyText, apiServer, bearer } from "./server.ts";

const [sqlite] = databasesInForm;
const password = "urn:postern:acr:password";
const mfa = "urn:postern:acr:mfa";

describe("the management API requires a fresh sign-in", () => {
  async function serverWith(api_step_up_age: number): Promise<ApiServer> {
    assert.ok(sqlite);
    return apiServer(sqlite, {}, { api_step_up_age });
  }

  /** Returns an access token of the administrator, whose sign-in is this number of seconds old. */
  async function aTokenOf(
    { store, clock, administrator }: ApiServer,
    acr: string,
    ago: number,
    more: { readonly of_organization?: true } = {},
  ) {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const text = `${part({ alg: "RS256" })}.${part({ jti: store.newId(clock.now()) })}.c2lnbmVk`;
    const access_token_signature = accessTokenSignature(text);
    assert.ok(access_token_signature);
    const request_data = writeRequestData({
      grant_type: "authorization_code",
      scope: manageScope,
      acr,
      auth_time: Math.floor(clock.now().getTime() / 1000) - ago,
      ...more,
    });
    const input = { access_token_signature, audience: [issuer], user_id: administrator.id };
    await aToken(store, { ...input, scopes: [manageScope], request_data });
    return bearer(text);
  }

  type Headers = Readonly<Record<string, string>>;

  function make({ app }: ApiServer, headers: Headers) {
    const email = `${crypto.randomUUID()}@example.com`;
    return app.inject({
      method: "POST",
      url: "/api/v1/users",
      headers: { ...headers, "content-type": "application/json" },
      payload: JSON.stringify({ email, name: "New" }),
    });
  }

  const challenge = (acr: string) =>
    `Bearer realm="${issuer}", error="insufficient_user_authentication", acr_values="${acr}", max_age="300"`;

  test("SU-7: a token whose sign-in is too old gets 401 with the required level and age", async () => {
    const it = await serverWith(300);
    assert.equal((await make(it, await aTokenOf(it, password, 299))).statusCode, 201);
    const answer = await make(it, await aTokenOf(it, password, 301));
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, "insufficient_user_authentication");
    assert.equal(answer.headers["www-authenticate"], challenge(password));
  });

  test("SU-7: a sign-in through an organization's provider never counts as fresh if the setting requires one", async () => {
    const of_organization = { of_organization: true } as const;
    const it = await serverWith(300);
    const answer = await make(it, await aTokenOf(it, password, 5, of_organization));
    assert.deepEqual([answer.statusCode, answer.headers["www-authenticate"]], [401, challenge(password)]);
    const unasked = await serverWith(0);
    assert.equal(
      (await make(unasked, await aTokenOf(unasked, password, 5, of_organization))).statusCode,
      201,
    );
  });

  test("SU-7: a token below the account's highest level gets 401 with that level", async () => {
    const it = await serverWith(300);
    await insertAny(it.store, "totp_authenticators", { users: it.administrator.id });
    await it.store.update("users", { id: it.administrator.id }, { password_hash: "phc" });
    const weak = await make(it, await aTokenOf(it, password, 5));
    assert.deepEqual([weak.statusCode, weak.headers["www-authenticate"]], [401, challenge(mfa)]);
    assert.equal((await make(it, await aTokenOf(it, mfa, 5))).statusCode, 201);
    assert.equal((await make(it, await aTokenOf(it, "phr", 5))).statusCode, 201);
    assert.equal((await make(it, await aTokenOf(it, "urn:somebody:else", 5))).statusCode, 401);
  });

  test("SU-7: reads and insensitive operations accept a token of any age, and API keys need no sign-in", async () => {
    const it = await serverWith(300);
    const old = await aTokenOf(it, password, 4000);
    for (const url of ["/api/v1/me", "/api/v1/users", `/api/v1/users/${it.administrator.id}`]) {
      assert.equal((await it.app.inject({ url, headers: old })).statusCode, 200, url);
    }
    const headers = { ...old, "content-type": "application/json" };
    const payload = JSON.stringify({ name: "Jobs", email: "jobs@machines.example" });
    const url = "/api/v1/service-accounts";
    const other = await it.app.inject({ method: "POST", url, headers, payload });
    assert.notEqual(other.json().code, "insufficient_user_authentication", other.body);
    const { key } = await anApiKeyText(it, { user_id: it.administrator.id, scopes: [manageScope] });
    assert.equal((await make(it, bearer(key))).statusCode, 201);
  });

  for (const [title, setting] of [
    ["SU-7: a browser session is held to the same as its tokens", 300],
    ["SU-6: the interface is no way around sudo for a browser session, whatever the setting is", 0],
  ] as const)
    test(title, async () => {
      const it = await serverWith(setting);
      const user = await aUser(it.store, { is_platform_admin: true, password_hash: "phc" });
      const { store, memory, passwords, sealer, now, report } = it.server;
      const methods: SignInMethod[] = [{ kind: "password", credential: null, at: now().getTime() }];
      const origin = { client_ip: null, user_agent: null, request_id: "r" };
      const context = { store, memory, passwords, sealer, now, report, throttle: true };
      const { cookie } = await startSession({ user, methods, origin }, context);
      const headers = { cookie: `__Host-postern_session=${cookie}`, origin: issuer };
      it.clock.advance(300);
      assert.equal((await make(it, headers)).statusCode, 201);
      it.clock.advance(1);
      assert.equal((await make(it, headers)).json().code, "insufficient_user_authentication");
    });

  test("SU-7: if the setting is 0, tokens of any age are accepted", async () => {
    const it = await serverWith(0);
    const headers = await aTokenOf(it, password, 100_000);
    assert.equal((await make(it, headers)).statusCode, 201);
  });
});
