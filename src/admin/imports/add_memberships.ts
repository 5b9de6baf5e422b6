import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Organization } from "../../records/definition/definition.ts";
import { checkNew, isUuid } from "../../records/formats/check.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { isText } from "../access/errors.ts";
import type { AdminEvent } from "../changes/audit.ts";
import { type Transaction, writeChange, writeNew } from "../changes/changes.ts";
import { requireAttributes } from "../guards/attribute_rules.ts";
import { customRoleErrors } from "../guards/role_rules.ts";
import { keyText } from "../manifest/members/entry.ts";
import { rolesMeant } from "../records/given_roles.ts";
import type { PersonLine } from "./person_line.ts";

export interface Adding {
  readonly at: Date;
  readonly shared: Pick<Verbs, "find">;
  readonly roles: Parameters<typeof customRoleErrors>[0];
  /**
   * Whether the import line comes from another Postern server. The slugs in it then mean only records that a
   * manifest created on this server, because users can choose any free slug (MG-12).
   */
  readonly only_applied: boolean;
}

interface Added {
  readonly added: boolean;
  readonly losses: readonly FieldError[];
  readonly events: readonly AdminEvent[];
}

/**
 * Adds missing memberships, roles and group memberships, and removes none. Reports a loss for each value that
 * this server cannot store, such as an unknown role.
 */
export async function addMemberships(
  tx: Transaction,
  context: AdminContext,
  { memberships }: Pick<PersonLine, "memberships">,
  user_id: string,
  { at, shared, roles, only_applied }: Adding,
): Promise<Added> {
  const { store } = context;
  const losses: FieldError[] = [];
  const events: AdminEvent[] = [];
  let added = false;
  for (const { organization: name, given, path } of memberships) {
    const organization = await findOrganization(shared, name);
    if (organization === undefined) {
      losses.push(
        fieldError(`${path}/organization`, "no_record_of_name", { record: "organization", field: "slug" }),
      );
      continue;
    }
    const { id: organization_id, slug } = organization;
    const key = keyText("organizations", { slug });
    if (
      only_applied &&
      name === slug &&
      !(await store.isAppliedAs({ table: "organizations", id: organization_id, name: key }, shared))
    ) {
      losses.push(fieldError(`${path}/organization`, "not_applied", { record: "organization" }));
      continue;
    }
    const pair = { user_id, organization_id };
    const { groups = [], ...input } = given;
    const meant = await rolesMeant(shared, input, { organization_id });
    const { role } = input;
    const isNew = isText(role) && !meant.errors.some(({ path }) => path === "/role");
    const alike = isNew ? await customRoleErrors(roles, { organization_id, role }) : [];
    const refused = [...meant.errors, ...alike];
    const unknown = new Set(refused.map(({ path }) => path));
    const known = Object.fromEntries(
      Object.entries(meant.input).map(([member, value]) => [
        member,
        Array.isArray(value) ? value.filter((_, index) => !unknown.has(`/${member}/${index}`)) : value,
      ]),
    );
    const { errors, record } = checkNew("memberships", known, {
      ...{ ...pair, id: store.newId(at), created_at: at, updated_at: at },
    });
    losses.push(...[...refused, ...errors].map((error) => ({ ...error, path: path + error.path })));
    if (errors.length > 0 || unknown.has("/role")) continue;
    const current = await tx.find("memberships", pair);
    const union = (one: readonly string[] = [], more: readonly string[] = []) => [
      ...new Set([...one, ...more]),
    ];
    if (current === undefined) {
      const unfit = await attributeLosses(tx, context, record);
      losses.push(...unfit.map((error) => ({ ...error, path: path + error.path })));
      const fitting = unfit.length === 0 ? record : { ...record, attributes: null };
      events.push((await writeNew(tx, context, "memberships", fitting)).event);
      added = true;
    } else {
      const role_ids = union(current.role_ids, record.role_ids);
      const app_role_ids = union(current.app_role_ids, record.app_role_ids);
      const isMore =
        role_ids.length > current.role_ids.length || app_role_ids.length > current.app_role_ids.length;
      if (isMore) {
        const changes = { role_ids, app_role_ids };
        events.push((await writeChange(tx, context, "memberships", current, changes, at)).event);
        added = true;
      }
    }
    const membership_id = current?.id ?? record.id;
    for (const [index, each] of (Array.isArray(groups) ? groups : [groups]).entries()) {
      const group = isText(each)
        ? await shared.find("groups", { organization_id, display_name: each })
        : undefined;
      if (group === undefined) {
        const names = { record: "group", field: "display_name" } as const;
        losses.push(fieldError(`${path}/groups/${index}`, "no_record_of_name", names));
        continue;
      }
      const { id: group_id } = group;
      if ((await tx.count("group_members", { group_id, user_id })) > 0) continue;
      const row = { id: store.newId(at), group_id, user_id, membership_id, created_at: at };
      events.push((await writeNew(tx, context, "group_members", row)).event);
      added = true;
    }
  }
  return { added, losses, events };
}

/** Returns the organization with this slug or ID. */
export async function findOrganization(
  reads: Pick<Verbs, "find">,
  name: string,
): Promise<Organization | undefined> {
  return isUuid(name)
    ? reads.find("organizations", { id: name.toLowerCase() })
    : reads.find("organizations", { slug: name });
}

async function attributeLosses(
  tx: Transaction,
  context: AdminContext,
  record: NewRow<"memberships">,
): Promise<readonly FieldError[]> {
  try {
    await requireAttributes(tx, await permissionsOfActor(context), "memberships", undefined, { ...record });
    return [];
  } catch (error) {
    if (error instanceof Problem) return error.errors;
    throw error;
  }
}
