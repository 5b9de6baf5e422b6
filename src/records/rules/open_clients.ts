/**
 * Open clients, which publish a client document or register themselves (RFC 7591). Whatever they claim, their
 * permissions never exceed the limits in this file.
 */
import type { OAuthApp } from "../definition/definition.ts";
import { isReservedScope } from "../names/names.ts";
import { isOpenClient } from "./client_record.ts";

/**
 * Milliseconds after which a client expires: `unusedAfter` since its registration if it was never used,
 * otherwise `idleAfter` since its last use.
 */
export const unusedAfter = 24 * 3_600_000;
export const idleAfter = 90 * 24 * 3_600_000;

type Limit<T> = (value: T) => T;

const unlimited = Symbol("unlimited");

const none = (): null => null;

function among(...allowed: readonly string[]): Limit<readonly string[]> {
  return (values) => values.filter((value) => allowed.includes(value));
}

/**
 * The values that an open client may have in each column (PR-25). It gets no grant type that works without a
 * user, no scope of this server, no organization, and no privilege that an administrator assigns.
 */
const limits: { readonly [C in keyof OAuthApp]: Limit<OAuthApp[C]> | typeof unlimited } = {
  id: unlimited,
  client_id: unlimited,
  name: unlimited,
  description: unlimited,
  logo_url: unlimited,
  app_type: (type) => (type === "service" || type === "machine" ? "native" : type),
  owner_id: unlimited,
  organization_id: none,
  redirect_uris: unlimited,
  allowed_scopes: (scopes) => scopes.filter((scope) => !isReservedScope(scope)),
  allowed_grants: among("auth_code", "refresh"),
  allowed_response_types: among("code"),
  access_token_ttl: unlimited,
  refresh_token_ttl: unlimited,
  // Without rotation, the theft of a refresh token from a browser or a device would go unnoticed.
  refresh_token_rotation: () => true,
  first_party: () => false,
  public: unlimited,
  active: unlimited,
  revoked_at: unlimited,
  // `metadata` could name resources that the app represents or may request, and a reuse window for refresh
  // tokens.
  metadata: none,
  created_at: unlimited,
  updated_at: unlimited,
  tokens_not_before: unlimited,
  switched_off_by_platform: unlimited,
  post_logout_redirect_uris: unlimited,
  // The default scopes of open clients are the `default_scopes` of the requested API.
  default_scopes: none,
  token_endpoint_auth_method: unlimited,
  jwks: unlimited,
  jwks_uri: unlimited,
  id_token_signed_response_alg: unlimited,
  claims_in_id_token: unlimited,
  session_expiry_in_id_token: unlimited,
  require_pkce: unlimited,
  client_assertion_audience: unlimited,
  require_pushed_authorization_requests: unlimited,
  // An open client may request tokens only for APIs whose `who_may_ask` is `any`.
  resources: () => [],
  dpop_bound_access_tokens: unlimited,
  dpop_bound_refresh_tokens: unlimited,
  // Open clients may use any port without this setting.
  localhost_any_port: () => false,
  backchannel_logout_uri: unlimited,
  backchannel_logout_session_required: unlimited,
  backchannel_logout_internal: () => false,
  profile: unlimited,
  require_acr: none,
  claims: none,
  attributes: none,
  email_as_username: () => false,
  claims_dialect: () => "none",
  who_may_sign_in: unlimited,
  sign_in_roles: unlimited,
  sign_in_groups: unlimited,
  organization_mode: () => "none",
  token_endpoint_auth_signing_alg: unlimited,
  provenance: unlimited,
  registration: unlimited,
  client_ip: unlimited,
  document_hash: unlimited,
  gone_at: unlimited,
  last_used_at: unlimited,
};

/** Returns an open client's app with each column within its limit; a registered app is unchanged. */
export function withinLimits(app: OAuthApp): OAuthApp {
  if (!isOpenClient(app)) return app;
  const entries = Object.entries(app).map(([name, value]) => [name, limited(name, value)]);
  return Object.fromEntries(entries) as OAuthApp;
}

/** Returns the columns of an open client whose values exceed its limits; none for a registered app. */
export function beyondLimits(app: Partial<OAuthApp>): readonly (keyof OAuthApp)[] {
  if (app.provenance === undefined || !isOpenClient({ provenance: app.provenance })) return [];
  return (Object.keys(app) as (keyof OAuthApp)[]).filter((name) => {
    const value = app[name];
    const allowed = limited(name, value);
    const areLists = Array.isArray(value) && Array.isArray(allowed);
    return areLists ? value.length !== allowed.length : value !== allowed;
  });
}

function limited(name: string, value: unknown): unknown {
  const limit = limits[name as keyof OAuthApp] as Limit<unknown> | typeof unlimited | undefined;
  return limit === undefined || limit === unlimited ? value : limit(value);
}

type Named = Pick<OAuthApp, "name" | "client_id" | "provenance">;

/**
 * Returns the host of an open client's document, with an explicit port if any. Nothing else about the client
 * is verified. Undefined for a client without a document, and for a registered app.
 */
export function verifiedHost({ client_id, provenance }: Omit<Named, "name">): string | undefined {
  return provenance === "metadata_document" ? URL.parse(client_id)?.host : undefined;
}

/**
 * Returns the name that a page may use for a client without explanation: the name of a registered app, or the
 * host of a client document. Undefined if the name is only claimed (PR-11).
 */
export function provenName(app: Named): string | undefined {
  return isOpenClient(app) ? verifiedHost(app) : app.name;
}
