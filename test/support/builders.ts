/**
 * Rows for tests, complete and valid and distinct from each other; a test passes the values that it is about.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { newWebhookSecret } from "../../src/crypto/standard_webhooks.ts";
import type { AuthorizationServer } from "../../src/oauth/core/server.ts";
import {
  type APIKey,
  type ApiResource,
  type AppRole,
  type AttributeDefinition,
  type AuditEvent,
  fieldsOf,
  type Group,
  type Invitation,
  type Membership,
  type NewRow,
  type OAuthAccount,
  type OAuthApp,
  type OAuthAppSecret,
  type OAuthAuthCode,
  type OAuthConsent,
  type OAuthToken,
  type Organization,
  type Provider,
  type Refusal,
  type Role,
  type Row,
  type ServiceAccount,
  type ServiceAccountKeyPair,
  type Session,
  type SigningKeyRow,
  type TableName,
  type User,
} from "../../src/records/definition/definition.ts";
import { resourcesInMetadata } from "../../src/records/formats/metadata.ts";
import { roleNameKey } from "../../src/records/formats/role_names.ts";
import { emailKey } from "../../src/records/names/email.ts";
import { identifierKey } from "../../src/records/names/resource_identifiers.ts";
import { passwordAcr, type SignInMethod } from "../../src/records/names/sign_in_methods.ts";
import { everywhere, scopeOwnersOf } from "../../src/records/rules/scope_owners.ts";
import { idMaker } from "../../src/storage/database/ids.ts";
import type { Delivery } from "../../src/storage/operation/deliveries.ts";
import type { Rows } from "../../src/storage/ports.ts";
import type { Store } from "../../src/storage/store.ts";

/** The default creation time of rows; a test's clock starts here. */
export const start = new Date("2030-01-01T00:00:00.000Z");

/** Returns the time `seconds` after another one. */
export function later(seconds: number, from: Date = start): Date {
  return new Date(from.getTime() + seconds * 1000);
}

/** Returns the sign-in methods of a user who signed in with a password at this time. */
export const byPassword = (at: Date = start): readonly SignInMethod[] => [
  { kind: "password", credential: null, at: at.getTime() },
];

export const randomSignature = (): Buffer => randomBytes(32);

/** Inserts `count` rows in a few statements, because one statement for each takes ten times as long. */
export async function insertMany<T extends TableName>(
  store: Pick<Store, "transaction">,
  table: T,
  count: number,
  row: (index: number) => NewRow<T>,
): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, at) => row(from + at));
    await store.transaction((tx) => tx.insertAll(table, rows));
  }
}

const newId = idMaker();

const distinct = () => randomBytes(6).toString("hex");

/**
 * Returns a row of the table without storing it. `overrides` take precedence over `values`, and `values` over
 * the defaults of the definition.
 */
function row<T extends TableName>(
  table: T,
  newIdAt: (at: Date) => string,
  overrides: Partial<Row<T>>,
  values: Given<T>,
): Row<T> {
  const { created_at = start } = overrides as { created_at?: Date };
  const common = { id: newIdAt(created_at), created_at, updated_at: created_at };
  const of: Record<string, unknown> = { ...common, ...values, ...overrides };
  return Object.fromEntries(
    Object.entries(fieldsOf(table)).map(([name, field]) => [
      name,
      name in of ? of[name] : (field.default ?? null),
    ]),
  ) as Row<T>;
}

/** The values of a builder: fields without a default, and fields whose default does not suit the tests. */
type Given<T extends TableName> = Omit<NewRow<T>, "id" | "created_at" | "updated_at">;

async function made<T extends TableName>(
  store: Rows,
  table: T,
  overrides: Partial<Row<T>>,
  values: Given<T>,
): Promise<Row<T>> {
  const made = row(table, store.newId, overrides, values);
  await store.insert(table, made as never);
  return made;
}

/** Returns another email address with the same `email_key`: its first letter is the full-width form. */
export const anotherOfItsKey = (email: string): string =>
  String.fromCharCode(email.charCodeAt(0) + 0xfee0) + email.slice(1);

export async function aUser(store: Rows, overrides: Partial<User> = {}): Promise<User> {
  const { email = `${distinct()}@example.com` } = overrides;
  return made(store, "users", overrides, {
    email,
    name: "Ada",
    email_key: emailKey(email),
  });
}

export async function anOrganization(
  store: Rows,
  overrides: Partial<Organization> = {},
): Promise<Organization> {
  return made(store, "organizations", overrides, {
    name: "Acme",
    slug: `acme-${distinct()}`,
  });
}

