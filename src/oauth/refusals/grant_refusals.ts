import { credentialPrefix, findSignature } from "../../crypto/credentials.ts";
import type { OAuthApp, OAuthAuthCode, OAuthToken } from "../../records/definition/definition.ts";
import { evidence, fact } from "../../records/names/evidence.ts";
import type { Dependency } from "../../records/rules/dependencies.ts";
import {
  allowedGrants,
  expired,
  invalidGrant,
  invalidRequest,
  invalidScope,
  invalidTarget,
  missing,
  type Requested,
  refusalsOf,
  type Texts,
  unauthorizedClient,
  verifierLengths,
} from "./catalogued.ts";
import {
  type Ended,
  type OfOtherApp,
  otherApp,
  type Revoked,
  revokedToken,
  whyEnded,
  whyNotActive,
} from "./credential_evidence.ts";

const requestedScopes = ({ requested, allowed }: Requested) => evidence("scope", "scope", requested, allowed);
const requestedResources = ({ requested, allowed }: Requested) =>
  evidence("resource", "resource", requested, allowed);

/** Refusals of scopes and resources (RFC 6749 3.3, RFC 8707 2). */
export const scopeRefusals = {
  scope_missing: invalidScope("the parameter scope is missing", missing("scope")),
  scope_missing_without_default: invalidScope(
    "the parameter scope is missing, and the client has no default scopes",
    missing("scope"),
  ),
  scope_malformed: invalidScope("scope contains invalid characters", () =>
    fact("malformed", "scope", "characters"),
  ),
  scope_not_allowed: invalidScope(
    ({ scope }: Requested & { readonly scope: string }) =>
      `the scope ${scope.slice(0, 60)} is not allowed for this client`,
    requestedScopes,
  ),
  no_scope_allowed: invalidScope("none of the requested scopes is allowed for this client", requestedScopes),
  scope_beyond_grant: invalidScope(
    "a requested scope was not granted, or the client may no longer use it",
    requestedScopes,
  ),
  scope_of_user: invalidScope(
    "openid and offline_access require a user, and this grant has none",
    ({ received }: { received: readonly string[] }) => evidence("scope_of_user", "scope", received),
  ),
  scope_not_of_resource: invalidScope(
    ({ scope }: Requested & { readonly scope: string }) =>
      `the requested resource does not define the scope ${scope.slice(0, 60)}`,
    requestedScopes,
  ),
  resource_malformed: invalidTarget(
    "resource must be an absolute URI without a fragment",
    ({ requested }: { readonly requested: readonly string[] }) => evidence("resource", "resource", requested),
  ),
  resource_not_allowed: invalidTarget(
    "the resource does not exist, or the client is not allowed to request tokens for it",
    async ({
      requested,
      nearest,
    }: {
      readonly requested: string;
      readonly nearest: () => Promise<readonly string[]>;
    }) => evidence("resource", "resource", [requested], await nearest()),
  ),
  resource_ended: invalidTarget(
    "the resource no longer exists, or the client may no longer request it",
    ({ requested }: { readonly requested: readonly string[] }) => evidence("resource", "resource", requested),
  ),
  resources_differ: invalidTarget(
    "the requested resources require different signing algorithms; request a separate token for each",
    ({ requested }: { readonly requested: readonly string[] }) => evidence("resource", "resource", requested),
  ),
  resource_beyond_grant: invalidTarget(
    "a requested resource was not part of the authorization",
    requestedResources,
  ),
};

const alreadyUsed = (name: string, used_at: Date | null) =>
  evidence("already_used", name, used_at?.toISOString());

/**
 * Of an unknown credential, the evidence shows only whether it has the format of this server's credentials.
 */
const unknown =
  (name: "code" | "refresh_token") =>
  ({ presented }: Texts<"presented">) =>
    fact(
      "unknown_credential",
      name,
      findSignature(credentialPrefix[name], presented) === undefined ? "not_shaped" : "not_issued",
    );

// Codes and tokens that are unknown, mistyped, issued to another client, or expired and already deleted have
// the same description, so the caller cannot distinguish them.
const unknownCode = "the authorization code has expired or was not issued to this client";
const unknownRefreshToken = "the refresh token has expired or was not issued to this client";

