/** A user in a group must be a member of the group's organization (OC-6). */
import { type FieldError, fieldError, reason } from "../../errors/field_errors.ts";
import type { Group, Membership } from "../../records/definition/definition.ts";
import { checkNew, isUuid } from "../../records/formats/check.ts";
import { nilUuid } from "../../records/names/ids.ts";
import { hasPermission } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { assertValid, type Input, isText } from "../access/errors.ts";
import { type CreatedRow, insertRecord } from "../changes/changes.ts";
import { findUser } from "./users.ts";

const mostCompared = 50;

const [mostNamed, longestQuoted] = [5, 100];

/**
 * Adds a user (`email` or `user_id`) to a group (id or name). A user outside the group's organization gets
 * the same error as a user that does not exist. Throws 422 `invalid_record`, 409 `conflict`.
 */
export async function createGroupMember(
  context: AdminContext,
  requested: Input,
): Promise<CreatedRow<"group_members">> {
  const { store, now } = context;
  const { email, ...input } = requested;
  const at = now();
  const named = email === undefined ? input.user_id : await idOfEmail(context, email);
  const { group, membership, error } = await groupMeant(context, input.group_id, named);
  const field = email === undefined ? "user_id" : "email";
  const user_id = email === undefined ? input.user_id : nilUuid;
  const group_id = group?.id ?? nilUuid;
  const { errors, record } = checkNew(
    "group_members",
    { ...input, ...(isText(input.group_id) && { group_id }), ...(user_id !== undefined && { user_id }) },
    { id: store.newId(at), membership_id: membership?.id ?? nilUuid, created_at: at },
  );
  const found: FieldError[] = [...errors];
  if (email !== undefined && input.user_id !== undefined)
    found.push({ path: "/email", ...reason("excluded_by", { field: "user_id" }) });
  const isNamed = email !== undefined || isUuid(input.user_id);
  if (membership === undefined && group !== undefined && isNamed)
    found.push(fieldError(`/${field}`, "not_organization_member"));
  if (error !== undefined) found.push(error);
  const valid = assertValid("group_members", { errors: found, record });
  return {
    row: await insertRecord(context, "group_members", {
      ...valid,
      user_id: membership?.user_id ?? valid.user_id,
    }),
  };
}

interface MeantGroup {
  readonly group?: Group;
  readonly membership?: Membership | undefined;
  readonly error?: FieldError;
}

async function groupMeant(context: AdminContext, text: unknown, user_id: unknown): Promise<MeantGroup> {
  if (!isText(text)) return {};
  const found = await Promise.all(
    (await groupsCalled(context, text)).map(async (group) => ({
      group,
      membership: isUuid(user_id)
        ? await context.store.find("memberships", {
            user_id: user_id.toLowerCase(),
            organization_id: group.organization_id,
          })
        : undefined,
    })),
  );
  const joinable = found.filter(({ membership }) => membership !== undefined);
  const [meant, ...others] = joinable.length > 0 ? joinable : found;
  const record = "group";
  if (others.length > 0) {
    const names = found.slice(0, mostNamed).map(({ group }) => group.id);
    return { error: fieldError("/group_id", "several_of_name", { record, field: "id", names }) };
  }
  if (meant !== undefined) return meant;
  const name = text.slice(0, longestQuoted);
  return {
    error: isUuid(text)
      ? fieldError("/group_id", "no_record", { record })
      : fieldError("/group_id", "no_record_called", { record, field: "name", name }),
  };
}

async function groupsCalled(context: AdminContext, text: string): Promise<readonly Group[]> {
  const { store } = context;
  // `requirePermissionForNew` has already checked the permission for a group that is named by id.
  if (isUuid(text)) return store.list("groups", { id: text.toLowerCase() });
  const actorPermissions = await permissionsOfActor(context);
  if (actorPermissions.platform) return store.list("groups", { display_name: text }, { limit: mostCompared });
  const found = await Promise.all(
    [...actorPermissions.organizations.keys()]
      .filter((id) =>
        hasPermission(actorPermissions, "group_members:write", { organization_ids: [id], user_id: null }),
      )
      .map((organization_id) => store.find("groups", { organization_id, display_name: text })),
  );
  return found.filter((group) => group !== undefined);
}

async function idOfEmail(context: AdminContext, email: unknown): Promise<string | undefined> {
  return isText(email) && !isUuid(email) ? (await findUser(context, email))?.id : undefined;
}
