import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, test } from "node:test";
import { type RiskSurroundings, risksOf, type SecretState } from "../../src/admin/reports/app_risks.ts";
import { fieldsOf, type OAuthApp } from "../../src/records/definition/definition.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { type RiskKind, riskKinds } from "../../src/records/names/risk_kinds.ts";
import { appKinds, kindDefaults, signsPeopleIn } from "../../src/records/rules/app_kinds.ts";

const now = new Date("2030-01-01T00:00:00.000Z");
const day = 86_400;
const seconds = (count: number) => new Date(now.getTime() + count * 1000);

const around: RiskSurroundings = {
  now,
  issuer: "https://id.example.com",
  owner_active: true,
  organization_active: true,
  switches: {},
  api_scopes: ["orders:read"],
  passed_over: [],
};

/** A web application without any risk. */
const defaults = Object.entries(fieldsOf("oauth_apps")).map(([name, field]) => [name, field.default ?? null]);
const clean: OAuthApp = {
  ...(Object.fromEntries(defaults) as OAuthApp),
  client_id: "web",
  name: "Web",
  app_type: "web",
  redirect_uris: ["https://app.example.com/cb"],
  allowed_scopes: ["openid", "offline_access"],
  refresh_token_ttl: 604_800,
  metadata: { refresh_reuse_window: 30 },
  require_pkce: true,
};

const cleanSecret: SecretState = {
  secret_prefix: "pcs_abc",
  created_at: seconds(-30 * day),
  expires_at: seconds(180 * day),
  last_used_at: seconds(-day),
  revoked: false,
};

const spa: Partial<OAuthApp> = { app_type: "spa", public: true };
const native: Partial<OAuthApp> = {
  app_type: "native",
  public: true,
  redirect_uris: ["https://app.example.com/native"],
};
const machine: Partial<OAuthApp> = {
  app_type: "machine",
  redirect_uris: [],
  allowed_grants: ["client_credentials"],
  allowed_scopes: ["orders:read"],
};

const publicJwk = ({ publicKey }: { publicKey: KeyObject }): JsonObject => ({
  ...(publicKey.export({ format: "jwk" }) as JsonObject),
});
const ecKeys = { keys: [publicJwk(generateKeyPairSync("ec", { namedCurve: "P-256" }))] };
const rsaKeys = {
  keys: [{ ...publicJwk(generateKeyPairSync("rsa", { modulusLength: 2048 })), kid: "old", alg: "RS256" }],
};

interface Case {
  readonly app?: Partial<OAuthApp>;
  readonly secrets?: readonly SecretState[];
  readonly around?: Partial<RiskSurroundings>;
}

