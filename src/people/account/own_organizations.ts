import type { Membership, Organization, User } from "../../records/definition/definition.ts";
import type { IdentityContext } from "../core/context/context.ts";

export interface OwnOrganization {
  readonly membership: Membership;
  readonly organization: Organization;
}

/** Returns the user's organizations, including inactive ones, sorted by name. */
export async function ownOrganizations(user: User, { store }: IdentityContext): Promise<OwnOrganization[]> {
  const memberships = await store.list("memberships", { user_id: user.id });
  const found = await Promise.all(
    memberships.map(async (membership) => {
      const organization = await store.find("organizations", { id: membership.organization_id });
      return organization === undefined ? [] : [{ membership, organization }];
    }),
  );
  return found
    .flat()
    .sort((one, other) => one.organization.name.localeCompare(other.organization.name, "en"));
}
