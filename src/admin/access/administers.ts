import { rolePermissions } from "../../records/permissions.ts";
import type { EffectivePermissions } from "./actor.ts";

const grantsOfMember: readonly string[] = rolePermissions.member;

/** Whether there is more in the console for them than for anybody who signed in. */
export function administers({ platform, organizations }: EffectivePermissions): boolean {
  const permissions = [...organizations.values()].flatMap((held) => [...held.permissions]);
  return platform || permissions.some((permission) => !grantsOfMember.includes(permission));
}
