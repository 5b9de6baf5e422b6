/** Discovery of a server under FAPI 2.0, and a client that tries each value that it lists (PR-57). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import { discoveryDocument } from "../../src/oauth/discovery_document.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { revoke } from "../../src/oauth/revoke.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import {
  clientAuthenticationNames,
  clientKeyAlgorithms,
  signingAlgorithms,
} from "../../src/records/names/names.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { addKey } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { ask, authorizeParameters, credentialsOf, endpointRequest, redirected } from "../support/flows.ts";
import { aFapiClient } from "./fapi2_fixture.ts";

type Metadata = Readonly<Record<string, unknown>>;

const machine = { grant_type: "client_credentials", scope: "orders:read" };
const works = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

describe("discovery under the FAPI 2.0 profile", () => {
  let it: TestApp;
  let metadata: Metadata;
  before(async () => {
    it = await testApp({ settings: { profiles: ["fapi2"] } });
    for (const algorithm of ["ES256", "PS256"] as const)
      await addKey(algorithm, { ...it, seal: it.server.sealer });
    metadata = (await it.app.inject("/.well-known/openid-configuration")).json() as Metadata;
  });

  const listed = (name: string) => metadata[name] as readonly string[];

  /** Asserts that exactly the listed values work. */
  async function agrees<T extends string>(
    name: string,
    all: readonly T[],
    tried: (value: T) => Promise<boolean>,
  ): Promise<void> {
    const working: T[] = [];
    for (const value of all) if (await tried(value)) working.push(value);
    assert.deepEqual(working.toSorted(), [...listed(name)].sort(), name);
    assert.ok(working.length > 0, name);
  }

  test("PR-57: exactly the client authentication methods that discovery lists work, at each endpoint", async () => {
    const fixture = await aFapiClient(it, { app: { profile: null } });
    const secretive = await anApp(it.store, { allowed_grants: ["client_credentials"] });
    const basic = await credentialsOf(it, secretive);
    const [, secret = ""] = Buffer.from(String(basic).slice(6), "base64").toString().split(":");
    const open = await anApp(it.store, { public: true });
    const by = {
      client_secret_basic: async (input) => endpointRequest(input, basic),
      client_secret_post: async (input) =>
        endpointRequest({
          ...input,
          client_id: secretive.client_id,
          client_secret: decodeURIComponent(secret),
        }),
      none: async (input) => endpointRequest({ ...input, client_id: open.client_id }),
      private_key_jwt: (input) => fixture.proven(input),
    } satisfies Record<
      (typeof clientAuthenticationNames)[number],
      (input: Record<string, string>) => Promise<ReturnType<typeof endpointRequest>>
    >;
    const tried =
      (endpoint: (request: Awaited<ReturnType<(typeof by)["none"]>>) => Promise<unknown>, input: object) =>
      async (method: keyof typeof by) =>
        works(endpoint(await by[method](input as Record<string, string>)));
    const introspecting = { token: "unheard of" };
    await agrees(
      "token_endpoint_auth_methods_supported",
      clientAuthenticationNames,
      tried((request) => token(request, it.server), machine),
    );
    await it.store.update("oauth_apps", { id: fixture.app.id }, {
      allowed_scopes: [...fixture.app.allowed_scopes, "token:introspect"],
    } satisfies Partial<OAuthApp>);
    await agrees(
      "introspection_endpoint_auth_methods_supported",
      clientAuthenticationNames,
      tried((request) => introspect(request, it.server), introspecting),
    );
    // Revocation answers the same whether a token exists or not (RFC 7009), so the test checks that the token
    // is inactive afterwards.
    const { access_token } = await fixture.redeem(machine);
    const requested = { token: access_token };
    await revoke(await by.private_key_jwt(requested), it.server);
    assert.deepEqual(await introspect(await by.private_key_jwt(requested), it.server), { active: false });
    assert.deepEqual(listed("revocation_endpoint_auth_methods_supported"), ["private_key_jwt"]);
  });

  test("PR-57: exactly the algorithms that discovery lists work, for assertions, proofs and id_tokens", async () => {
    const signs = async (algorithm: string) =>
      works((await aFapiClient(it, { algorithm, app: { profile: null } })).redeem(machine));
    await agrees("token_endpoint_auth_signing_alg_values_supported", clientKeyAlgorithms, signs);
    await agrees("dpop_signing_alg_values_supported", proofAlgorithms, async (proof_algorithm) =>
      works((await aFapiClient(it, { proof_algorithm })).redeem(machine)),
    );
    await agrees("id_token_signing_alg_values_supported", signingAlgorithms, async (algorithm) => {
      const fixture = await aFapiClient(it, {
        app: { profile: null, id_token_signed_response_alg: algorithm },
      });
      const { id_token = "" } = await fixture.exchange(await fixture.code()).catch(() => ({ id_token: "" }));
      const [header = ""] = id_token.split(".");
      return header !== "" && JSON.parse(Buffer.from(header, "base64url").toString()).alg === algorithm;
    });
    // PS256 is listed because a key for it exists, and EdDSA is not because none exists.
    assert.deepEqual(listed("id_token_signing_alg_values_supported"), ["PS256", "ES256"]);
  });

  test("O-4, PR-57: exactly the request parameters that discovery lists work, and no request works without PAR", async () => {
    const fixture = await aFapiClient(it, { app: { allowed_scopes: ["openid", "profile", "email"] } });
    const pushes = (name: string) => (value: string) => works(fixture.push({ [name]: value }));
    await agrees(
      "response_types_supported",
      ["code", "token", "id_token", "code id_token"],
      pushes("response_type"),
    );
    await agrees(
      "response_modes_supported",
      ["query", "fragment", "form_post", "jwt"],
      pushes("response_mode"),
    );
    await agrees("code_challenge_methods_supported", ["S256", "plain"], pushes("code_challenge_method"));
    await agrees(
      "prompt_values_supported",
      // Unknown values are not tried, because the server ignores them.
      listed("prompt_values_supported"),
      pushes("prompt"),
    );
    await agrees(
      "scopes_supported",
      ["openid", "profile", "email", "offline_access", "phone"],
      pushes("scope"),
    );
    assert.equal(metadata.require_pushed_authorization_requests, true);
    const plain = await ask(it, fixture.who, authorizeParameters(fixture.app));
    assert.equal(redirected(plain).get("error"), "invalid_request");
    assert.equal(metadata.authorization_response_iss_parameter_supported, true);
    assert.equal(redirected(plain).get("iss"), metadata.issuer);
    const refused = await works(fixture.push({ request: "e30.e30." }));
    assert.deepEqual([metadata.request_parameter_supported, refused], [false, false]);
  });

  test("O-4, PR-57: every listed grant issues a bound token, every listed endpoint exists, and PAR accepts only POST", async () => {
    const fixture = await aFapiClient(it);
    const tokens = await fixture.exchange(await fixture.code());
    const refreshed = await fixture.refresh(tokens.refresh_token);
    const own = await fixture.redeem(machine);
    assert.deepEqual(
      [tokens, refreshed, own].map(({ token_type }) => token_type),
      ["DPoP", "DPoP", "DPoP"],
    );
    assert.deepEqual(listed("grant_types_supported"), [
      "authorization_code",
      "refresh_token",
      "client_credentials",
    ]);
    for (const [name, address] of Object.entries(metadata).filter(([name]) => name.endsWith("_endpoint"))) {
      const url = new URL(String(address)).pathname;
      const answers = await Promise.all(
        (["GET", "POST"] as const).map(async (method) => (await it.app.inject({ method, url })).statusCode),
      );
      assert.ok(
        answers.every((status) => status !== 404 && status < 500),
        `${name}: ${answers}`,
      );
    }
    for (const method of ["GET", "PUT", "DELETE"] as const)
      assert.equal((await it.app.inject({ method, url: "/oauth/par" })).statusCode, 405, method);
    const challenge = await it.app.inject({
      url: "/oauth/userinfo",
      headers: { authorization: "Bearer unheard-of" },
    });
    assert.match(String(challenge.headers["www-authenticate"]), /algs="ES256 EdDSA Ed25519 PS256"/);
  });

  test("PR-57: the discovery document in the core equals the one sent over HTTP", async () => {
    const algorithms = (await it.server.keys()).algorithms(it.clock.now());
    assert.deepEqual(algorithms, ["RS256", "PS256", "ES256"]);
    const document = discoveryDocument(it.server, algorithms);
    for (const [name, value] of Object.entries(document)) assert.deepEqual(metadata[name], value, name);
    assert.doesNotMatch(JSON.stringify(metadata), /RS256|client_secret|"none"\]?,"private/);
  });
});