/** Refusals of codes, tokens and grants at the token endpoint (RFC 6749 4.1.3, 4.4, 5.2, 6). */
export const grantRefusals = {
  grant_type: refusalsOf("unsupported_grant_type")(
    ({ offered }: { received: string; offered: readonly string[] }) =>
      `grant_type must be one of ${offered.join(", ")}`,
    ({ received, offered }) => evidence("grant_type", "grant_type", received, offered),
  ),
  grant_not_allowed: unauthorizedClient(
    ({ grant_type }: { grant_type: string; app: Pick<OAuthApp, "allowed_grants"> }) =>
      `the client is not allowed to use the grant type ${grant_type}`,
    ({ grant_type, app }) => allowedGrants(grant_type, app),
  ),
  user_inactive: invalidGrant(
    "the user is not active",
    ({ why }: { why: Exclude<Dependency["state"], "active"> }) => fact("user_inactive", "user", why),
  ),
  membership_ended: invalidGrant("the user is no longer a member of the organization", () =>
    fact("ended", "organization", "membership_ended"),
  ),
  membership_lacking: invalidGrant(
    "the user is not a member of an organization whose members may sign in to this client",
    () => fact("ended", "organization", "membership_ended"),
  ),
  role_or_group_ended: invalidGrant(
    "only users with certain roles or in certain groups may sign in to this client, and the user is no longer one of them",
    () => fact("ended", "organization", "membership_ended"),
  ),
  app_role_ended: invalidGrant("the user's app roles no longer grant any of the requested scopes", () =>
    fact("ended", "organization", "membership_ended"),
  ),
  organization_unconsented: refusalsOf("consent_required")(
    "the user has not consented to this client and these scopes for the requested organization",
    ({ requested, allowed }: Requested) => evidence("consent", "organization", requested, allowed),
  ),
  organization_of_other_refresh: invalidRequest(
    "the refresh token was just used for another organization; use the newer refresh token",
    () => evidence("organization", "organization"),
  ),
  code_unknown: invalidGrant(unknownCode, unknown("code")),
  code_of_other_app: invalidGrant(unknownCode, (input: OfOtherApp) => otherApp("code", input)),
  code_replayed: invalidGrant(
    "the authorization code was already used",
    ({ used_at }: Pick<OAuthAuthCode, "id" | "used_at">) => alreadyUsed("code", used_at),
    { replayed_family: ({ id }) => id },
  ),
  code_expired: invalidGrant("the authorization code has expired", expired("code")),
  code_redirect_uri: invalidGrant(
    "redirect_uri does not match the authorization request",
    ({ received, expected }: { received: string; expected: string }) =>
      evidence("code_redirect_uri", "redirect_uri", received, expected),
  ),
  code_ended: invalidGrant(
    "the authorization code is expired or revoked, or its user, client, session or consent is no longer active",
    (input: Ended) => whyEnded("code", input),
  ),
  verifier_not_asked_for: invalidGrant(
    "code_verifier was sent, but the authorization request had no code_challenge",
    () => fact("pkce_verifier", "code_verifier", "not_asked_for"),
  ),
  verifier_missing: invalidGrant(
    "the parameter code_verifier is missing",
    ({ method }: { method: string | null }) => fact("pkce_verifier", "code_verifier", "absent", method),
  ),
  verifier_differs: invalidGrant(
    "code_verifier does not match code_challenge",
    (input: { why: "differs" | "characters"; verifier: string; method: string | null }) => [
      ...fact("pkce_verifier", "code_verifier", input.why, input.method),
      ...evidence("length", "code_verifier", String(input.verifier.length), verifierLengths),
    ],
  ),
  refresh_token_unknown: invalidGrant(unknownRefreshToken, unknown("refresh_token")),
  refresh_token_of_other_app: invalidGrant(unknownRefreshToken, (input: OfOtherApp) =>
    otherApp("refresh_token", input),
  ),
  refresh_token_replayed: invalidGrant(
    "the refresh token was already used",
    ({ rotated_at }: Pick<OAuthToken, "family_id" | "rotated_at">) =>
      alreadyUsed("refresh_token", rotated_at),
    { replayed_family: ({ family_id }) => family_id },
  ),
  refresh_token_revoked: invalidGrant("the refresh token was revoked", (token: Revoked) =>
    revokedToken("refresh_token", token),
  ),
  refresh_token_expired: invalidGrant("the refresh token has expired", expired("refresh_token")),
  refresh_token_ended: invalidGrant(
    "the refresh token is expired or revoked, or its user, client, session or consent is no longer active",
    (input: Ended) => whyEnded("refresh_token", input),
  ),
  /** The revocation response does not report this refusal (RFC 7009 2.2). */
  revoked_token_of_other_app: invalidGrant("the token was issued to another client", (input: OfOtherApp) =>
    otherApp("token", input),
  ),
};

const invalidToken = refusalsOf("invalid_token");

export const bearerRefusals = {
  /** The `WWW-Authenticate` challenge of this refusal names no error (RFC 6750 3.1). */
  access_token_missing: invalidToken("the request has no access token", missing("Authorization")),
  access_token_malformed: invalidToken("the access token is malformed", () =>
    fact("unknown_credential", "access_token", "not_shaped"),
  ),
  access_token_in_two_ways: invalidRequest(
    "the access token was sent both in the Authorization header and in the form",
    () => fact("authorization_header", "access_token", "two_ways"),
  ),
  userinfo_parameter_repeated: invalidRequest(
    "a parameter must not be repeated",
    ({ name }: { name: string }) => evidence("repeated", name),
  ),
  access_token_inactive: invalidToken("the access token is not active", whyNotActive),
  openid_lacking: refusalsOf("insufficient_scope")(
    "the access token lacks the scope openid",
    ({ granted_scopes }: { granted_scopes: readonly string[] }) =>
      evidence("scope_lacking", "scope", granted_scopes, ["openid"]),
  ),
  audience: invalidToken(
    "the access token is for another audience",
    ({ received, issuer }: { received: readonly string[]; issuer: string }) =>
      evidence("audience", "aud", received, [issuer]),
  ),
};
