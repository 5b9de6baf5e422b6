/**
 * The values of `allowed_grants` (spec 2.6). Records store the specification's names; the RFCs' names are
 * accepted as input.
 */
export const grantNames = {
  auth_code: "authorization_code",
  refresh: "refresh_token",
  client_credentials: "client_credentials",
  jwt_bearer: "urn:ietf:params:oauth:grant-type:jwt-bearer",
} as const;

export type AllowedGrant = keyof typeof grantNames;

/** Grant types beyond the specification's list: offered only if settings name them (design 6.14). */
export const extraGrants: readonly string[] = [grantNames.jwt_bearer];

/**
 * Returns the values of `allowed_grants` that this server offers. `extra_grants` are those of `extraGrants`
 * that the settings name.
 */
export function offeredGrantWords(extra_grants: readonly string[] = []): AllowedGrant[] {
  const isOn = (grant_type: string) => !extraGrants.includes(grant_type) || extra_grants.includes(grant_type);
  return (Object.keys(grantNames) as AllowedGrant[]).filter((word) => isOn(grantNames[word]));
}

/**
 * The methods of spec 4.5 (`token_endpoint_auth_methods_supported`), in its order, then the methods beyond
 * the specification.
 */
export const clientAuthenticationNames = [
  "client_secret_basic",
  "client_secret_post",
  "none",
  "private_key_jwt",
] as const;
export type ClientAuthenticationName = (typeof clientAuthenticationNames)[number];

type ClientProof = "none" | "secret" | "key";

export const clientProofs = {
  client_secret_basic: "secret",
  client_secret_post: "secret",
  none: "none",
  private_key_jwt: "key",
} as const satisfies Record<ClientAuthenticationName, ClientProof>;

/**
 * Client authentication methods beyond the specification's list: offered only if the settings name them or a
 * profile of the server requires them.
 */
export const extraClientAuthentication: readonly ClientAuthenticationName[] = ["private_key_jwt"];

/**
 * Optional parts of the protocol beyond the specification: offered only if the settings name them or a
 * profile of the server requires them.
 */
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

/** Profiles are named sets of requirements on the server and its apps (`profiles.ts`). */
export const profiles = ["mcp", "fapi2", "oauth21"] as const;
export type Profile = (typeof profiles)[number];

export const appProfiles = ["fapi2", "oauth21"] as const satisfies readonly Profile[];
export type AppProfile = (typeof appProfiles)[number];

/** The clients that may register themselves (RFC 7591): none, holders of a credential, or all. */
export const registrationModes = ["off", "token", "open"] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/**
 * When a DPoP proof needs a nonce from the server (RFC 9449 8): never, only if the time in the proof is wrong
 * (`clock`), or always.
 */
export const noncePolicies = ["off", "clock", "always"] as const;

/**
 * Returns the stored name of a grant, given the specification's name or the RFC's; undefined if it is
 * neither.
 */
export function allowedGrant(name: string): AllowedGrant | undefined {
  return (Object.keys(grantNames) as AllowedGrant[]).find(
    (word) => word === name || grantNames[word] === name,
  );
}

/** The supported response types (spec 4.5, `response_types_supported`). */
export const responseTypes = ["code"] as const;

/**
 * The audiences that an app's own assertions may name: only the issuer (RFC 10070), or also the token
 * endpoint (OpenID Connect Core 9), which older libraries send.
 */
export const assertionAudiences = ["issuer", "issuer_or_token_endpoint"] as const;

/**
 * How an app was created: by a user who may write apps, from a client document
 * (draft-ietf-oauth-client-id-metadata-document), or by registering itself (RFC 7591).
 */
export const provenances = ["registered", "metadata_document", "dynamic_registration"] as const;
export type Provenance = (typeof provenances)[number];

/** The types of apps (spec 2.6, `app_type`). */
export const appTypes = ["web", "spa", "native", "service", "machine"] as const;

/** The plans of organizations (spec 2.2, `plan`). */
export const plans = ["free", "starter", "pro", "enterprise"] as const;

/**
 * Algorithms with which this server signs tokens (RFC 7518 3.1, RFC 8037 3.1); the first is the default.
 */
export const signingAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** The algorithms with which a client may sign, all asymmetric. */
export const clientKeyAlgorithms = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"] as const),
  ...(["EdDSA", "Ed25519"] as const),
] as const;
export type ClientKeyAlgorithm = (typeof clientKeyAlgorithms)[number];

/** The values of `key_type` and `algorithm` (spec 2.12; RFC 7518 3.1). */
export const keyTypes = ["rsa", "ec"] as const;
export const keyAlgorithms = ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"] as const;

/**
 * The clients that may request tokens for an API: apps that list it in `resources`; also the registered apps
 * and service accounts of its organization; or any client. `registered` allows every registered app and
 * service account if the API has no organization.
 */
export const resourceClients = ["listed", "registered", "any"] as const;

/** Roles of a membership, the most powerful first; spec 2.3 does not fix the names. */
export const roles = ["owner", "admin", "developer", "member"] as const;

/** The characters that one scope may contain (RFC 6749 3.3). */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

export function isScopeToken(text: string): boolean {
  return scopeToken.test(text);
}

/** The scopes of OpenID Connect Core 3.1.2.1, 5.4 and 11 that this server supports. */
export const openidScopes = ["openid", "profile", "email", "offline_access"] as const;

/**
 * When an app's tokens are for one of the user's organizations (OC-1): never; if the request names one; also
 * if the user has only one or chooses one; or always.
 */
export const organizationModes = ["none", "optional", "auto", "required"] as const;
export type OrganizationMode = (typeof organizationModes)[number];

