import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { mcpClients } from "../../src/cli/doctor/mcp_clients.ts";
import { apiKeyHash, apiKeyText } from "../../src/crypto/api_keys.ts";
import { guessLimits } from "../../src/crypto/guess_limits.ts";
import type { AuthorizationServer } from "../../src/oauth/core/server.ts";
import { readRegistration } from "../../src/oauth/registration/read_registration.ts";
import { mostOf, registrationRates } from "../../src/oauth/registration/registration_limits.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import {
  clientAuthenticationNames,
  clientProofs,
  extraClientAuthentication,
  isImpersonal,
} from "../../src/records/names/names.ts";
import { hasSecret } from "../../src/records/rules/client_record.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { anApiKey, anOrganization, aResource, aUser } from "../support/builders.ts";

type Body = Readonly<Record<string, unknown>>;
type Mode = "off" | "token" | "open";

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwkOf = (kid: string) => ({ ...publicKey.export({ format: "jwk" }), kid });

const usual: Body = { redirect_uris: ["https://client.example/cb"], client_name: "A client" };

async function ready(
  registration: Mode = "open",
  profiles: readonly ("mcp" | "oauth21")[] = ["mcp"],
  more: (it: TestApp) => Partial<AuthorizationServer> = () => ({}),
) {
  const plain = await testApp({ settings: { registration, profiles } });
  const it = {
    ...plain,
    ...(await testApp({ server: { ...plain.server, ...more(plain) } })),
    ...{ store: plain.store, events: plain.events, clock: plain.clock },
  };
  await aResource(it.store, {
    identifier: "https://tools.example/mcp",
    scopes: { "tools:read": "Read with tools", "tools:write": null },
    who_may_ask: "any",
  });
  const register = (body: unknown, headers: Record<string, string> = {}, remoteAddress = "192.0.2.1") =>
    it.app.inject({
      method: "POST",
      url: "/oauth/register",
      headers: { "content-type": "application/json", ...headers },
      payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      remoteAddress,
    });
  const appOf = (client_id: string) => it.store.find("oauth_apps", { client_id });
  return { ...it, register, appOf };
}

const discovery = async ({ app }: Pick<TestApp, "app">) =>
  (await app.inject("/.well-known/oauth-authorization-server")).json() as Body;

