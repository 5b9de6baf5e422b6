/**
 * Detects changes that give an app more access, and protects the fields of apps that a platform administrator
 * trusts.
 */
import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import {
  formerMembers,
  membersInMetadata,
  refreshReuseWindow,
  resourcesInMetadata,
} from "../../records/formats/metadata.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { mayVouch } from "../access/giving.ts";
import { forbidden, refuseAny } from "./rules.ts";

type Changes = Partial<OAuthApp>;

/** Returns whether the new expiry `is` is set and not later than the old one, `was`. Null means no expiry. */
export function endsSooner(was: Date | null, is: Date | null): boolean {
  return is !== null && (was === null || is <= was);
}

/**
 * What a change of each field means for access. `handle`: any change affects who gets the app's tokens, what
 * they contain, who may sign in or who can act as the app. `judged`: that depends on the new value. `free`:
 * never.
 */
const meanings: { readonly [K in keyof OAuthApp]: "handle" | "judged" | "free" } = {
  redirect_uris: "handle",
  allowed_grants: "handle",
  allowed_response_types: "handle",
  app_type: "handle",
  public: "handle",
  organization_id: "handle",
  post_logout_redirect_uris: "handle",
  token_endpoint_auth_method: "handle",
  jwks: "handle",
  jwks_uri: "handle",
  resources: "handle",
  backchannel_logout_uri: "handle",
  claims: "handle",
  claims_dialect: "handle",
  email_as_username: "handle",
  organization_mode: "handle",
  who_may_sign_in: "handle",
  sign_in_roles: "handle",
  sign_in_groups: "handle",
  owner_id: "judged",
  allowed_scopes: "judged",
  access_token_ttl: "judged",
  refresh_token_ttl: "judged",
  refresh_token_rotation: "judged",
  first_party: "judged",
  active: "judged",
  metadata: "judged",
  default_scopes: "judged",
  client_assertion_audience: "judged",
  require_pushed_authorization_requests: "judged",
  require_pkce: "judged",
  dpop_bound_access_tokens: "judged",
  dpop_bound_refresh_tokens: "judged",
  localhost_any_port: "judged",
  profile: "judged",
  token_endpoint_auth_signing_alg: "judged",
  require_acr: "judged",
  backchannel_logout_internal: "judged",
  id: "free",
  client_id: "free",
  name: "free",
  description: "free",
  logo_url: "free",
  revoked_at: "free",
  created_at: "free",
  updated_at: "free",
  tokens_not_before: "free",
  switched_off_by_platform: "free",
  id_token_signed_response_alg: "free",
  claims_in_id_token: "free",
  provenance: "free",
  registration: "free",
  last_used_at: "free",
  client_ip: "free",
  backchannel_logout_session_required: "free",
  document_hash: "free",
  gone_at: "free",
  attributes: "free",
  session_expiry_in_id_token: "free",
};

const handles = (Object.keys(meanings) as (keyof OAuthApp)[]).filter((name) => meanings[name] === "handle");

/** Switching off one of these weakens the protection of the app's tokens. */
const protections = [
  "refresh_token_rotation",
  "require_pushed_authorization_requests",
  "require_pkce",
  "dpop_bound_access_tokens",
  "dpop_bound_refresh_tokens",
] as const;

/** Once one of these is set, any change of it may allow the app more. */
const bounds = ["profile", "token_endpoint_auth_signing_alg", "require_acr"] as const;

function loosened(current: OAuthApp, changes: Changes): readonly (keyof OAuthApp)[] {
  return [
    ...bounds.filter((name) => changes[name] !== undefined && current[name] !== null),
    ...protections.filter((name) => changes[name] === false),
    ...(changes.client_assertion_audience === "issuer_or_token_endpoint"
      ? (["client_assertion_audience"] as const)
      : []),
    ...(changes.localhost_any_port === true ? (["localhost_any_port"] as const) : []),
    ...(changes.default_scopes === undefined ? [] : (["default_scopes"] as const)),
  ];
}

function livesLonger(current: OAuthApp, { access_token_ttl, refresh_token_ttl }: Changes): boolean {
  return (
    (access_token_ttl ?? 0) > current.access_token_ttl || (refresh_token_ttl ?? 0) > current.refresh_token_ttl
  );
}

/**
 * Returns whether the change may give the app more access, reactivates it, or may change who controls it or
 * gets its tokens.
 */
export function isMore(current: OAuthApp, changes: Changes): boolean {
  const { allowed_scopes = [], first_party, active, owner_id, metadata } = changes;
  return (
    handles.some((name) => changes[name] !== undefined) ||
    allowed_scopes.some((scope) => !current.allowed_scopes.includes(scope)) ||
    first_party === true ||
    active === true ||
    owner_id !== undefined ||
    metadata !== undefined ||
    loosened(current, changes).length > 0 ||
    livesLonger(current, changes)
  );
}

const readings = {
  resource: ({ metadata }: OAuthApp) => resourcesInMetadata(metadata).own,
  refresh_reuse_window: refreshReuseWindow,
} as const;

function isCarried(name: string, current: OAuthApp, after: OAuthApp): boolean {
  const member = formerMembers.find((former) => former === name);
  if (member === undefined) return false;
  const [was, is] = [current, after].map(({ metadata }) => membersInMetadata(metadata)[member]);
  return !isDeepStrictEqual(was, is) && isDeepStrictEqual(is ?? [], after[member]);
}

/**
 * For a `first_party` app, throws 403 `forbidden` naming the changed fields that affect its access. A
 * platform administrator exempted the app from consent because of their values, so only an unrestricted
 * platform administrator may change them.
 */
export function requireTrust(
  actorPermissions: EffectivePermissions,
  current: OAuthApp,
  changes: Changes,
): void {
  if (!current.first_party || mayVouch(actorPermissions)) return;
  const after = { ...current, ...changes };
  const names: string[] = [...handles, "allowed_scopes", "owner_id"]
    .filter((name) => name in changes)
    .map((name) => (isCarried(name, current, after) ? `metadata/${name}` : name));
  names.push(...loosened(current, changes));
  for (const name of ["access_token_ttl", "refresh_token_ttl"] as const) {
    if (after[name] > current[name]) names.push(name);
  }
  for (const [name, reading] of Object.entries(readings)) {
    if (!isDeepStrictEqual(reading(after), reading(current))) names.push(`metadata/${name}`);
  }
  refuseAny(names.map((name) => fieldError(`/${name}`, "vouched_for")));
}

/**
 * Throws 403 `forbidden` for a `first_party` app unless the actor is an unrestricted platform administrator.
 * Call it before a secret of the app is created, prolonged or changed.
 */
export function requireTrustInSecrets(actorPermissions: EffectivePermissions, app: OAuthApp): void {
  if (!app.first_party || mayVouch(actorPermissions)) return;
  throw forbidden(detail("vouched_for_secrets"), [fieldError("/app_id", "vouched_for_secrets")]);
}
