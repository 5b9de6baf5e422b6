/** Checks the names of roles, of groups and of applications' permissions, which appear in tokens (OC-6). */
import { type Reason, reason } from "../../errors/field_errors.ts";
import { isRole } from "../definition/permissions.ts";
import { isUuid } from "../names/ids.ts";
import { isMistakable, skeletonOf } from "../names/look_alikes.ts";
import { isReservedScope, isScopeToken, roles } from "../names/names.ts";

const builtIn: ReadonlySet<string> = new Set(roles.map(skeletonOf));

/**
 * Returns why a group cannot have this name: it begins or ends with a blank, which many applications would
 * remove.
 */
export const groupNameReason = (name: string): Reason | undefined =>
  name === name.trim() ? undefined : reason("not_trimmed");

/** Returns why a record cannot have this name: it is a UUID, which would be read as the id of a record. */
export const uuidReason = (name: string): Reason | undefined =>
  isUuid(name) ? reason("uuid_as_name") : undefined;

/**
 * Returns why a role cannot have this name; undefined if it can. A name contains no comma, because many
 * applications and proxies join the names of roles with commas.
 */
export function roleNameReason(name: string): Reason | undefined {
  if (name.includes(",")) return reason("contains_comma");
  const untrimmed = groupNameReason(name);
  if (untrimmed !== undefined) return untrimmed;
  return isMistakable(name, builtIn) ? reason("reserved_role", { values: roles }) : uuidReason(name);
}

/**
 * Returns why a membership cannot have this role. Spec 2.3 allows any name; this server allows the built-in
 * roles, and the names that a custom role may have (`roleNameReason`).
 */
export function membershipRoleReason(name: string): Reason | undefined {
  return isRole(name) ? undefined : roleNameReason(name);
}

/**
 * Returns why a role cannot grant this permission: it is no valid scope (RFC 6749 3.3), or a scope of this
 * server.
 */
export function permissionWordReason(word: string): Reason | undefined {
  if (!isScopeToken(word)) return reason("not_permission_word");
  return isReservedScope(word) ? reason("scope_reserved") : undefined;
}

/**
 * Returns a key that is equal for roles of one owner whose names differ only in case or Unicode form. The
 * owner is an organization, an API or, if null, the server.
 */
export function roleNameKey(owner_id: string | null, name: string): string {
  return `${owner_id ?? "server"} ${comparableRole(name)}`.toLowerCase();
}

/** Returns a string that is equal for names that differ only in case or Unicode form. */
export const comparableRole = (name: string): string => name.normalize("NFKC").toLowerCase();
