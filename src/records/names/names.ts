/** Names that the specification and the RFCs give, one table each. */
import { isSignalScope } from "./signals.ts";

/**
 * Spec 2.6 `allowed_grants`: our records keep the specification's words; the RFCs' names are taken as input.
 * `jwt_bearer` goes beyond the specification (RFC 7523): it may always be stored, and works where the
 * operator switched it on.
 */
export const grantNames = {
  auth_code: "authorization_code",
  refresh: "refresh_token",
  client_credentials: "client_credentials",
  jwt_bearer: "urn:ietf:params:oauth:grant-type:jwt-bearer",
} as const;

/** A value of `allowed_grants`. */
export type AllowedGrant = keyof typeof grantNames;

/** Grant types beyond the specification's list: offered only where settings name them (design 6.14). */
export const extraGrants: readonly string[] = [grantNames.jwt_bearer];

/** The words of `allowed_grants` that mean something where settings switch on these grant types. */
export function offeredGrantWords(extra_grants: readonly string[] = []): AllowedGrant[] {
  const isOn = (grant_type: string) => !extraGrants.includes(grant_type) || extra_grants.includes(grant_type);
  return (Object.keys(grantNames) as AllowedGrant[]).filter((word) => isOn(grantNames[word]));
}

/** Spec 4.5 `token_endpoint_auth_methods_supported`, in its order, and what goes beyond it. */
export const clientAuthenticationNames = [
  "client_secret_basic",
  "client_secret_post",
  "none",
  "private_key_jwt",
] as const;
export type ClientAuthenticationName = (typeof clientAuthenticationNames)[number];

/** A client's authentication: none, a secret from this server, or its own key. */
export type ClientProof = "none" | "secret" | "key";

export const clientProofs = {
  client_secret_basic: "secret",
  client_secret_post: "secret",
  none: "none",
  private_key_jwt: "key",
} as const satisfies Record<ClientAuthenticationName, ClientProof>;

/** Those beyond the specification's list: offered only where settings name them. */
export const extraClientAuthentication: readonly ClientAuthenticationName[] = ["private_key_jwt"];

/** Parts of the protocol beyond the specification that are neither: offered only where settings name them. */
export const features = [
  "cli",
  "dpop",
  "events",
  "form_post",
  "logout_notices",
  "par",
  "resource_metadata",
  "ssf",
] as const;
export type Feature = (typeof features)[number];

/** Sets of rules that narrow what the server takes and gives; `profiles.ts` says what each demands. */
export const profiles = ["mcp", "fapi2", "oauth21"] as const;
export type Profile = (typeof profiles)[number];

/** Those that one app may be held to alone. */
export const appProfiles = ["fapi2", "oauth21"] as const satisfies readonly Profile[];
export type AppProfile = (typeof appProfiles)[number];

/** Which clients may register themselves (RFC 7591): none, holders of a credential, or all. */
export const registrationModes = ["off", "token", "open"] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/** When a proof needs a nonce of the server (RFC 9449 8): `clock` is where its time is wrong. */
export const noncePolicies = ["off", "clock", "always"] as const;

/**
 * The stored word for a grant, given as the specification's word or as the RFC's name; undefined if it is
 * neither.
 */
export function allowedGrant(name: string): AllowedGrant | undefined {
  return (Object.keys(grantNames) as AllowedGrant[]).find(
    (word) => word === name || grantNames[word] === name,
  );
}

/** Spec 4.5 `response_types_supported`. */
export const responseTypes = ["code"] as const;

/**
 * The audiences that an app's own assertions may name: the issuer (RFC 7523bis), or also the token endpoint,
 * as OpenID Connect Core 9 has it and older libraries send.
 */
export const assertionAudiences = ["issuer", "issuer_or_token_endpoint"] as const;

/**
 * The origin of an app: registered by a user with the permission, or brought by the client as a document
 * (draft-ietf-oauth-client-id-metadata-document) or by registering itself (RFC 7591).
 */
export const provenances = ["registered", "metadata_document", "dynamic_registration"] as const;
export type Provenance = (typeof provenances)[number];

/** Spec 2.6 `app_type`. */
export const appTypes = ["web", "spa", "native", "service", "machine"] as const;

/** Spec 2.2 `plan`. */
export const plans = ["free", "starter", "pro", "enterprise"] as const;

/** Algorithms that this server signs tokens by (RFC 7518 3.1, RFC 8037 3.1); the first is the usual one. */
export const signingAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Every algorithm with which a client may sign: with a key pair whose public half this server has. */
export const clientKeyAlgorithms = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"] as const),
  ...(["EdDSA", "Ed25519"] as const),
] as const;
export type ClientKeyAlgorithm = (typeof clientKeyAlgorithms)[number];

/**
 * Spec 2.12 `key_type` and `algorithm`, and which algorithm a key of each type may sign with (RFC 7518 3.1).
 */
export const keyTypes = ["rsa", "ec"] as const;
export const keyAlgorithms = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"] as const;

/**
 * The clients that may request tokens of an API: listed apps, registered apps of its owner, or any client.
 */
export const resourceClients = ["listed", "registered", "any"] as const;

/** Roles of a membership, the widest first; spec 2.3 leaves the names open. */
export const roles = ["owner", "admin", "developer", "member"] as const;

/** RFC 6749 3.3: the characters of one scope. */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

export function isScopeToken(text: string): boolean {
  return scopeToken.test(text);
}

/** Scopes that OpenID Connect Core 5.4 and 11 define and this server answers. */
export const openidScopes = ["openid", "profile", "email", "offline_access"] as const;