/** Creates a membership, and its user and organization unless given. */
export async function aMembership(store: Rows, overrides: Partial<Membership> = {}): Promise<Membership> {
  const { created_at = start } = overrides;
  return made(store, "memberships", overrides, {
    user_id: overrides.user_id ?? (await aUser(store, { created_at })).id,
    organization_id: overrides.organization_id ?? (await anOrganization(store, { created_at })).id,
    role: "member",
  });
}

/**
 * Creates a linked account whose tokens no key can decrypt. It belongs to the provider that has this slug
 * now, if any.
 */
export async function anOAuthAccount(
  store: Rows,
  overrides: Partial<OAuthAccount> = {},
): Promise<OAuthAccount> {
  const { created_at = start, provider: slug = "example" } = overrides;
  const provider = await store.find("providers", { slug });
  return made(store, "oauth_accounts", overrides, {
    user_id: overrides.user_id ?? (await aUser(store, { created_at })).id,
    provider: slug,
    provider_user_id: distinct(),
    access_token: "sealed",
    provider_id: provider?.id ?? null,
  });
}

/** Creates an attribute of users that the server defines. */
export async function anAttribute(
  store: Rows,
  overrides: Partial<AttributeDefinition> = {},
): Promise<AttributeDefinition> {
  const { name = `attribute_${distinct().replaceAll(/[^a-z0-9]/g, "")}`, record_type = "users" } = overrides;
  const { organization_id = null, claim = null } = overrides;
  const owner = organization_id ?? "server";
  return made(store, "attribute_definitions", overrides, {
    ...{ name, record_type },
    name_key: `${owner} ${record_type} ${name}`,
    claim_key: claim === null ? null : `${owner} ${claim}`,
  });
}

/** Creates an audit event, by default about the operator's settings. */
export async function anEvent(store: Rows, overrides: Partial<AuditEvent> = {}): Promise<AuditEvent> {
  return made(store, "audit_events", overrides, {
    type: "user.created",
    outcome: "success",
    actor_kind: "system",
  });
}

/** Creates a refusal that is kept for a week. */
export async function aRefusal(store: Rows, overrides: Partial<Refusal> = {}): Promise<Refusal> {
  const { created_at = start } = overrides;
  return made(store, "refusals", overrides, {
    short_id: distinct().slice(0, 10).toUpperCase(),
    endpoint: "/oauth/token",
    error: "invalid_grant",
    description: "the authorization code has expired",
    evidence: [{ name: "code", received: "61 seconds old", expected: "at most 60 seconds", kind: "text" }],
    expires_at: later(7 * 86_400, created_at),
  });
}

/** Creates a pending delivery of a logout notice to an app that does not exist. */
export async function aDelivery(store: Rows, given: Partial<Delivery> = {}): Promise<Delivery> {
  const { created_at = start } = given;
  return made(store, "deliveries", given, {
    kind: "logout_token",
    target_id: given.target_id ?? randomUUID(),
    subject_key: randomUUID(),
    due_at: created_at,
    expires_at: later(30 * 86_400, created_at),
  });
}

/** Creates an event of the feed without a position, by default about a random user id. */
export async function aFeedEvent(store: Rows, given: Partial<Row<"events">> = {}): Promise<Row<"events">> {
  return made(store, "events", given, {
    // These events follow those that the server wrote itself, in the order of the calls.
    arrived: 2 ** 52 + Number(process.hrtime.bigint()),
    type: "user.updated",
    subject_kind: "user",
    subject_id: given.subject_id ?? randomUUID(),
    actor_kind: "system",
    data: { changed: ["name"] },
  });
}

/** Creates a webhook endpoint, which by default belongs to the server. */
export async function anEndpoint(
  store: Rows,
  given: Partial<Row<"webhook_endpoints">> = {},
): Promise<Row<"webhook_endpoints">> {
  return made(store, "webhook_endpoints", given, {
    url: `https://${distinct()}.hooks.example/in`,
    types: [],
    secrets_sealed: "sealed elsewhere",
  });
}

/** Gives a webhook endpoint secrets that the server can decrypt. Returns the one that signs. */
export async function sealSecrets(
  { store, server }: { readonly store: Rows; readonly server: Pick<AuthorizationServer, "sealer"> },
  id: string,
): Promise<string> {
  const current = newWebhookSecret();
  const secrets_sealed = server.sealer.seal("webhook_secret", JSON.stringify({ current }), id);
  await store.update("webhook_endpoints", { id }, { secrets_sealed });
  return current;
}

/**
 * Creates an open invitation to the role `member` for a week, and its organization and inviter unless given.
 */
