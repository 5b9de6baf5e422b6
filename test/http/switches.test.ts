/** Every protocol switch in one table. If it is off, it is invisible; if it is on, discovery shows it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import { allMethods } from "../../src/oauth/clients/methods/all_methods.ts";
import type { AuthorizationServer, Settings } from "../../src/oauth/core/server.ts";
import { allGrants } from "../../src/oauth/token/grants/all_grants.ts";
import {
  clientAuthenticationNames,
  clientKeyAlgorithms,
  extraClientAuthentication,
  extraGrants,
  extraSignIn,
  features,
  grantNames,
  profiles,
  registrationModes,
  signUpPolicies,
} from "../../src/records/names/names.ts";
import type { Store } from "../../src/storage/store.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { aResource } from "../support/builders.ts";
import { recordedWire, wireOfToday } from "./wire_of_today.ts";

/** The visible effect of one switch. */
interface Line {
  readonly settings: Partial<Settings>;
  /** Paths that are 404 if the switch is off, with their methods. */
  readonly endpoints?: Readonly<Record<string, "GET" | "POST">>;
  /** Set if the feature exists only while there is an API that any client may request (PR-2). */
  readonly needs_open_resource?: true;
  /** Whether the switch removes features, so it is not combined with the others. */
  readonly narrows?: true;
  /** The members of discovery that the switch changes; no other member may change. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * The server without the feature's implementation. Discovery then omits the feature although the switch is
   * on.
   */
  readonly without: (server: AuthorizationServer) => Partial<AuthorizationServer>;
}

const withoutProfiles = ({ settings }: AuthorizationServer) => ({ settings: { ...settings, profiles: [] } });

const withoutSignIn = ({ settings }: AuthorizationServer) => ({
  settings: { ...settings, extra_sign_in: [] },
});
const withoutProvenAddresses = ({ settings }: AuthorizationServer) => ({
  settings: { ...settings, sign_up: "closed" as const, self_service: [] },
});
const provenAddresses = {
  claims_supported: [
    ...["sub", "name", "picture", "updated_at", "email", "email_verified"],
    ...["iss", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "at_hash", "sid"],
  ],
};
const registrations = {
  ...provenAddresses,
  prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
};
const acrValues = ["urn:postern:acr:password", "urn:postern:acr:federated", "urn:postern:acr:mfa", "phr"];

const fapiAlgorithms = ["PS256", "ES256", "EdDSA", "Ed25519"];
const usualMethods = ["client_secret_basic", "client_secret_post", "none"];
const usualGrants = ["authorization_code", "refresh_token", "client_credentials"];

