/** The claims that scopes release about a user, at userinfo and in id_tokens (OpenID Connect Core 5.4). */
import type { User } from "../records/definition.ts";
import type { Settings } from "./server.ts";

/** By scope, from the User record. Absent values are left out. */
const claimsOf: Readonly<Record<string, (user: User) => Record<string, unknown>>> = {
  profile: ({ name, avatar_url, updated_at }) => ({
    name,
    ...(avatar_url !== null && { picture: avatar_url }),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
  // Left out while nobody has proved the mailbox (SS-5): absent says nothing, and false would say more.
  email: ({ email, email_verified_at }) => ({
    email,
    ...(email_verified_at !== null && { email_verified: true }),
  }),
};

/** Every claim that userinfo may hold; `email_verified` is named where people prove their own addresses. */
export function userinfoClaims({
  sign_up = "closed",
  self_service = [],
}: ProvesAddresses): readonly string[] {
  const proves = sign_up !== "closed" || self_service.includes("email");
  return ["sub", "name", "picture", "updated_at", "email", ...(proves ? ["email_verified"] : [])];
}

type ProvesAddresses = Pick<Settings, "sign_up" | "self_service">;

/** What these granted scopes release, as the record stands. */
export function userClaims(granted_scopes: readonly string[], user: User): Record<string, unknown> {
  return Object.assign(
    {},
    ...granted_scopes.map((scope) => (Object.hasOwn(claimsOf, scope) ? claimsOf[scope]?.(user) : {})),
  );
}