export async function anInvitation(store: Rows, overrides: Partial<Invitation> = {}): Promise<Invitation> {
  const { created_at = start, email = `${distinct()}@example.com` } = overrides;
  return made(store, "invitations", overrides, {
    organization_id: overrides.organization_id ?? (await anOrganization(store, { created_at })).id,
    email,
    role: "member",
    invited_by: overrides.invited_by ?? (await aUser(store, { created_at })).id,
    token_signature: randomSignature(),
    expires_at: later(7 * 86_400, created_at),
    email_key: emailKey(email),
    mailed: true,
  });
}

/** A self-registered client, as it is stored at first. */
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
 * Creates a confidential third-party web app, and its owner unless given. APIs that its metadata names become
 * API records, as in the migration that introduced them.
 */
export async function anApp(store: Rows, overrides: Partial<OAuthApp> = {}): Promise<OAuthApp> {
  const { created_at = start } = overrides;
  const { own, requested } = resourcesInMetadata(overrides.metadata ?? null);
  const app = await made(store, "oauth_apps", overrides, {
    client_id: `app-${distinct()}`,
    name: "Orders",
    owner_id: overrides.owner_id ?? (await aUser(store, { created_at })).id,
    redirect_uris: ["https://app.example/cb"],
    allowed_scopes: ["openid", "profile", "offline_access", "orders:read"],
    refresh_token_ttl: 604_800,
    resources: requested,
  });
  for (const identifier of new Set([...own, ...requested])) {
    const found = await store.find("resources", { identifier });
    const app_ids = [...(found?.app_ids ?? []), ...(own.includes(identifier) ? [app.id] : [])];
    const organization_id = own.includes(identifier) ? app.organization_id : null;
    if (found !== undefined) await store.update("resources", { identifier }, { app_ids });
    else await aResource(store, { identifier, organization_id, who_may_ask: "listed", app_ids, created_at });
  }
  return app;
}

/** Creates an API that registered apps may request, by default the server's own. */
export async function aResource(store: Rows, overrides: Partial<ApiResource> = {}): Promise<ApiResource> {
  const { identifier = `https://${distinct()}.api.example` } = overrides;
  return made(store, "resources", overrides, {
    identifier,
    name: "Orders API",
    identifier_key: identifierKey(identifier) ?? null,
  });
}

/** Creates a role, which by default belongs to the server. */
export async function aRole(store: Rows, overrides: Partial<Role> = {}): Promise<Role> {
  const { organization_id = null, name = `role ${distinct()}` } = overrides;
  return made(store, "roles", overrides, { name, name_key: roleNameKey(organization_id, name) });
}

export async function aGroup(store: Rows, overrides: Partial<Group> = {}): Promise<Group> {
  return made(store, "groups", overrides, {
    organization_id: overrides.organization_id ?? (await anOrganization(store)).id,
    display_name: `Group ${distinct()}`,
  });
}

/** Adds the member of this membership to a group of its organization. */
export async function aGroupMember(
  store: Rows,
  { id: membership_id, user_id, organization_id }: Membership,
  { id: group_id }: Pick<Group, "id"> | { id?: undefined } = {},
): Promise<Row<"group_members">> {
  const values = {
    group_id: group_id ?? (await aGroup(store, { organization_id })).id,
    user_id,
    membership_id,
  };
  return made(store, "group_members", {}, values);
}

export async function anAppRole(store: Rows, overrides: Partial<AppRole> = {}): Promise<AppRole> {
  const { resource_id = (await aResource(store)).id, name = `role ${distinct()}` } = overrides;
  return made(store, "app_roles", overrides, { resource_id, name, name_key: roleNameKey(resource_id, name) });
}

/** Creates a secret, by default with a hash that no secret matches. */
export async function aSecret(store: Rows, overrides: Partial<OAuthAppSecret> = {}): Promise<OAuthAppSecret> {
  const { created_at = start } = overrides;
  return made(store, "oauth_app_secrets", overrides, {
    app_id: overrides.app_id ?? (await anApp(store, { created_at })).id,
    secret_hash: "$argon2id$v=19$m=19456,t=2,p=1$none$none",
    secret_prefix: "sec",
  });
}

export async function aServiceAccount(
  store: Rows,
  overrides: Partial<ServiceAccount> = {},
): Promise<ServiceAccount> {
  const { created_at = start, email = `${distinct()}@machines.example` } = overrides;
  return made(store, "service_accounts", overrides, {
    name: "CI",
    email,
    organization_id: overrides.organization_id ?? (await anOrganization(store, { created_at })).id,
    created_by: overrides.created_by ?? (await aUser(store, { created_at })).id,
    allowed_scopes: ["orders:read"],
    email_key: emailKey(email),
  });
}