/** For each kind of risk: an app that has it, the subject of the risk, and a similar app without it. */
const cases: Record<RiskKind, { risky: Case; about?: readonly string[]; near: Case }> = {
  app_revoked: { risky: { app: { revoked_at: now } }, near: { app: { active: false } } },
  app_inactive: { risky: { app: { active: false } }, near: { app: { active: false, revoked_at: now } } },
  owner_inactive: { risky: { around: { owner_active: false } }, near: {} },
  organization_inactive: { risky: { around: { organization_active: false } }, near: {} },

  http_redirect: {
    risky: { app: { redirect_uris: ["http://app.example.com/cb", "https://app.example.com/cb"] } },
    about: ["http://app.example.com/cb"],
    near: { app: { redirect_uris: ["http://127.0.0.1:9000/cb", "http://[::1]/cb", "http://localhost/cb"] } },
  },
  wildcard_redirect: {
    risky: { app: { redirect_uris: ["https://*.example.com/cb", "https://a.example.com/%2a"] } },
    about: ["https://*.example.com/cb", "https://a.example.com/%2a"],
    near: { app: { redirect_uris: ["https://star.example.com/cb"] } },
  },
  scheme_without_dot: {
    risky: { app: { ...native, redirect_uris: ["myapp:/cb"] } },
    about: ["myapp:/cb"],
    near: { app: { ...native, redirect_uris: ["com.example.app:/cb"] } },
  },
  private_scheme: {
    risky: { app: { ...native, redirect_uris: ["com.example.app:/cb"] } },
    about: ["com.example.app:/cb"],
    near: { app: { ...native, redirect_uris: ["https://app.example.com/cb"] } },
  },
  localhost_redirect: {
    risky: { app: { ...native, redirect_uris: ["http://localhost:9000/cb"] } },
    about: ["http://localhost:9000/cb"],
    near: { app: { ...native, redirect_uris: ["http://127.0.0.1/cb", "http://[::1]/cb"] } },
  },
  localhost_any_port: {
    risky: { app: { ...native, localhost_any_port: true, redirect_uris: ["http://localhost/cb"] } },
    about: ["http://localhost/cb"],
    near: { app: { ...native, localhost_any_port: true, redirect_uris: ["http://127.0.0.1/cb"] } },
  },
  development_redirect: {
    risky: { app: { redirect_uris: ["https://app.example.com/cb", "http://localhost:3000/cb"] } },
    about: ["http://localhost:3000/cb"],
    near: { app: { redirect_uris: ["http://localhost:3000/cb", "http://127.0.0.1:3000/cb"] } },
  },
  redirect_with_query: {
    risky: { app: { redirect_uris: ["https://app.example.com/cb?next=1"] } },
    about: ["https://app.example.com/cb?next=1"],
    near: { app: { redirect_uris: ["https://app.example.com/cb/next=1"] } },
  },
  shared_host_redirect: {
    risky: { app: { redirect_uris: ["https://mine.github.io/cb"] } },
    about: ["https://mine.github.io/cb"],
    near: { app: { redirect_uris: ["https://notgithub.io/cb", "https://github.io.example.com/cb"] } },
  },
  no_redirect_uris: { risky: { app: { redirect_uris: [] } }, near: { app: machine } },
  unused_redirect_uris: {
    risky: { app: { ...machine, redirect_uris: ["https://app.example.com/cb"] } },
    about: ["https://app.example.com/cb"],
    near: { app: machine },
  },
  profile_misfit: {
    risky: { app: { profile: "fapi2", token_endpoint_auth_method: "private_key_jwt", jwks: ecKeys } },
    about: ["profile"],
    near: {
      app: { profile: "fapi2", token_endpoint_auth_method: "private_key_jwt", jwks: ecKeys },
      around: { switches: { profiles: ["fapi2"] } },
    },
  },
  profile_overrules: {
    risky: {
      app: { client_assertion_audience: "issuer_or_token_endpoint", metadata: { refresh_reuse_window: 9 } },
      around: { switches: { profiles: ["fapi2"] } },
    },
    about: ["client_assertion_audience", "metadata.refresh_reuse_window"],
    near: { app: { client_assertion_audience: "issuer_or_token_endpoint" } },
  },
  unusable_keys: {
    risky: { app: { jwks: rsaKeys }, around: { switches: { profiles: ["fapi2"] } } },
    about: ["old"],
    near: { app: { jwks: rsaKeys } },
  },
  http_keys: {
    risky: { app: { jwks_uri: "http://app.example.com/jwks" } },
    about: ["http://app.example.com/jwks"],
    near: { app: { jwks_uri: "https://app.example.com/jwks" } },
  },
  keys_missing: {
    risky: { app: { token_endpoint_auth_method: "private_key_jwt" } },
    near: { app: { token_endpoint_auth_method: "private_key_jwt", jwks: ecKeys } },
  },
  keys_elsewhere: {
    risky: { app: { jwks_uri: "https://keys.example.org/jwks" } },
    about: ["https://keys.example.org/jwks"],
    near: { app: { jwks_uri: "https://keys.example.com/jwks" } },
  },
  endpoint_as_audience: {
    risky: { app: { client_assertion_audience: "issuer_or_token_endpoint" } },
    near: {
      app: { client_assertion_audience: "issuer_or_token_endpoint" },
      around: { switches: { profiles: ["oauth21"] } },
    },
  },
  pkce_not_required: {
    risky: { app: { require_pkce: false } },
    near: { app: { require_pkce: false }, around: { switches: { profiles: ["oauth21"] } } },
  },
  http_post_logout: {
    risky: { app: { post_logout_redirect_uris: ["http://app.example.com/bye"] } },
    about: ["http://app.example.com/bye"],
    near: { app: { post_logout_redirect_uris: ["https://app.example.com/bye", "http://127.0.0.1/bye"] } },
  },

  confidential_in_browser: { risky: { app: { app_type: "spa" } }, near: { app: spa } },
  confidential_native: { risky: { app: { ...native, public: false } }, near: { app: native } },
  public_web: { risky: { app: { public: true } }, near: { app: spa } },
  public_machine: { risky: { app: { ...machine, public: true } }, near: { app: machine } },
  mixed_grants: {
    risky: { app: { allowed_grants: ["auth_code", "client_credentials"] } },
    near: { app: { allowed_grants: ["auth_code", "refresh"] } },
  },
  no_grants: { risky: { app: { allowed_grants: [] } }, near: { app: { allowed_grants: ["auth_code"] } } },
  refresh_alone: {
    risky: { app: { allowed_grants: ["refresh", "client_credentials"] } },
    near: { app: { allowed_grants: ["refresh", "auth_code"] } },
  },
  public_without_rotation: {
    risky: { app: { ...spa, refresh_token_rotation: false } },
    near: { app: { ...spa, refresh_token_rotation: false, allowed_grants: ["auth_code"] } },
  },
  rotation_off: {
    risky: { app: { refresh_token_rotation: false } },
    near: { app: { refresh_token_rotation: false, allowed_grants: ["auth_code"] } },
  },
  reuse_window: {
    risky: { app: { metadata: { refresh_reuse_window: 31 } } },
    about: ["31"],
    near: { app: { metadata: { refresh_reuse_window: 30 } } },
  },
  strict_rotation: {
    risky: { app: { metadata: null } },
    about: ["30"],
    near: { app: { metadata: null }, around: { switches: { profiles: ["fapi2"] } } },
  },
  long_access_token: {
    risky: { app: { access_token_ttl: 3601 } },
    about: ["3601"],
    near: { app: { access_token_ttl: 3600 } },
  },
  long_refresh_token: {
    risky: { app: { refresh_token_ttl: 90 * day + 1 } },
    about: [String(90 * day + 1)],
    near: { app: { refresh_token_ttl: 90 * day } },
  },

  first_party_elsewhere: {
    risky: {
      app: { first_party: true, redirect_uris: ["https://app.example.com/", "https://other.example.org/"] },
    },
    about: ["https://other.example.org/"],
    near: { app: { first_party: true, redirect_uris: ["https://app.example.com/", "http://127.0.0.1/cb"] } },
  },
  first_party_unassured: {
    risky: { app: { ...native, first_party: true, redirect_uris: ["http://127.0.0.1/cb"] } },
    about: ["http://127.0.0.1/cb"],
    near: { app: { ...native, first_party: true } },
  },
  sign_in_unreachable: {
    risky: { app: { require_acr: "urn:postern:acr:mfa" } },
    about: ["urn:postern:acr:mfa"],
    near: { app: { require_acr: "urn:postern:acr:mfa" }, around: { switches: { extra_sign_in: ["totp"] } } },
  },
  no_scopes: { risky: { app: { allowed_scopes: [] } }, near: {} },
  management_scopes: {
    risky: { app: { ...machine, allowed_scopes: ["postern:apps:read", "orders:read"] } },
    about: ["postern:apps:read"],
    near: { app: { ...machine, allowed_scopes: ["apps:read"] } },
  },
  public_management: {
    risky: { app: { ...spa, allowed_scopes: ["openid", "offline_access", "postern:manage"] } },
    about: ["postern:manage"],
    near: { app: { allowed_scopes: ["openid", "offline_access", "postern:manage"] } },
  },
  unknown_scopes: {
    risky: { around: { passed_over: ["groups", "openid", "orders:read", "reed"] } },
    about: ["groups", "reed"],
    near: { around: { passed_over: ["openid", "orders:read"] } },
  },
  idle_scopes: {
    risky: { app: { allowed_scopes: ["openid", "offline_access", "groups", "reports"] } },
    about: ["groups"],
    near: {
      app: { allowed_scopes: ["openid", "email", "offline_access", "groups", "reports"] },
      around: { api_scopes: ["groups"] },
    },
  },
  introspection_scope: {
    risky: { app: { ...machine, allowed_scopes: ["token:introspect"] } },
    near: { app: { ...machine, allowed_scopes: ["introspect"] } },
  },

  resource_unreadable: {
    risky: { app: { metadata: { resources: [1], resource: { a: 1 } } } },
    about: ["metadata.resource", "metadata.resources"],
    near: {
      app: { metadata: { resources: ["https://api.example.com"], resource: "https://web.example.com" } },
    },
  },
  resource_not_absolute: {
    risky: { app: { metadata: { resources: ["orders", "https://api.example.com/#x"] } } },
    about: ["orders", "https://api.example.com/#x"],
    near: { app: { metadata: { resources: ["urn:example:orders"] } } },
  },
  http_resource: {
    risky: { app: { metadata: { resource: "http://api.example.com" } } },
    about: ["http://api.example.com"],
    near: { app: { metadata: { resource: "http://127.0.0.1:8080" } } },
  },

  no_live_secret: {
    risky: {
      secrets: [
        { ...cleanSecret, revoked: true },
        { ...cleanSecret, expires_at: now },
      ],
    },
    near: { app: spa, secrets: [] },
  },
  many_secrets: {
    risky: { secrets: [cleanSecret, cleanSecret, cleanSecret] },
    about: ["3"],
    near: { secrets: [cleanSecret, cleanSecret, { ...cleanSecret, revoked: true }] },
  },
  old_secret: {
    risky: { secrets: [{ ...cleanSecret, created_at: seconds(-366 * day) }] },
    about: ["pcs_abc…"],
    near: { secrets: [{ ...cleanSecret, created_at: seconds(-364 * day) }] },
  },
  endless_secret: {
    risky: { secrets: [{ ...cleanSecret, expires_at: null, created_at: seconds(-181 * day) }] },
    about: ["pcs_abc…"],
    near: { secrets: [{ ...cleanSecret, expires_at: null }] },
  },
  unused_secret: {
    risky: {
      secrets: [
        { ...cleanSecret, created_at: seconds(-91 * day), last_used_at: null },
        { ...cleanSecret, secret_prefix: "pcs_xyz", last_used_at: seconds(-91 * day) },
      ],
    },
    about: ["pcs_abc…", "pcs_xyz…"],
    near: { secrets: [{ ...cleanSecret, created_at: seconds(-89 * day), last_used_at: null }] },
  },
  expiring_secret: {
    risky: { secrets: [{ ...cleanSecret, expires_at: seconds(14 * day) }] },
    about: ["pcs_abc…"],
    near: { secrets: [{ ...cleanSecret, expires_at: seconds(14 * day + 1) }] },
  },
};

