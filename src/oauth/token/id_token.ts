/** ID tokens (OpenID Connect Core 2, 3.1.3.6). */
import { signJwt } from "../../crypto/jwt.ts";
import { leftHalfHash } from "../../crypto/signing_algorithms.ts";
import type { SigningKey } from "../../crypto/signing_keys.ts";
import type { OAuthApp, User } from "../../records/definition/definition.ts";
import type { Authorization } from "../core/authorization.ts";
import type { Settings } from "../core/server.ts";

/** Seconds. */
const idTokenTtl = 3600;

interface IdTokenInput {
  readonly key: SigningKey;
  readonly authorization: Authorization;
  readonly user: User;
  readonly access_token: string;
  /** Unix time in seconds. */
  readonly iat: number;
  readonly issuer: string;
  readonly session_ends_at: Date | undefined;
  readonly record_claims: Readonly<Record<string, unknown>>;
}

/**
 * Signs an id_token for the client of an authorization (OpenID Connect Core 12.2). User claims follow this
 * token's scopes and the user's current record, even at a refresh (docs/decisions/clients.md).
 */
export function signIdToken(input: IdTokenInput): Promise<string> {
  const { key, authorization, user, access_token, iat, issuer, session_ends_at, record_claims } = input;
  const { client, authentication, granted_scopes, nonce } = authorization;
  return signJwt(key, "JWT", {
    iss: issuer,
    sub: user.id,
    aud: client.app.client_id,
    exp: iat + idTokenTtl,
    iat,
    at_hash: leftHalfHash(access_token, key.algorithm),
    ...(nonce !== undefined && { nonce }),
    ...(authentication && {
      ...(authentication.auth_time !== undefined && { auth_time: authentication.auth_time }),
      acr: authentication.acr,
      amr: authentication.amr,
      sid: authentication.session_id,
    }),
    // Rounded down, so an app ends its session no later than this server (OpenID IPSIE SL1).
    ...(session_ends_at && { session_expiry: Math.floor(session_ends_at.getTime() / 1000) }),
    ...claimsInIdToken(client.app, granted_scopes, user),
    ...record_claims,
  });
}

/**
 * Returns the claims of the scopes `profile` and `email` in an ID token; none unless the app has
 * `claims_in_id_token`.
 */
export const claimsInIdToken = (
  { claims_in_id_token }: Pick<OAuthApp, "claims_in_id_token">,
  granted_scopes: readonly string[],
  user: User,
): Record<string, unknown> => (claims_in_id_token ? userClaims(granted_scopes, user) : {});

const claimsOf: Readonly<Record<string, (user: User) => Record<string, unknown>>> = {
  profile: ({ name, avatar_url, updated_at }) => ({
    name,
    ...(avatar_url !== null && { picture: avatar_url }),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
  // `email_verified` is absent rather than false while the email address is unverified (SS-5).
  email: ({ email, email_verified_at }) => ({
    email,
    ...(email_verified_at !== null && { email_verified: true }),
  }),
};

/**
 * Returns the names of the claims that userinfo may contain, apart from the claims about organizations and
 * attributes.
 */
export function userinfoClaims({
  sign_up = "closed",
  self_service = [],
}: ProvesAddresses): readonly string[] {
  const proves = sign_up !== "closed" || self_service.includes("email");
  return ["sub", "name", "picture", "updated_at", "email", ...(proves ? ["email_verified"] : [])];
}

type ProvesAddresses = Pick<Settings, "sign_up" | "self_service">;

export function userClaims(granted_scopes: readonly string[], user: User): Record<string, unknown> {
  return Object.assign(
    {},
    ...granted_scopes.map((scope) => (Object.hasOwn(claimsOf, scope) ? claimsOf[scope]?.(user) : {})),
  );
}