export async function aKeyPair(
  store: Rows,
  overrides: Partial<ServiceAccountKeyPair> = {},
): Promise<ServiceAccountKeyPair> {
  const { created_at = start } = overrides;
  return made(store, "service_account_key_pairs", overrides, {
    service_account_id: overrides.service_account_id ?? (await aServiceAccount(store, { created_at })).id,
    key_id: `key-${distinct()}`,
    public_key_pem: "-----BEGIN PUBLIC KEY-----\nnone\n-----END PUBLIC KEY-----\n",
  });
}

/**
 * Creates an API key. By default its scopes apply in every organization, like those granted by a platform
 * administrator.
 */
export async function anApiKey(store: Rows, overrides: Partial<APIKey> = {}): Promise<APIKey> {
  const { scopes = [] } = overrides;
  return made(store, "api_keys", overrides, {
    name: "deployments",
    key_prefix: "pk",
    key_hash: randomSignature(),
    scope_owners: scopeOwnersOf(scopes, () => [everywhere]),
  });
}

export async function aSession(store: Rows, overrides: Partial<Session> = {}): Promise<Session> {
  const { created_at = start } = overrides;
  return made(store, "sessions", overrides, {
    id_signature: randomSignature(),
    user_id: overrides.user_id ?? (await aUser(store, { created_at })).id,
    authenticated_at: created_at,
    acr: passwordAcr,
    last_seen_at: created_at,
    expires_at: later(7 * 86_400, created_at),
  });
}

export async function aConsent(store: Rows, overrides: Partial<OAuthConsent> = {}): Promise<OAuthConsent> {
  const { created_at = start } = overrides;
  return made(store, "oauth_consents", overrides, {
    user_id: overrides.user_id ?? (await aUser(store, { created_at })).id,
    app_id: overrides.app_id ?? (await anApp(store, { created_at })).id,
    scopes: ["openid"],
    granted_at: created_at,
  });
}

/** Creates a code without PKCE that is valid for 60 seconds. */
export async function aCode(store: Rows, overrides: Partial<OAuthAuthCode> = {}): Promise<OAuthAuthCode> {
  const { created_at = start } = overrides;
  return made(store, "oauth_auth_codes", overrides, {
    code_signature: randomSignature(),
    app_id: overrides.app_id ?? (await anApp(store, { created_at })).id,
    user_id: overrides.user_id ?? (await aUser(store, { created_at })).id,
    code_challenge_method: null,
    redirect_uri: "https://app.example/cb",
    scopes: ["openid"],
    expires_at: later(60, created_at),
  });
}

/** Returns the row of a user's access and refresh token, as a grant inserts it. The row is not stored. */
export function tokenOf<U extends string | null>(
  overrides: Partial<OAuthToken> & { readonly app_id: string; readonly user_id: U },
): OAuthToken & { user_id: U } {
  const { created_at = start } = overrides;
  const values = {
    access_token_signature: randomSignature(),
    refresh_token_signature: randomSignature(),
    family_id: randomUUID(),
    scopes: ["openid"],
    audience: ["https://postern.example"],
    access_expires_at: later(900, created_at),
    refresh_expires_at: later(604_800, created_at),
  };
  return row("oauth_tokens", newId, overrides, { ...values, app_id: overrides.app_id }) as OAuthToken & {
    user_id: U;
  };
}

/** The values of a row without a refresh token, such as one of client credentials. */
export const accessOnly = { refresh_token_signature: null, refresh_expires_at: null } as const;

/**
 * Stores the row of a token, and creates its app and user unless given. With `user_id: null` the token
 * belongs to the app itself.
 */
export async function aToken(store: Rows, overrides: Partial<OAuthToken> = {}): Promise<OAuthToken> {
  const { created_at = start } = overrides;
  const app_id = overrides.app_id ?? (await anApp(store, { created_at })).id;
  const user_id =
    overrides.user_id === undefined ? (await aUser(store, { created_at })).id : overrides.user_id;
  const token = tokenOf({ ...overrides, app_id, user_id });
  await store.insert("oauth_tokens", token);
  return token;
}

/** Returns the row of a signing key whose private half no key can decrypt. */
export function signingKeyOf(overrides: Partial<SigningKeyRow> = {}): SigningKeyRow {
  const { created_at = start } = overrides;
  return row("signing_keys", newId, overrides, {
    kid: distinct(),
    public_jwk: { kty: "RSA" },
    private_key_sealed: "sealed",
    activates_at: created_at,
  });
}

/** Creates a provider that publishes its endpoints, with a secret that no key decrypts. */
export async function aProvider(store: Rows, overrides: Partial<Provider> = {}): Promise<Provider> {
  const slug = overrides.slug ?? `provider-${distinct()}`;
  return made(store, "providers", overrides, {
    slug,
    label: slug,
    preset: "oidc",
    issuer: `https://${slug}.example`,
    client_id: "postern",
    client_secret: "sealed",
  });
}