/**
 * Whether tokens of an app name their organization (OC-1): never, when the request names one, also when the
 * user has a single one or chooses, or always.
 */
export const organizationModes = ["none", "optional", "auto", "required"] as const;
export type OrganizationMode = (typeof organizationModes)[number];

/** Who may sign in to an app: every user, or members of its organization, of any where it has none (OC-8). */
export const signInAudiences = ["any", "members", "roles", "groups"] as const;
export type SignInAudience = (typeof signInAudiences)[number];

/** Scopes that release what a membership gives, in tokens of apps whose tokens are for an organization (OC-3). */
export const membershipScopes = ["organization", "roles", "groups", "permissions"] as const;
export type MembershipScope = (typeof membershipScopes)[number];

/** The lists of roles that memberships and groups have: of the organization, and at APIs (OC-6). */
export const roleLists = ["role_ids", "app_role_ids"] as const;
export type RoleList = (typeof roleLists)[number];
/** Products whose claims on organization, roles and groups an app expects in addition (OC-3). */
export const claimDialects = ["none", "auth0", "keycloak"] as const;

/** Where claims are read. */
export const claimSurfaces = ["id_token", "userinfo", "access_token", "introspection"] as const;
export type ClaimSurface = (typeof claimSurfaces)[number];

/** Sign-in methods in addition to the password: offered only if settings name them. */
export const extraSignIn = ["passkey", "totp"] as const;
export type ExtraSignIn = (typeof extraSignIn)[number];

/** Who may register an account: no one, invited people, addresses of some domains, or anyone (SS-1). */
export const signUpPolicies = ["closed", "invited", "domains", "open"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

/** Self-service features of an account: offered only if settings name them. */
export const selfServices = ["email", "export", "deletion"] as const;
export type SelfService = (typeof selfServices)[number];

/** Who gets an account through a provider. */
export const providerSignUps = ["never", "invited", "domains", "anyone"] as const;
/** The handling of a provider's email claim whose address has an account here. */
export const linkRules = ["ask", "automatic"] as const;

/**
 * The scope with which an app introspects tokens of others. The app itself uses it, and no token carries it
 * (design 6.7).
 */
export const introspectionScope = "token:introspect";

/**
 * Scopes that give power over this server: only a platform administrator may put them on an app (design 6.7).
 */
export function isReservedScope(scope: string): boolean {
  return scope.startsWith("token:") || scope.startsWith("postern:") || isSignalScope(scope);
}

/** The `client_id` of the app of this server itself, for an assertion without a client (design 6.22). */
export const builtInClientId = "urn:postern:server";

/**
 * The `client_id` of `postern login`, where `POSTERN_EXTRA_FEATURES` has `cli`
 * (docs/decisions/command-line.md).
 */
export const commandLineClientId = "urn:postern:cli";

/** Whether an app is this server's own: part of the program, and in no manifest. */
export function isBuiltInClient(client_id: string): boolean {
  return client_id === builtInClientId || client_id === commandLineClientId;
}

/** The address of a user that no person is: it cannot exist (RFC 2606). */
export function impersonalEmail(id: string): string {
  return `server-${id}@postern.invalid`;
}

/** The address of the user that owns every open client. */
export const openClientsEmail = "open-clients@postern.invalid";

/** Whether a user of this address is no person, and made by each server for itself. */
export function isImpersonal(email: string): boolean {
  return email.toLowerCase().endsWith("@postern.invalid");
}

/** Reserved public identifiers, which cannot be registered: this server's own. */
export function isReservedClientId(client_id: string): boolean {
  return client_id.toLowerCase().startsWith("urn:postern:");
}

/** Whether it may be the address of a document; then it belongs to that document's client (PR-16). */
export function isAddressClientId(client_id: string): boolean {
  return client_id.toLowerCase().startsWith("https://");
}

/** Characters of a `client_id` that is given here; that of a client with a document may have more. */
export const longestOwnClientId = 255;

/** Why a token row ended; the values of spec 2.8 and 2.10 `revoked_reason`. */
const revokedReasons = [
  "rotated",
  "replay",
  "revoked",
  "logout",
  "consent_withdrawn",
  "password_changed",
  "user_disabled",
  "organization_disabled",
  "app_disabled",
  "service_account_disabled",
  "key_revoked",
  "membership_ended",
] as const;
export type RevokedReason = (typeof revokedReasons)[number];

/**
 * Kinds of external providers (EP-1). Each is described in `src/providers/presets/`; the last two are for any
 * provider of the protocol.
 */
export const providerPresets = [
  ...([
    "google",
    "microsoft",
    "apple",
    "github",
    "gitlab",
    "discord",
    "facebook",
    "linkedin",
    "slack",
  ] as const),
  ...(["oidc", "oauth2"] as const),
] as const;
export type ProviderPreset = (typeof providerPresets)[number];

/**
 * How far a provider's email claims are trusted (EP-8): not at all, if it says that it checked, or for every
 * address of the organization's own domains.
 */
export const emailTrusts = ["never", "claim", "domains"] as const;
export type EmailTrust = (typeof emailTrusts)[number];

/**
 * Destinations of audit events other than the database. Each is named after the setting that switches it on.
 */
export const auditStreamKinds = ["audit_file", "audit_syslog"] as const;
export type AuditStreamKind = (typeof auditStreamKinds)[number];

/**
 * The requirements on a database that speaks the protocol of PostgreSQL: all features of PostgreSQL, or only
 * those of every database with serializable transactions.
 */
export const databaseProfiles = ["native", "serializable"] as const;
export type DatabaseProfileName = (typeof databaseProfiles)[number];
