/** The claims that scopes release about a user, at userinfo and in id_tokens (OpenID Connect Core 5.4). */
import type { User } from "../records/definition.ts";

/** By scope, from the User record. Absent values are left out. */
const claimsOf: Readonly<Record<string, (user: User) => Record<string, unknown>>> = {
  profile: ({ name, avatar_url, updated_at }) => ({
    name,
    ...(avatar_url !== null && { picture: avatar_url }),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
  email: ({ email }) => ({ email }),
};

/** Every claim that userinfo may hold. */
export const userinfoClaims = ["sub", "name", "picture", "updated_at", "email"] as const;

/** What these granted scopes release, as the record stands. */
export function userClaims(granted_scopes: readonly string[], user: User): Record<string, unknown> {
  return Object.assign(
    {},
    ...granted_scopes.map((scope) => (Object.hasOwn(claimsOf, scope) ? claimsOf[scope]?.(user) : {})),
  );
}
