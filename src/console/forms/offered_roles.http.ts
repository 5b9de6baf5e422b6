import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { membershipErrors } from "../../admin/access/grantable.ts";
import type { Resource } from "../../admin/manage/resource.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type RoleList, roleLists } from "../../records/names/names.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import type { FieldControl } from "../fields/fields.view.ts";

export const isRoleList = (name: string): name is RoleList => (roleLists as readonly string[]).includes(name);

/** Help texts for fields that offer role names. The usual help texts explain how to type names. */
export const offeredRoleHelp: Readonly<Record<RoleList, keyof FieldHelp>> = {
  role_ids: "offered_role_ids",
  app_role_ids: "offered_app_role_ids",
};

/** Returns the fields. In the form of a membership, `role` offers only roles that the actor may grant. */
export async function withRolesToGive<F extends Pick<FieldControl, "name" | "one_of">>(
  admin: AdminContext,
  { table }: Pick<Resource, "table">,
  fields: readonly F[],
  view: PublicView,
): Promise<readonly F[]> {
  if (table !== "memberships") return fields;
  const membership = view as PublicView<"memberships">;
  const actorPermissions = await permissionsOfActor(admin);
  const mayGive = (role: string) =>
    membershipErrors(actorPermissions, { ...membership, role, permissions: null }, membership).length === 0;
  return fields.map((field) =>
    field.name === "role" && field.one_of ? { ...field, one_of: field.one_of.filter(mayGive) } : field,
  );
}

const mostOffered = 50;

/**
 * Returns the role names to offer, by field. Leaves out a field for which there are more than `mostOffered`
 * roles.
 */
export async function offeredRoles(
  { store }: Pick<AdminContext, "store">,
  { table }: Pick<Resource, "table">,
  organization_id: unknown,
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (!Object.hasOwn(fieldsOf(table), "role_ids") || !isUuid(organization_id)) return {};
  const offered = await Promise.all(
    roleLists.map(async (list): Promise<readonly [RoleList, readonly string[]]> => {
      const found = await store.assignableRoles(list, organization_id, mostOffered + 1);
      return [list, found.map(({ called }) => called)];
    }),
  );
  return Object.fromEntries(offered.filter(([, names]) => names.length > 0 && names.length <= mostOffered));
}
