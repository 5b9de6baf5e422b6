/**
 * Rows for tests: whole and valid, distinct from each other, with what the test cares about given by the
 * test.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type {
  APIKey,
  ApiResource,
  AuditEvent,
  Invitation,
  Membership,
  OAuthAccount,
  OAuthApp,
  OAuthAppSecret,
  OAuthAuthCode,
  OAuthConsent,
  OAuthToken,
  Organization,
  Provider,
  Refusal,
  Row,
  ServiceAccount,
  ServiceAccountKeyPair,
  Session,
  SigningKeyRow,
  TableName,
  User,
} from "../../src/records/definition.ts";
import { emailKey } from "../../src/records/email.ts";
import { resourcesInMetadata } from "../../src/records/metadata.ts";
import { identifierKey } from "../../src/records/resource_identifiers.ts";
import { everywhere, scopeOwnersOf } from "../../src/records/scope_owners.ts";
import { passwordAcr, type SignInMethod } from "../../src/records/sign_in_methods.ts";
import { idMaker } from "../../src/storage/ids.ts";
import type { Store } from "../../src/storage/store.ts";

/** When rows are made, unless the test says otherwise; a test's clock starts here. */
export const start = new Date("2030-01-01T00:00:00.000Z");

/** The moment `seconds` after another one. */
export function later(seconds: number, from: Date = start): Date {
  return new Date(from.getTime() + seconds * 1000);
}

/** The proofs of a person who signed in with a password at a moment. */
export const byPassword = (at: Date = start): readonly SignInMethod[] => [
  { kind: "password", credential: null, at: at.getTime() },
];

export const randomSignature = (): Buffer => randomBytes(32);

const newId = idMaker();

const distinct = () => randomBytes(6).toString("hex");

async function inserted<T extends TableName>(store: Store, table: T, row: Row<T>): Promise<Row<T>> {
  await store.insert(table, row as never);
  return row;
}

/** Another mailbox with the key of this one: its first letter is a wide one. */
export const anotherOfItsKey = (email: string): string =>
  String.fromCharCode(email.charCodeAt(0) + 0xfee0) + email.slice(1);

export async function aUser(store: Store, given: Partial<User> = {}): Promise<User> {
  const { created_at = start, email = `${distinct()}@example.com` } = given;
  return inserted(store, "users", {
    id: store.newId(created_at),
    email,
    name: "Ada",
    avatar_url: null,
    password_hash: null,
    is_platform_admin: false,
    active: true,
    last_login_at: null,
    created_at,
    updated_at: created_at,
    email_key: emailKey(email),
    tokens_not_before: null,
    reset_links_not_before: null,
    email_verified_at: null,
    webauthn_handle: null,
    device_notices: true,
    email_locked_until: null,
    deletion_at: null,
    factors_reset_at: null,
    language: null,
    ...given,
  });
}

export async function anOrganization(store: Store, given: Partial<Organization> = {}): Promise<Organization> {
  const { created_at = start } = given;
  return inserted(store, "organizations", {
    id: store.newId(created_at),
    name: "Acme",
    slug: `acme-${distinct()}`,
    logo_url: null,
    settings: null,
    plan: "free",
    active: true,
    created_at,
    updated_at: created_at,
    tokens_not_before: null,
    ...given,
  });
}

/** User and organization are made unless given. */
export async function aMembership(store: Store, given: Partial<Membership> = {}): Promise<Membership> {
  const { created_at = start } = given;
  return inserted(store, "memberships", {
    id: store.newId(created_at),
    user_id: given.user_id ?? (await aUser(store, { created_at })).id,
    organization_id: given.organization_id ?? (await anOrganization(store, { created_at })).id,
    role: "member",
    permissions: null,
    created_at,
    updated_at: created_at,
    ...given,
  });
}

/** A linked account whose tokens open with no key; it is of the provider that has its name now. */
export async function anOAuthAccount(store: Store, given: Partial<OAuthAccount> = {}): Promise<OAuthAccount> {
  const { created_at = start, provider: slug = "example" } = given;
  const provider = await store.find("providers", { slug });
  return inserted(store, "oauth_accounts", {
    id: store.newId(created_at),
    user_id: given.user_id ?? (await aUser(store, { created_at })).id,
    provider: slug,
    provider_user_id: distinct(),
    access_token: "sealed",
    refresh_token: null,
    expires_at: null,
    created_at,
    updated_at: created_at,
    email: null,
    provider_id: provider?.id ?? null,
    last_used_at: null,
    ...given,
  });
}

