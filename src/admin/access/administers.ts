import { rolePermissions } from "../../records/definition/permissions.ts";
import type { EffectivePermissions } from "./actor.ts";

const grantsOfMember: readonly string[] = rolePermissions.member;

/** Returns the ids of the organizations in which the actor has more permissions than an ordinary member. */
export function managedOrganizations({ organizations }: Pick<EffectivePermissions, "organizations">) {
  return [...organizations].flatMap(([id, { permissions }]) =>
    [...permissions].some((permission) => !grantsOfMember.includes(permission)) ? [id] : [],
  );
}

/**
 * Returns whether the user administers the platform or has more than a member's permissions in an
 * organization.
 */
export function administers(permissions: EffectivePermissions): boolean {
  return permissions.platform || managedOrganizations(permissions).length > 0;
}
