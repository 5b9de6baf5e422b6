import { rolePermissions } from "../../records/definition/permissions.ts";
import type { EffectivePermissions } from "./actor.ts";

const grantsOfMember: readonly string[] = rolePermissions.member;

/** Returns the ids of the organizations in which the actor may do more than an ordinary member. */
export function managedOrganizations({ organizations }: Pick<EffectivePermissions, "organizations">) {
  return [...organizations].flatMap(([id, { permissions }]) =>
    [...permissions].some((permission) => !grantsOfMember.includes(permission)) ? [id] : [],
  );
}

/** Returns whether the console offers this user anything beyond what every signed-in user gets. */
export function administers(permissions: EffectivePermissions): boolean {
  return permissions.platform || managedOrganizations(permissions).length > 0;
}