/** What the operator did, unless the test says otherwise. */
export async function anEvent(store: Store, given: Partial<AuditEvent> = {}): Promise<AuditEvent> {
  const { created_at = start } = given;
  return inserted(store, "audit_events", {
    id: store.newId(created_at),
    type: "user.created",
    outcome: "success",
    actor_kind: "system",
    actor_id: null,
    organization_id: null,
    target_table: null,
    target_id: null,
    client_ip: null,
    user_agent: null,
    request_id: null,
    details: null,
    created_at,
    ...given,
  });
}

/** One that is kept for a week. */
export async function aRefusal(store: Store, given: Partial<Refusal> = {}): Promise<Refusal> {
  const { created_at = start } = given;
  return inserted(store, "refusals", {
    id: store.newId(created_at),
    short_id: distinct().slice(0, 10).toUpperCase(),
    endpoint: "/oauth/token",
    error: "invalid_grant",
    description: "the authorization code has expired",
    app_id: null,
    user_id: null,
    evidence: [{ name: "code", received: "61 seconds old", expected: "at most 60 seconds", kind: "text" }],
    request_id: null,
    client_ip: null,
    user_agent: null,
    created_at,
    expires_at: later(7 * 86_400, created_at),
    ...given,
  });
}

/** An open invitation to the role `member` for a week; organization and inviter are made unless given. */
export async function anInvitation(store: Store, given: Partial<Invitation> = {}): Promise<Invitation> {
  const { created_at = start, email = `${distinct()}@example.com` } = given;
  return inserted(store, "invitations", {
    id: store.newId(created_at),
    organization_id: given.organization_id ?? (await anOrganization(store, { created_at })).id,
    email,
    role: "member",
    invited_by: given.invited_by ?? (await aUser(store, { created_at })).id,
    token_signature: randomSignature(),
    expires_at: later(7 * 86_400, created_at),
    created_at,
    email_key: emailKey(email),
    mailed: true,
    ...given,
  });
}

/** A client that nobody registered, as it came along. */
export const anOpenClient = {
  provenance: "dynamic_registration",
  public: true,
  app_type: "native",
  first_party: false,
  organization_id: null,
  metadata: null,
  redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
  allowed_scopes: ["openid", "profile", "email"],
  allowed_grants: ["auth_code", "refresh"],
} as const satisfies Partial<OAuthApp>;

/**
 * A confidential third-party web app; its owner is made unless given. The APIs that its metadata names are
 * records, as a write would have carried them over.
 */
export async function anApp(store: Store, given: Partial<OAuthApp> = {}): Promise<OAuthApp> {
  const { created_at = start } = given;
  const { own, asked } = resourcesInMetadata(given.metadata ?? null);
  const app = await inserted(store, "oauth_apps", {
    id: store.newId(created_at),
    client_id: `app-${distinct()}`,
    name: "Orders",
    description: null,
    logo_url: null,
    app_type: "web",
    owner_id: given.owner_id ?? (await aUser(store, { created_at })).id,
    organization_id: null,
    redirect_uris: ["https://app.example/cb"],
    allowed_scopes: ["openid", "profile", "offline_access", "orders:read"],
    allowed_grants: ["auth_code", "refresh"],
    allowed_response_types: ["code"],
    access_token_ttl: 900,
    refresh_token_ttl: 604_800,
    dpop_bound_access_tokens: false,
    dpop_bound_refresh_tokens: false,
    localhost_any_port: false,
    profile: null,
    token_endpoint_auth_signing_alg: null,
    provenance: "registered",
    registration: null,
    last_used_at: null,
    client_ip: null,
    require_acr: null,
    document_hash: null,
    gone_at: null,
    refresh_token_rotation: true,
    first_party: false,
    public: false,
    active: true,
    revoked_at: null,
    metadata: null,
    created_at,
    updated_at: created_at,
    tokens_not_before: null,
    switched_off_by_platform: false,
    post_logout_redirect_uris: [],
    default_scopes: null,
    resources: asked,
    token_endpoint_auth_method: null,
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: null,
    claims_in_id_token: true,
    client_assertion_audience: "issuer",
    require_pushed_authorization_requests: false,
    ...given,
  });
  for (const identifier of new Set([...own, ...asked])) {
    const found = await store.find("resources", { identifier });
    const app_ids = [...(found?.app_ids ?? []), ...(own.includes(identifier) ? [app.id] : [])];
    const organization_id = own.includes(identifier) ? app.organization_id : null;
    if (found !== undefined) await store.update("resources", { identifier }, { app_ids });
    else await aResource(store, { identifier, organization_id, who_may_ask: "listed", app_ids, created_at });
  }
  return app;
}

