import { optional, strings, time } from "../../records/definition/field.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import { roleLists } from "../../records/names/names.ts";
import { type SecondFactorKind, secondFactorKinds } from "../../records/names/sign_in_methods.ts";
import { permissionsIn } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { seenRows } from "../access/seen_rows.ts";
import type { IncludedValue } from "../manage/resource.ts";

const idsOfUsers = (views: readonly PublicView[]) => views.map(({ user_id }) => String(user_id));

const factors: IncludedValue<readonly SecondFactorKind[] | null> = {
  field: optional(
    strings(
      `kinds of the user's second factors: ${secondFactorKinds.join(", ")}; null if the caller may not read the user`,
    ),
  ),
  async of(context, views) {
    const seen = (await seenRows(context, "users", idsOfUsers(views))).map(({ id }) => id);
    const kinds = await context.store.secondFactorKindsOf(seen);
    return new Map(views.map(({ id, user_id }) => [id, kinds.get(String(user_id)) ?? null]));
  },
};

/**
 * Offered only for memberships, because an organization's administrators may see it only for their own
 * members (P-2).
 */
const last_login_at: IncludedValue<Date | null> = {
  field: optional(
    time("when the user last signed in to any app; null if never, or if the caller may not read the user"),
  ),
  async of(context, views) {
    const users = await seenRows(context, "users", idsOfUsers(views));
    const at = new Map(users.map((user) => [user.id, user.last_login_at]));
    return new Map(views.map(({ id, user_id }) => [id, at.get(String(user_id)) ?? null]));
  },
};

interface NamedRoles {
  readonly direct: readonly string[];
  readonly through_groups: readonly string[];
}

/**
 * Returns the names of each member's custom and app roles, as tokens contain them. Roles from groups are
 * included only for the actor's own membership and where the actor may read groups.
 */
export async function namedRoles(
  context: AdminContext,
  views: readonly PublicView[],
): Promise<ReadonlyMap<unknown, NamedRoles>> {
  const { store } = context;
  const actorPermissions = await permissionsOfActor(context);
  const seen = views.filter(
    ({ user_id, organization_id }) =>
      user_id === actorPermissions.user_id ||
      permissionsIn(actorPermissions, String(organization_id)).has("groups:read"),
  );
  const ids = seen.map(({ id }) => String(id));
  const lists = await Promise.all(
    roleLists.map(async (list) => {
      const through = await store.rolesThroughGroups(list, ids);
      const directOf = (view: PublicView) => (isStrings(view[list]) ? view[list] : []);
      const all = new Set([...views.flatMap(directOf), ...[...through.values()].flat()]);
      const named = new Map((await store.rolesById(list, [...all])).map((role) => [role.id, role]));
      return { directOf, through, named };
    }),
  );
  return new Map(
    views.map((view) => {
      const namesIn = (pick: (list: (typeof lists)[number]) => readonly string[]) =>
        lists.flatMap((list) =>
          pick(list)
            .flatMap((id) => list.named.get(id) ?? [])
            .filter(({ organization_id: of }) => of === null || of === view.organization_id)
            .map(({ called }) => called),
        );
      const direct = namesIn((list) => list.directOf(view));
      const through = namesIn(({ through: found }) => found.get(String(view.id)) ?? []);
      return [view.id, { direct, through_groups: through.filter((name) => !direct.includes(name)) }];
    }),
  );
}

const role_names: IncludedValue<readonly string[]> = {
  field: strings(
    "names of the member's roles: `role`, custom roles, and app roles as API-identifier#role-name. Roles through groups are included if the caller may read the member's groups",
  ),
  async of(context, views) {
    const named = await namedRoles(context, views);
    return new Map(
      views.map(({ id, role }) => {
        const { direct = [], through_groups = [] } = named.get(id) ?? {};
        return [id, [String(role), ...direct, ...through_groups]];
      }),
    );
  },
};

const group_role_names: IncludedValue<readonly string[]> = {
  field: strings(
    "names of the roles that the member has only through groups; empty if the caller may not read the member's groups",
  ),
  async of(context, views) {
    const named = await namedRoles(context, views);
    return new Map([...named].map(([id, { through_groups }]) => [id, through_groups]));
  },
};

export const memberValues = { factors, last_login_at, role_names, group_role_names };