describe("dynamic client registration (RFC 7591)", () => {
  test("PR-24: the endpoint exists only if the setting, the profile and an open API all permit it", async () => {
    const cases = [
      ["off", ["mcp"]],
      ["open", []],
      ["open", ["oauth21"]],
      ["token", []],
    ] as const;
    for (const [mode, profiles] of cases) {
      const it = await ready(mode, profiles);
      assert.equal((await it.register(usual)).statusCode, 404, `${mode} ${profiles}`);
      assert.equal((await discovery(it)).registration_endpoint, undefined);
    }
    const closed = await ready();
    await closed.store.update("resources", {}, { who_may_ask: "registered" });
    assert.equal((await closed.register(usual)).statusCode, 404);
    const at = (method: "GET" | "OPTIONS" | "PUT", { app }: TestApp) =>
      app.inject({ method, url: "/oauth/register" });
    for (const method of ["GET", "OPTIONS", "PUT"] as const) {
      const { statusCode, headers } = await at(method, closed);
      assert.deepEqual([statusCode, headers.allow], [404, undefined], method);
    }
    assert.equal((await discovery(closed)).registration_endpoint, undefined);
    const open = await ready();
    assert.equal((await discovery(open)).registration_endpoint, "https://id.example/oauth/register");
    assert.equal((await open.register(usual)).statusCode, 201);
    assert.equal((await at("OPTIONS", open)).statusCode, 204);
    const { statusCode, headers } = await at("GET", open);
    assert.deepEqual([statusCode, headers.allow], [405, "POST, OPTIONS"]);
  });

  test("PR-24: the page for a deleted client says how its user connects again", async () => {
    const it = await ready();
    const { client_id } = (await it.register(usual)).json() as { client_id: string };
    const ask = (app: TestApp["app"]) =>
      app.inject(`/oauth/authorize?response_type=code&client_id=${encodeURIComponent(client_id)}`);
    assert.doesNotMatch((await ask(it.app)).body, /connect again/);
    await it.store.remove("oauth_apps", { client_id });
    const swept = await ask(it.app);
    assert.equal(swept.statusCode, 400);
    assert.match(
      swept.body,
      /removed because it was not used.*remove the connection in the application and connect again/s,
    );
    const off = await testApp();
    assert.doesNotMatch((await ask(off.app)).body, /connect again/);
  });

  for (const client of mcpClients.filter(({ registration }) => registration !== undefined)) {
    test(`PR-24: ${client.name} registers with the request that was recorded from it`, async () => {
      const it = await ready();
      const answer = await it.register(client.registration, {
        ...client.headers,
        ...(client.in_browser && { origin: "http://localhost:6274" }),
      });
      assert.equal(answer.statusCode, 201, answer.body);
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.headers["access-control-allow-origin"], "*");
      const reported = answer.json() as Body;
      assert.deepEqual(reported.redirect_uris, client.registration?.redirect_uris);
      assert.equal(reported.client_name, client.registration?.client_name);
      assert.equal(reported.token_endpoint_auth_method, client.registration?.token_endpoint_auth_method);
      assert.deepEqual(reported.grant_types, ["authorization_code", "refresh_token"]);
      assert.equal("client_secret" in reported, reported.token_endpoint_auth_method !== "none");
      const app = await it.appOf(String(reported.client_id));
      assert.equal(app?.provenance, "dynamic_registration");
    });
  }

  test("PR-24: the response states what was registered, and nothing else is stored", async () => {
    const it = await ready();
    const jwks = { keys: [jwkOf("k1")] };
    const requested = {
      redirect_uris: [
        "https://client.example/cb",
        "https://client.example/cb",
        "javascript:alert(1)",
        "http://client.example/cb",
        "not a uri",
        `https://client.example/${"a".repeat(2100)}`,
        "app:/cb",
      ],
      client_name: "A client",
      client_uri: "https://client.example",
      logo_uri: "http://client.example/logo.png",
      tos_uri: "https://client.example/tos",
      policy_uri: "https://client.example\n/\u202epolicy",
      contacts: ["ada@client.example"],
      scope: "openid tools:read postern:manage token:introspect unknown",
      grant_types: ["authorization_code", "client_credentials", "password", "implicit"],
      response_types: ["code", "token"],
      token_endpoint_auth_method: "client_secret_jwt",
      software_id: "4NRB1-0XZABZI9E6-5SM3R",
      software_version: "2.1",
      software_statement: "a.b.c",
      jwks,
      first_party: true,
      whatever: { deep: [1] },
    };
    const answer = await it.register(requested, { "user-agent": "test" });
    assert.equal(answer.statusCode, 201, answer.body);
    const { client_id, client_secret, ...reported } = answer.json() as Record<string, unknown>;
    assert.deepEqual(reported, {
      client_id_issued_at: Math.floor(it.server.now().getTime() / 1000),
      client_secret_expires_at: 0,
      client_name: "A client",
      redirect_uris: ["https://client.example/cb", "app:/cb"],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      application_type: "native",
      scope: "openid tools:read",
      client_uri: "https://client.example",
      tos_uri: "https://client.example/tos",
      software_id: "4NRB1-0XZABZI9E6-5SM3R",
      software_version: "2.1",
      contacts: ["ada@client.example"],
    });
    const app = (await it.appOf(String(client_id))) as OAuthApp;
    assert.equal(app.client_ip, "192.0.2.1");
    assert.equal(app.first_party, false);
    const owner = await it.store.find("users", { id: app.owner_id });
    assert.ok(isImpersonal(owner?.email ?? ""));
    const [secret] = await it.store.list("oauth_app_secrets", { app_id: app.id });
    assert.equal(await it.server.passwords.verify(secret?.secret_hash ?? "", String(client_secret)), true);
    const [event] = it.events.filter(({ type }) => type === "client_registered");
    assert.equal(event?.target?.id, app.id);
    assert.ok(!JSON.stringify([it.events, it.logged]).includes(String(client_secret)));
  });

  test("PR-24: an empty registration gets the defaults of RFC 7591 section 2, and all that any client may request", async () => {
    const it = await ready();
    const reported = (await it.register({ redirect_uris: ["http://127.0.0.1/cb"] })).json() as Body;
    assert.deepEqual(
      [
        reported.grant_types,
        reported.response_types,
        reported.token_endpoint_auth_method,
        reported.application_type,
      ],
      [["authorization_code"], ["code"], "client_secret_basic", "native"],
    );
    assert.equal(reported.scope, "openid profile email offline_access tools:read tools:write");
    assert.equal(reported.client_name, "127.0.0.1");
  });

  test("PR-24: a client that authenticates with a secret gets one, and one that uses a key has to send the key", async () => {
    const it = await ready("open", ["mcp"], ({ server }) => ({
      settings: { ...server.settings, extra_client_auth: extraClientAuthentication },
    }));
    for (const method of clientAuthenticationNames) {
      const named = { ...usual, token_endpoint_auth_method: method };
      const proof = clientProofs[method];
      assert.equal((await it.register(named)).statusCode, proof === "key" ? 400 : 201, method);
      const answer = await it.register({ ...named, jwks: { keys: [jwkOf("k")] } });
      assert.equal(answer.statusCode, 201, answer.body);
      const reported = answer.json() as Body;
      const app = (await it.appOf(String(reported.client_id))) ?? assert.fail(method);
      assert.deepEqual(
        [app.public, app.jwks !== null, "client_secret" in reported, hasSecret(app)],
        [proof === "none", proof === "key", proof === "secret", proof === "secret"],
        method,
      );
    }
  });

  test("PR-24: the signing algorithm for assertions is registered, or refused with the supported ones", () => {
    const read = (named: unknown, method = "private_key_jwt") =>
      readRegistration(
        {
          ...usual,
          token_endpoint_auth_method: method,
          jwks: { keys: [jwkOf("k")] },
          token_endpoint_auth_signing_alg: named,
        },
        { methods: ["private_key_jwt", "client_secret_basic"], scopes: [] },
      ).token_endpoint_auth_signing_alg;
    assert.deepEqual([read("ES256"), read(null), read("none", "client_secret_basic")], ["ES256", null, null]);
    for (const named of ["none", "HS256", "es256", "", 7])
      assert.throws(() => read(named), { code: "invalid_client_metadata" }, String(named));
  });

  const refused: readonly (readonly [string, unknown, number, string])[] = [
    ["no redirect URIs", {}, 400, "invalid_redirect_uri"],
    ["redirect URIs that are no list", { redirect_uris: "https://a.example/" }, 400, "invalid_redirect_uri"],
    ["redirect URIs that are no texts", { redirect_uris: [1] }, 400, "invalid_redirect_uri"],
    [
      "no usable redirect URI",
      { redirect_uris: ["data:x", "http://a.example/"] },
      400,
      "invalid_redirect_uri",
    ],
    [
      "too many redirect URIs",
      { redirect_uris: Array.from({ length: mostOf.redirect_uris + 1 }, (_, n) => `https://a.example/${n}`) },
      400,
      "invalid_redirect_uri",
    ],
    [
      "only machine grants",
      { ...usual, grant_types: ["client_credentials"] },
      400,
      "invalid_client_metadata",
    ],
    ["no code", { ...usual, response_types: ["token"] }, 400, "invalid_client_metadata"],
    [
      "another method",
      { ...usual, token_endpoint_auth_method: "tls_client_auth" },
      400,
      "invalid_client_metadata",
    ],
    [
      "a method that is off",
      { ...usual, token_endpoint_auth_method: "private_key_jwt" },
      400,
      "invalid_client_metadata",
    ],
    [
      "a private key",
      { ...usual, jwks: { keys: [{ ...jwkOf("k"), d: "AQAB" }] } },
      400,
      "invalid_client_metadata",
    ],
    ["a name that is no text", { ...usual, client_name: 7 }, 400, "invalid_client_metadata"],
    ["a scope of 5000 characters", { ...usual, scope: "a".repeat(5000) }, 400, "invalid_client_metadata"],
    ["200 scopes", { ...usual, scope: "a ".repeat(200) }, 400, "invalid_client_metadata"],
    ["a scope with quotes", { ...usual, scope: 'a"b' }, 400, "invalid_client_metadata"],
    [
      "too many contacts",
      { ...usual, contacts: Array(11).fill("a@b.example") },
      400,
      "invalid_client_metadata",
    ],
    ["no JSON", "{", 400, "invalid_client_metadata"],
    ["a list", "[]", 400, "invalid_client_metadata"],
    ["null", "null", 400, "invalid_client_metadata"],
    ["no body", "", 400, "invalid_client_metadata"],
    ["broken UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, "invalid_client_metadata"],
    ["NUL", { ...usual, client_name: "a\0b" }, 400, "invalid_client_metadata"],
    [
      "a lone surrogate",
      '{"redirect_uris":["https://a.example/"],"client_name":"\\ud800"}',
      400,
      "invalid_client_metadata",
    ],
    ["very deep JSON", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, 400, "invalid_client_metadata"],
    [
      "a member that stands twice",
      '{"redirect_uris":["https://a.example/"],"redirect_uris":["https://b.example/"]}',
      400,
      "invalid_client_metadata",
    ],
    ["a body over the limit", { ...usual, padding: "x".repeat(mostOf.body) }, 413, "invalid_request"],
  ];
  test("PR-24: unsupported metadata is refused with the error codes of RFC 7591, and nothing is written", async () => {
    const it = await ready();
    for (const [why, body, status, error] of refused) {
      const answer = await it.register(body, {}, `192.0.2.${refused.findIndex(([each]) => each === why)}`);
      assert.deepEqual([answer.statusCode, answer.json().error], [status, error], why);
      assert.ok(typeof answer.json().error_description === "string");
      assert.equal(answer.headers["cache-control"], "no-store", why);
    }
    const form = await it.register("a=b", { "content-type": "application/x-www-form-urlencoded" });
    assert.equal(form.statusCode, 415);
    assert.deepEqual(await it.store.list("oauth_apps"), []);
  });

  test("PR-24: a malformed Bearer token gets 401 with a challenge, never a server error (CVE-2026-9803)", async () => {
    for (const mode of ["token", "open"] as const) {
      const it = await ready(mode);
      const headers = [
        "Bearer",
        "Bearer ",
        "Bearer a b",
        "bearer \u00e9",
        "Basic Zm9v",
        "x",
        "Bearer ...",
        "DPoP x",
      ];
      for (const authorization of [...headers, `Bearer ${"a".repeat(4000)}`]) {
        const answer = await it.register(usual, { authorization });
        assert.equal(answer.statusCode, 401, authorization);
        assert.match(String(answer.headers["www-authenticate"]), /^Bearer /, authorization);
      }
    }
    const it = await ready("token");
    assert.equal((await it.register(usual)).statusCode, 401);
  });

  test("PR-24: an initial access token is a credential of a machine or administrator with postern:register", async () => {
    const it = await ready("token");
    const { store } = it;
    const admin = await aUser(store, { is_platform_admin: true });
    const person = await aUser(store);
    const organization = await anOrganization(store);
    const keyOf = async (input: Parameters<typeof anApiKey>[1]) => {
      const text = apiKeyText(it.server.now());
      await anApiKey(store, { ...input, key_hash: apiKeyHash(text) });
      return text;
    };
    const asks = async (key: string) =>
      (await it.register(usual, { authorization: `Bearer ${key}` })).statusCode;
    assert.equal(await asks(await keyOf({ user_id: admin.id, scopes: ["postern:register"] })), 201);
    assert.equal(
      await asks(await keyOf({ organization_id: organization.id, scopes: ["postern:register"] })),
      201,
    );
    assert.equal(await asks(await keyOf({ user_id: person.id, scopes: ["postern:register"] })), 403);
    assert.equal(await asks(await keyOf({ user_id: admin.id, scopes: ["postern:manage"] })), 403);
    assert.equal(
      await asks(await keyOf({ user_id: admin.id, scopes: ["postern:register"], revoked: true })),
      401,
    );
  });

  test("PR-26: registrations from one network are limited, and a 429 says when to retry", async () => {
    const it = await ready("open", ["mcp"], ({ server }) => ({ guesses: guessLimits({ now: server.now }) }));
    for (let n = 0; n < registrationRates.source.size; n++) {
      assert.equal((await it.register(usual)).statusCode, 201);
    }
    const answer = await it.register(usual);
    assert.equal(answer.statusCode, 429);
    assert.equal(answer.headers["retry-after"], "60");
    assert.equal((await it.register(usual, {}, "198.51.100.7")).statusCode, 201);
    it.clock.advance(registrationRates.source.every / 1000);
    assert.equal((await it.register(usual)).statusCode, 201);
  });

  test("PR-15: a deleted client gets 401 invalid_client at the token endpoint, and an error page at authorize", async () => {
    const it = await ready();
    const { client_id } = (await it.register({ ...usual, token_endpoint_auth_method: "none" })).json();
    await it.store.remove("oauth_apps", { client_id });
    const token = await it.app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `grant_type=refresh_token&refresh_token=prt_x&client_id=${client_id}`,
    });
    assert.deepEqual([token.statusCode, token.json().error], [401, "invalid_client"]);
    const page = await it.app.inject({
      url: `/oauth/authorize?response_type=code&client_id=${client_id}&redirect_uri=${encodeURIComponent("https://client.example/cb")}`,
      headers: { accept: "text/html" },
    });
    assert.equal(page.headers.location, undefined);
    assert.ok(page.statusCode >= 400 && page.statusCode < 500);
    assert.match(String(page.headers["content-type"]), /^text\/html/);
  });
});