/** An API that registered apps may ask for; of the server unless the test says otherwise. */
export async function aResource(store: Store, given: Partial<ApiResource> = {}): Promise<ApiResource> {
  const { created_at = start, identifier = `https://${distinct()}.api.example` } = given;
  return inserted(store, "resources", {
    id: store.newId(created_at),
    identifier,
    name: "Orders API",
    description: null,
    organization_id: null,
    scopes: {},
    default_scopes: [],
    who_may_ask: "registered",
    app_ids: [],
    access_token_signing_alg: null,
    dpop_bound_access_tokens_required: false,
    trailing_slash_alias: false,
    active: true,
    created_at,
    updated_at: created_at,
    identifier_key: identifierKey(identifier) ?? null,
    ...given,
  });
}

/** A secret whose hash nothing verifies against, unless the test gives one. */
export async function aSecret(store: Store, given: Partial<OAuthAppSecret> = {}): Promise<OAuthAppSecret> {
  const { created_at = start } = given;
  return inserted(store, "oauth_app_secrets", {
    id: store.newId(created_at),
    app_id: given.app_id ?? (await anApp(store, { created_at })).id,
    secret_hash: "$argon2id$v=19$m=19456,t=2,p=1$none$none",
    secret_prefix: "sec",
    expires_at: null,
    last_used_at: null,
    revoked: false,
    revoked_at: null,
    created_at,
    ...given,
  });
}

export async function aServiceAccount(
  store: Store,
  given: Partial<ServiceAccount> = {},
): Promise<ServiceAccount> {
  const { created_at = start, email = `${distinct()}@machines.example` } = given;
  return inserted(store, "service_accounts", {
    id: store.newId(created_at),
    name: "CI",
    description: null,
    email,
    organization_id: given.organization_id ?? (await anOrganization(store, { created_at })).id,
    created_by: given.created_by ?? (await aUser(store, { created_at })).id,
    allowed_scopes: ["orders:read"],
    active: true,
    last_used_at: null,
    created_at,
    updated_at: created_at,
    email_key: emailKey(email),
    tokens_not_before: null,
    switched_off_by_platform: false,
    ...given,
  });
}

export async function aKeyPair(
  store: Store,
  given: Partial<ServiceAccountKeyPair> = {},
): Promise<ServiceAccountKeyPair> {
  const { created_at = start } = given;
  return inserted(store, "service_account_key_pairs", {
    id: store.newId(created_at),
    service_account_id: given.service_account_id ?? (await aServiceAccount(store, { created_at })).id,
    key_id: `key-${distinct()}`,
    key_type: "rsa",
    algorithm: "RS256",
    public_key_pem: "-----BEGIN PUBLIC KEY-----\nnone\n-----END PUBLIC KEY-----\n",
    expires_at: null,
    active: true,
    last_used_at: null,
    revoked: false,
    revoked_at: null,
    created_at,
    ...given,
  });
}

/**
 * Its scopes count everywhere, as those that a platform administrator gave, unless the test says otherwise.
 */
export async function anApiKey(store: Store, given: Partial<APIKey> = {}): Promise<APIKey> {
  const { created_at = start, scopes = [] } = given;
  return inserted(store, "api_keys", {
    id: store.newId(created_at),
    name: "deployments",
    key_prefix: "pk",
    key_hash: randomSignature(),
    user_id: null,
    organization_id: null,
    scopes: [],
    expires_at: null,
    last_used_at: null,
    revoked: false,
    created_at,
    scope_owners: scopeOwnersOf(scopes, () => [everywhere]),
    ...given,
  });
}

export async function aSession(store: Store, given: Partial<Session> = {}): Promise<Session> {
  const { created_at = start } = given;
  return inserted(store, "sessions", {
    id: store.newId(created_at),
    id_signature: randomSignature(),
    user_id: given.user_id ?? (await aUser(store, { created_at })).id,
    authenticated_at: created_at,
    acr: passwordAcr,
    methods: null,
    satisfied_request: null,
    last_seen_at: created_at,
    expires_at: later(7 * 86_400, created_at),
    ended_at: null,
    client_ip: null,
    user_agent: null,
    created_at,
    ...given,
  });
}