const switches: Readonly<Record<string, Line>> = {
  [grantNames.jwt_bearer]: {
    settings: { extra_grants: [grantNames.jwt_bearer] },
    metadata: { grant_types_supported: [...usualGrants, grantNames.jwt_bearer] },
    without: ({ grants }) => ({
      grants: grants.filter(({ grant_type }) => grant_type !== grantNames.jwt_bearer),
    }),
  },
  private_key_jwt: {
    settings: { extra_client_auth: ["private_key_jwt"] },
    metadata: {
      token_endpoint_auth_methods_supported: [...usualMethods, "private_key_jwt"],
      revocation_endpoint_auth_methods_supported: [...usualMethods, "private_key_jwt"],
      introspection_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
      ],
      token_endpoint_auth_signing_alg_values_supported: clientKeyAlgorithms,
      revocation_endpoint_auth_signing_alg_values_supported: clientKeyAlgorithms,
      introspection_endpoint_auth_signing_alg_values_supported: clientKeyAlgorithms,
    },
    without: ({ clientAuthenticationMethods }) => ({
      clientAuthenticationMethods: clientAuthenticationMethods.filter(
        ({ name }) => name !== "private_key_jwt",
      ),
    }),
  },
  cli: {
    settings: { extra_features: ["cli"] },
    metadata: { postern_cli_client_id: "urn:postern:cli" },
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  dpop: {
    settings: { extra_features: ["dpop"] },
    metadata: { dpop_signing_alg_values_supported: proofAlgorithms },
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  events: {
    settings: { extra_features: ["events"] },
    metadata: {},
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  form_post: {
    settings: { extra_features: ["form_post"] },
    metadata: { response_modes_supported: ["query", "form_post"] },
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  logout_notices: {
    settings: { extra_features: ["logout_notices"] },
    metadata: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  ssf: {
    settings: { extra_features: ["ssf"] },
    endpoints: { "/.well-known/ssf-configuration": "GET", "/ssf/streams": "GET", "/ssf/verify": "POST" },
    metadata: {},
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  par: {
    settings: { extra_features: ["par"] },
    endpoints: { "/oauth/par": "POST" },
    metadata: {
      pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
      require_pushed_authorization_requests: false,
    },
    // Pushed requests have no separate implementation that could be missing, so the feature is switched off.
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  resource_metadata: {
    settings: { extra_features: ["resource_metadata"] },
    endpoints: {
      "/.well-known/oauth-protected-resource": "GET",
      "/.well-known/oauth-protected-resource/api/v1": "GET",
    },
    metadata: { protected_resources: [issuer, `${issuer}/api/v1`] },
    without: ({ settings }) => ({ settings: { ...settings, extra_features: [] } }),
  },
  passkey: {
    settings: { extra_sign_in: ["passkey"] },
    metadata: { acr_values_supported: acrValues },
    without: withoutSignIn,
  },
  totp: {
    settings: { extra_sign_in: ["totp"] },
    metadata: { acr_values_supported: acrValues },
    without: withoutSignIn,
  },
  ...Object.fromEntries(
    (["invited", "domains", "open"] as const).map((sign_up) => [
      `sign-up ${sign_up}`,
      { settings: { sign_up }, metadata: registrations, without: withoutProvenAddresses },
    ]),
  ),
  "self-service email": {
    settings: { self_service: ["email"] },
    metadata: provenAddresses,
    without: withoutProvenAddresses,
  },
  mcp: {
    settings: { profiles: ["mcp"] },
    endpoints: {
      "/.well-known/oauth-protected-resource": "GET",
      "/.well-known/oauth-protected-resource/api/v1": "GET",
    },
    needs_open_resource: true,
    metadata: { client_id_metadata_document_supported: true },
    without: withoutProfiles,
  },
  ...Object.fromEntries(
    (["token", "open"] as const).map((registration) => [
      `registration ${registration}`,
      {
        settings: { profiles: ["mcp"], registration },
        endpoints: { "/oauth/register": "POST" },
        metadata: {
          client_id_metadata_document_supported: true,
          registration_endpoint: `${issuer}/oauth/register`,
        },
        needs_open_resource: true,
        without: withoutProfiles,
      },
    ]),
  ),
  fapi2: {
    settings: { profiles: ["fapi2"] },
    narrows: true,
    endpoints: { "/oauth/par": "POST" },
    metadata: {
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      revocation_endpoint_auth_methods_supported: ["private_key_jwt"],
      introspection_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: fapiAlgorithms,
      revocation_endpoint_auth_signing_alg_values_supported: fapiAlgorithms,
      introspection_endpoint_auth_signing_alg_values_supported: fapiAlgorithms,
      dpop_signing_alg_values_supported: ["ES256", "EdDSA", "Ed25519", "PS256"],
      pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
      require_pushed_authorization_requests: true,
      // The server's only key signs with RS256, which the profile does not allow.
      id_token_signing_alg_values_supported: [],
    },
    without: withoutProfiles,
  },
  oauth21: {
    settings: { profiles: ["oauth21"] },
    narrows: true,
    // The profile has requirements that metadata cannot express.
    metadata: {},
    without: withoutProfiles,
  },
};

/** Everything beyond the specification that can be enabled, read from the settings' own lists. */
const named: readonly string[] = [
  ...extraGrants,
  ...extraClientAuthentication,
  ...features,
  ...extraSignIn,
  ...profiles,
  ...signUpPolicies.filter((policy) => policy !== "closed").map((policy) => `sign-up ${policy}`),
  "self-service email",
  ...registrationModes.filter((mode) => mode !== "off").map((mode) => `registration ${mode}`),
];

const anOpenResource = (store: Store) => aResource(store, { who_may_ask: "any" });

const discovery = async ({ app }: Pick<TestApp, "app">, path = "openid-configuration") =>
  (await app.inject(`/.well-known/${path}`)).json() as Record<string, unknown>;

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("PR-32: settings that enable optional features", () => {
  /** Servers with every optional feature off, which no test changes. The second one has an open API. */
  let usualServer: TestApp;
  let openServer: TestApp;
  before(async () => {
    usualServer = await testApp();
    openServer = await testApp();
    await anOpenResource(openServer.store);
  });

  test("T-2, PR-32: with every optional feature off, all responses are byte for byte as recorded", async () => {
    assert.equal(await wireOfToday(), await readFile(recordedWire, "utf8"));
  });

  test("PR-32: every such setting is tested here, and every listed grant or method is standard or has a setting", () => {
    assert.deepEqual(Object.keys(switches).sort(), [...named].sort());
    const usual: readonly string[] = [...usualGrants, ...usualMethods];
    const entries = [
      ...allGrants.map(({ grant_type }) => grant_type),
      ...allMethods.map(({ name }) => name),
      ...clientAuthenticationNames,
      ...Object.values(grantNames),
    ];
    assert.deepEqual(
      entries.filter((name) => !usual.includes(name) && !named.includes(name)),
      [],
    );
  });

  for (const [name, line] of Object.entries(switches)) {
    const { settings, endpoints = {}, metadata, without, needs_open_resource = false } = line;
    test(`PR-32: ${name}: if off, nothing of it exists; if on, discovery adds exactly its entries`, async () => {
      const [off, on] = [needs_open_resource ? openServer : usualServer, await testApp({ settings })];
      if (needs_open_resource) await anOpenResource(on.store);
      for (const [url, method] of Object.entries(endpoints)) {
        assert.equal((await off.app.inject({ url, method })).statusCode, 404, url);
        assert.notEqual((await on.app.inject({ url, method })).statusCode, 404, url);
      }
      const usual = await discovery(off);
      assert.deepEqual(await discovery(on), { ...usual, ...(json(metadata) as object) });
      assert.deepEqual(await discovery(on, "oauth-authorization-server"), await discovery(on));
      const bare = await testApp({ server: { ...on.server, ...without(on.server) } });
      assert.deepEqual(await discovery(bare), usual);
    });
  }

  test("D-8: discovery has documentation, policy and terms as set, each separately", async () => {
    const usual = await discovery(usualServer);
    const url = "https://docs.example/for%20clients?x=1";
    for (const name of ["service_documentation", "op_policy_uri", "op_tos_uri"]) {
      assert.equal(name in usual, false);
      assert.deepEqual(await discovery(await testApp({ settings: { [name]: url } })), {
        ...usual,
        [name]: url,
      });
    }
  });

  test("PR-28: discovery lists this server's resources and the active APIs for any client, and no others", async () => {
    const it = await testApp({ settings: { extra_features: ["resource_metadata"] } });
    const named = async () => (await discovery(it)).protected_resources;
    const own = [issuer, `${issuer}/api/v1`];
    assert.deepEqual(await named(), own);
    const open = await anOpenResource(it.store);
    for (const who_may_ask of ["listed", "registered"] as const) await aResource(it.store, { who_may_ask });
    const inactive = await aResource(it.store, { who_may_ask: "any", active: false });
    assert.deepEqual(await named(), [...own, open.identifier]);
    await it.store.update("resources", { id: inactive.id }, { active: true });
    const both = new Set([...own, open.identifier, inactive.identifier]);
    assert.deepEqual(new Set((await named()) as string[]), both);
    const described = await it.app.inject("/.well-known/oauth-protected-resource/api/v1");
    assert.equal(described.json().resource, `${issuer}/api/v1`);
    const refused = await it.app.inject("/api/v1/users");
    assert.match(String(refused.headers["www-authenticate"]), /resource_metadata="[^"]+\/api\/v1"/);
  });

  test("PR-2: discovery mentions open clients only once an API accepts any client", async () => {
    const usual = await discovery(usualServer);
    for (const registration of registrationModes) {
      const it = await testApp({ settings: { profiles: ["mcp"], registration } });
      const ask = async () => (await it.app.inject({ method: "POST", url: "/oauth/register" })).statusCode;
      // With a token, the endpoint exists even without an open API, because the operator issued the token.
      if (registration === "token") continue;
      assert.deepEqual(await discovery(it), usual);
      assert.equal(await ask(), 404);
      await aResource(it.store, { who_may_ask: "registered" });
      assert.deepEqual(await discovery(it), usual);
      assert.equal(await ask(), 404);
      await anOpenResource(it.store);
      assert.notDeepEqual(await discovery(it), usual);
      assert.equal(await ask(), registration === "open" ? 415 : 404);
    }
  });

  test("PR-32: all settings together add exactly what each adds alone", async () => {
    const lines = Object.values(switches).filter(({ narrows }) => narrows === undefined);
    const all = await testApp({
      settings: {
        extra_grants: lines.flatMap(({ settings }) => settings.extra_grants ?? []),
        extra_client_auth: lines.flatMap(({ settings }) => settings.extra_client_auth ?? []),
        extra_features: lines.flatMap(({ settings }) => settings.extra_features ?? []),
        extra_sign_in: lines.flatMap(({ settings }) => settings.extra_sign_in ?? []),
        profiles: lines.flatMap(({ settings }) => settings.profiles ?? []),
        registration: "open",
        sign_up: "open",
        self_service: ["email"],
      },
    });
    const { identifier } = await anOpenResource(all.store);
    const expected = Object.assign(
      await discovery(usualServer),
      ...lines.map(({ metadata }) => json(metadata)),
    );
    expected.protected_resources.push(identifier);
    assert.deepEqual(await discovery(all), expected);
  });
});