/**
 * The users who may sign in to an app (OC-8): all, all members, or members with a listed role or in a listed
 * group. Members are those of the app's organization or, if it has none, of any organization.
 */
export const signInAudiences = ["any", "members", "roles", "groups"] as const;
export type SignInAudience = (typeof signInAudiences)[number];

/**
 * Scopes that release a membership's data, in tokens of apps whose tokens are for an organization (OC-3).
 */
export const membershipScopes = ["organization", "roles", "groups", "permissions"] as const;
export type MembershipScope = (typeof membershipScopes)[number];

/**
 * The lists of roles that memberships, groups and invitations have: in the organization, and at APIs (OC-6).
 */
export const roleLists = ["role_ids", "app_role_ids"] as const;
export type RoleList = (typeof roleLists)[number];
/**
 * Products whose claims about organization, roles and groups an app's tokens may contain in addition to
 * Postern's own (OC-3).
 */
export const claimDialects = ["none", "auth0", "keycloak"] as const;

export const claimSurfaces = ["id_token", "userinfo", "access_token", "introspection"] as const;
export type ClaimSurface = (typeof claimSurfaces)[number];

/** Authenticators in addition to the password: offered only if settings name them. */
export const extraSignIn = ["passkey", "totp"] as const;
export type ExtraSignIn = (typeof extraSignIn)[number];

/**
 * The people who may register an account (SS-1): none, invited people, those with an email address in listed
 * domains, or all.
 */
export const signUpPolicies = ["closed", "invited", "domains", "open"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

/** Self-service features of an account: offered only if settings name them. */
export const selfServices = ["email", "export", "deletion"] as const;
export type SelfService = (typeof selfServices)[number];

export const providerSignUps = ["never", "invited", "domains", "anyone"] as const;
/** How an account at a provider is linked to an existing user with the same email address. */
export const linkRules = ["ask", "automatic"] as const;

/**
 * An app with this scope may introspect the tokens of other apps. Only the app itself has the scope; no token
 * contains it (design 6.7).
 */
export const introspectionScope = "token:introspect";

/**
 * Returns whether the scope releases the user's phone number to the app. Pages then describe the scope in this
 * server's words, never in those of the app or API.
 */
export function releasesPhone(app: { readonly claims?: object | null }, scope: string): boolean {
  return scope === "phone" && app.claims != null && Object.hasOwn(app.claims, "phone_number");
}

export const signalScopes = { manage: "ssf.manage", read: "ssf.read" } as const;

export const isSignalScope = (scope: string): boolean => Object.values<string>(signalScopes).includes(scope);

/**
 * Returns whether a scope gives access to this server itself. Only a platform administrator may assign such a
 * scope to an app (design 6.7).
 */
export function isReservedScope(scope: string): boolean {
  return scope.startsWith("token:") || scope.startsWith("postern:") || isSignalScope(scope);
}

/**
 * The `client_id` of the app that represents this server: the client of an assertion grant request that names
 * none (design 6.22).
 */
export const builtInClientId = "urn:postern:server";

/**
 * The `client_id` of `postern login`, if `POSTERN_EXTRA_FEATURES` contains `cli`
 * (docs/decisions/command-line.md).
 */
export const commandLineClientId = "urn:postern:cli";

/** Returns whether an app is built into this server. */
export function isBuiltInClient(client_id: string): boolean {
  return client_id === builtInClientId || client_id === commandLineClientId;
}

/** Returns an email address that cannot exist (RFC 2606), for a user record that represents no person. */
export function impersonalEmail(id: string): string {
  return `server-${id}@postern.invalid`;
}

/** The email address of the user record that owns every open client. */
export const openClientsEmail = "open-clients@postern.invalid";

/** Returns whether the user record with this email address represents no person. */
export function isImpersonal(email: string): boolean {
  return email.toLowerCase().endsWith("@postern.invalid");
}

/** Returns whether the identifier is reserved for this server, so it cannot be registered. */
export function isReservedClientId(client_id: string): boolean {
  return client_id.toLowerCase().startsWith("urn:postern:");
}

/**
 * Returns whether the identifier may be the URL of a client metadata document; it then belongs to the client
 * that publishes this document (PR-16).
 */
export function isAddressClientId(client_id: string): boolean {
  return client_id.toLowerCase().startsWith("https://");
}

/** Maximum length, in characters, of a `client_id`. Only the URL of a client document may be longer. */
export const longestOwnClientId = 255;

/** Why a token or consent was revoked: the values of `revoked_reason` (spec 2.8, 2.10). */
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
 * Kinds of external providers (EP-1). `oidc` and `oauth2` are for any provider that uses OpenID Connect or
 * OAuth 2.0.
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
 * Which of a provider's email addresses are trusted (EP-8): none, those that the provider marks as verified,
 * or those whose domain is in `email_domains`. The last two values also trust addresses whose mailboxes the
 * provider runs.
 */
export const emailTrusts = ["never", "claim", "domains"] as const;
export type EmailTrust = (typeof emailTrusts)[number];

/**
 * Destinations of audit events other than the database, each named after the setting that switches it on.
 */
export const auditStreamKinds = ["audit_file", "audit_syslog"] as const;
export type AuditStreamKind = (typeof auditStreamKinds)[number];

/**
 * The requirements on a database that uses the PostgreSQL protocol: all features of PostgreSQL, or only those
 * that every database with serializable transactions has.
 */
export const databaseProfiles = ["native", "serializable"] as const;
export type DatabaseProfileName = (typeof databaseProfiles)[number];
