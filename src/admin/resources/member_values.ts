/**
 * Values that lists of memberships can include, so that administrators of an organization can compare its
 * members (OC-6).
 */
import { optional, strings, time } from "../../records/definition/field.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import { roleLists } from "../../records/names/names.ts";
import { type SecondFactorKind, secondFactorKinds } from "../../records/names/sign_in_methods.ts";
import { seenRows } from "../access/seen_rows.ts";
import type { IncludedValue } from "../manage/resource.ts";

const idsOfUsers = (views: readonly PublicView[]) => views.map(({ user_id }) => String(user_id));

/** Included only for users whom the actor may read, like their sign-in methods. */
const factors: IncludedValue<readonly SecondFactorKind[] | null> = {
  field: optional(
    strings(
      `the kinds of the user's second factors: ${secondFactorKinds.join(", ")}; null if the caller may not read the user`,
    ),
  ),
  async of(context, views) {
    const seen = (await seenRows(context, "users", idsOfUsers(views))).map(({ id }) => id);
    const kinds = await context.store.secondFactorKindsOf(seen);
    return new Map(views.map(({ id, user_id }) => [id, kinds.get(String(user_id)) ?? null]));
  },
};

/**
 * Included for a membership but not for a user: an organization's administrators need it for their own
 * members (P-2).
 */
const last_login_at: IncludedValue<Date | null> = {
  field: optional(
    time("when the user last signed in, to any app; null if never, or the caller may not read the user"),
  ),
  async of(context, views) {
    const users = await seenRows(context, "users", idsOfUsers(views));
    const at = new Map(users.map((user) => [user.id, user.last_login_at]));
    return new Map(views.map(({ id, user_id }) => [id, at.get(String(user_id)) ?? null]));
  },
};

/** The names that tokens contain; a role of another organization is not among them. */
const role_names: IncludedValue<readonly string[]> = {
  field: strings("the role, then the names of `role_ids`, and of `app_role_ids` with the API before `#`"),
  async of({ store }, views) {
    const idsOf = (view: (typeof views)[number], list: (typeof roleLists)[number]) => {
      const ids = view[list];
      return isStrings(ids) ? ids : [];
    };
    const found = await Promise.all(
      roleLists.map((list) =>
        store.rolesById(list, [...new Set(views.flatMap((view) => idsOf(view, list)))]),
      ),
    );
    const named = new Map(found.flat().map((role) => [role.id, role]));
    return new Map(
      views.map((view) => {
        const given = roleLists.flatMap((list) => idsOf(view, list)).flatMap((id) => named.get(id) ?? []);
        const theirs = given.filter(({ organization_id: of }) => of === null || of === view.organization_id);
        return [view.id, [String(view.role), ...theirs.map(({ called }) => called)]];
      }),
    );
  },
};

export const memberValues = { factors, last_login_at, role_names };
