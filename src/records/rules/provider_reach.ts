/**
 * The users that a provider may sign in (docs/decisions/providers.md): a provider's claims count only for
 * users of its owner.
 */
import type { Membership, Provider, User } from "../definition/definition.ts";
import { permissionsOfMembership } from "../definition/permissions.ts";

type Owned = Pick<Provider, "organization_id">;
type Person = Pick<User, "is_platform_admin">;
type Belonging = Pick<Membership, "organization_id" | "role" | "permissions">;

export function isOfOrganization({ organization_id }: Owned): boolean {
  return (organization_id ?? null) !== null;
}

/**
 * Returns whether the user is a platform administrator or has a write permission in an organization other
 * than the provider's. An organization's provider may then not sign the user in, even as a member.
 */
export function administersBeyond(
  { organization_id }: Owned,
  { is_platform_admin }: Person,
  memberships: readonly Belonging[],
): boolean {
  const others = memberships.filter((membership) => membership.organization_id !== organization_id);
  return is_platform_admin || others.some(grantsWriting);
}

function grantsWriting(membership: Belonging): boolean {
  return [...permissionsOfMembership(membership)].some((permission) => permission.endsWith(":write"));
}

/** Returns whether the provider may sign this user in with these memberships. */
export function signsIn(provider: Owned, person: Person, memberships: readonly Belonging[]): boolean {
  if (!isOfOrganization(provider)) return true;
  const { organization_id } = provider;
  const isMember = memberships.some((membership) => membership.organization_id === organization_id);
  return isMember && !administersBeyond(provider, person, memberships);
}