export async function aConsent(store: Store, given: Partial<OAuthConsent> = {}): Promise<OAuthConsent> {
  const { created_at = start } = given;
  return inserted(store, "oauth_consents", {
    id: store.newId(created_at),
    user_id: given.user_id ?? (await aUser(store, { created_at })).id,
    app_id: given.app_id ?? (await anApp(store, { created_at })).id,
    scopes: ["openid"],
    granted: true,
    granted_at: created_at,
    last_used_at: null,
    revoked: false,
    revoked_at: null,
    revoked_reason: null,
    created_at,
    updated_at: created_at,
    document_hash: null,
    scopes_by_resource: null,
    ...given,
  });
}

/** A code without PKCE that lives 60 seconds. */
export async function aCode(store: Store, given: Partial<OAuthAuthCode> = {}): Promise<OAuthAuthCode> {
  const { created_at = start } = given;
  return inserted(store, "oauth_auth_codes", {
    id: store.newId(created_at),
    code_signature: randomSignature(),
    app_id: given.app_id ?? (await anApp(store, { created_at })).id,
    user_id: given.user_id ?? (await aUser(store, { created_at })).id,
    code_challenge: null,
    code_challenge_method: null,
    redirect_uri: "https://app.example/cb",
    scopes: ["openid"],
    state: null,
    nonce: null,
    request_data: null,
    expires_at: later(60, created_at),
    used: false,
    used_at: null,
    client_ip: null,
    user_agent: null,
    dpop_jkt: null,
    created_at,
    ...given,
  });
}

/** A user's token with both halves, not stored: what a grant is about to insert. */
export function tokenOf<U extends string | null>(
  given: Partial<OAuthToken> & { readonly app_id: string; readonly user_id: U },
): OAuthToken & { user_id: U } {
  const { created_at = start } = given;
  return {
    id: newId(created_at),
    service_account_id: null,
    access_token_signature: randomSignature(),
    refresh_token_signature: randomSignature(),
    family_id: randomUUID(),
    scopes: ["openid"],
    audience: ["https://postern.example"],
    session_id: null,
    request_data: null,
    access_expires_at: later(900, created_at),
    refresh_expires_at: later(604_800, created_at),
    revoked: false,
    revoked_at: null,
    revoked_reason: null,
    client_ip: null,
    user_agent: null,
    last_used_at: null,
    created_at,
    cnf: null,
    rotated_at: null,
    ...given,
  };
}

/** What a token of client credentials has not: a refresh half. */
export const accessOnly = { refresh_token_signature: null, refresh_expires_at: null } as const;

/** A stored token; app and user are made unless given, `user_id: null` makes it one of the app's own. */
export async function aToken(store: Store, given: Partial<OAuthToken> = {}): Promise<OAuthToken> {
  const { created_at = start } = given;
  const app_id = given.app_id ?? (await anApp(store, { created_at })).id;
  const user_id = given.user_id === undefined ? (await aUser(store, { created_at })).id : given.user_id;
  return inserted(store, "oauth_tokens", tokenOf({ ...given, app_id, user_id }));
}

/** A signing key row whose private half opens with no key. */
export function signingKeyOf(given: Partial<SigningKeyRow> = {}): SigningKeyRow {
  const { created_at = start } = given;
  return {
    id: randomUUID(),
    kid: distinct(),
    public_jwk: { kty: "RSA" },
    algorithm: "RS256",
    private_key_sealed: "sealed",
    activates_at: created_at,
    retires_at: null,
    expires_at: null,
    created_at,
    ...given,
  };
}

/** A provider that publishes its endpoints, whose secret opens with no key. */
export async function aProvider(store: Store, given: Partial<Provider> = {}): Promise<Provider> {
  const { created_at = start } = given;
  const slug = given.slug ?? `provider-${distinct()}`;
  return inserted(store, "providers", {
    id: store.newId(created_at),
    slug,
    label: slug,
    preset: "oidc",
    organization_id: null,
    issuer: `https://${slug}.example`,
    authorization_endpoint: null,
    token_endpoint: null,
    userinfo_endpoint: null,
    client_id: "postern",
    client_secret: "sealed",
    scopes: [],
    settings: {},
    email_trust: "never",
    email_domains: [],
    sign_up: "never",
    link: "ask",
    allowed_tenants: [],
    keep_tokens: false,
    trust_amr: false,
    active: true,
    created_at,
    updated_at: created_at,
    switched_off_by_platform: false,
    ...given,
  });
}
