/** The roles that the form of a membership or a group offers: those that members of its organization may have. */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { Resource } from "../../admin/manage/resource.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type RoleList, roleLists } from "../../records/names/names.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";

export const isRoleList = (name: string): name is RoleList => (roleLists as readonly string[]).includes(name);

/** The help of a list with check boxes. Without them, it also says how names are typed. */
export const offeredRoleHelp: Readonly<Record<RoleList, keyof FieldHelp>> = {
  role_ids: "offered_role_ids",
  app_role_ids: "offered_app_role_ids",
};

/** Maximum number of check boxes per list; beyond that, names are typed, one per line. */
const mostOffered = 50;

/** Returns the names to offer, by field; omits a field with more than can be shown. */
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
