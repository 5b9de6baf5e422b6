import { rolePermissions } from "../../records/definition/permissions.ts";
import type { EffectivePermissions } from "./actor.ts";

const grantsOfMember: readonly string[] = rolePermissions.member;

/** The organizations in which they may do more than any member, by their ids. */
export function managedOrganizations({ organizations }: Pick<EffectivePermissions, "organizations">) {
  return [...organizations].flatMap(([id, { permissions }]) =>
    [...permissions].some((permission) => !grantsOfMember.includes(permission)) ? [id] : [],
  );
}

/** Whether the console has more for them than for any signed-in user. */
export function administers(permissions: EffectivePermissions): boolean {
  return permissions.platform || managedOrganizations(permissions).length > 0;
}