const found = ({ app, secrets = [cleanSecret], around: input }: Case) =>
  risksOf({ ...clean, ...app }, secrets, { ...around, ...input });

describe("the security risks reported for an app", () => {
  test("an app that follows the recommended practice has no risks", () => {
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ app: machine }), []);
    assert.deepEqual(found({ app: { ...spa, redirect_uris: ["https://app.example.com/cb"] } }), []);
    assert.deepEqual(found({ app: native }), []);
  });

  for (const kind of appKinds)
    test(`a new app of the kind ${kind} has no risks, even with a secret that never expires`, () => {
      const secret = { ...cleanSecret, created_at: now, expires_at: null, last_used_at: null };
      const redirect_uris = ["https://app.example.com/cb"];
      const made = {
        ...clean,
        refresh_token_ttl: Number(fieldsOf("oauth_apps").refresh_token_ttl?.default),
        ...(signsPeopleIn(kind) ? { redirect_uris } : { redirect_uris: [] }),
        metadata: null,
        ...kindDefaults[kind],
      };
      assert.deepEqual(risksOf(made, made.public ? [] : [secret], { ...around, api_scopes: [] }), []);
    });

  for (const [kind, { risky, about = [], near }] of Object.entries(cases))
    test(`the risk ${kind} is reported with its subject, and not for a similar app without it`, () => {
      const risk = found(risky).find((each) => each.kind === kind);
      assert.deepEqual(risk, { kind, ...riskKinds[kind as RiskKind], about });
      assert.ok(!found(near).some((each) => each.kind === kind));
    });

  test("rotation does not count as strict if the server has a refresh token reuse window, unless the app disables it", () => {
    const kinds = (app: Partial<OAuthApp>) =>
      found({ app, around: { switches: { refresh_reuse_window: 5 } } }).map(({ kind }) => kind);
    assert.deepEqual(kinds({ metadata: null }), []);
    assert.deepEqual(kinds({ metadata: { refresh_reuse_window: 0 } }), ["strict_rotation"]);
  });

  test("an OpenID Connect scope is reported as useless if the app lacks the grant or scope that it requires", () => {
    const idle = (app: Partial<OAuthApp>) =>
      found({ app }).find(({ kind }) => kind === "idle_scopes")?.about ?? [];
    const allowed_scopes = ["openid", "profile", "email", "offline_access"];
    assert.deepEqual(idle({ ...machine, allowed_scopes }), allowed_scopes);
    assert.deepEqual(idle({ allowed_scopes: ["profile", "email"] }), ["profile", "email"]);
    assert.deepEqual(idle({ allowed_scopes, allowed_grants: ["auth_code"] }), ["offline_access"]);
    assert.deepEqual(idle({ allowed_scopes, provenance: "dynamic_registration" }), []);
    assert.deepEqual(idle({ allowed_scopes }), []);
  });

  test("a scope for memberships or attributes is reported as useless only if the app's tokens lack its claims", () => {
    const idle = (app: Partial<OAuthApp>, api_scopes: readonly string[] = []) =>
      found({ app, around: { api_scopes } }).find(({ kind }) => kind === "idle_scopes")?.about ?? [];
    const ofMembership = ["organization", "roles", "groups", "permissions"];
    const allowed_scopes = ["openid", "address", "phone", ...ofMembership];
    const organization_mode = "auto";
    assert.deepEqual(idle({ allowed_scopes }), allowed_scopes.slice(1));
    assert.deepEqual(idle({ allowed_scopes, organization_mode }), ["address", "phone"]);
    const claims = { phone_number: ["userinfo"] };
    assert.deepEqual(idle({ allowed_scopes, claims }), ofMembership);
    assert.deepEqual(idle({ allowed_scopes, organization_mode, claims: { ...claims, roles: [] } }), [
      "roles",
    ]);
    assert.deepEqual(idle({ ...machine, allowed_scopes: ofMembership, organization_mode }), ofMembership);
    assert.deepEqual(idle({ ...machine, allowed_scopes: ofMembership }, ofMembership), []);
  });

  test("risks are listed with the most severe first", () => {
    const levels = found({
      app: { public: true, refresh_token_rotation: false, metadata: { refresh_reuse_window: 60 } },
    }).map(({ level }) => level);
    assert.deepEqual(levels, ["danger", "caution", "hint"]);
  });

  test("a secret that lives for minutes, such as a playground's, counts neither as surplus nor as about to expire", () => {
    const playground = { ...cleanSecret, created_at: now, expires_at: seconds(900), last_used_at: null };
    assert.deepEqual(found({ secrets: [cleanSecret, cleanSecret, playground] }), []);
  });

  test("a caller who may not read an app's secrets sees no risk about them", () => {
    assert.deepEqual(risksOf(clean, undefined, around), []);
    assert.equal(risksOf(clean, [], around)[0]?.kind, "no_live_secret");
  });

  test("an invalid redirect URI causes no error in the risk checks", () => {
    assert.deepEqual(found({ app: { redirect_uris: ["not an address"] } }), []);
  });
});
