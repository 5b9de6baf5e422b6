/** Members of groups. Only members of a group's organization can join it (OC-6). */
import { type FieldError, fieldError, reason } from "../../errors/field_errors.ts";
import { checkNew, isUuid } from "../../records/formats/check.ts";
import { nilUuid } from "../../records/names/ids.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, isText } from "../access/errors.ts";
import { type CreatedRow, insertRecord } from "../changes/changes.ts";
import { findUser } from "./users.ts";

/**
 * Adds the user of this `email` or `user_id` to a group. A user who is not a member of its organization is
 * refused like one that does not exist. Throws 422 `invalid_record`, 409 `conflict`.
 */
export async function createGroupMember(
  context: AdminContext,
  requested: Input,
): Promise<CreatedRow<"group_members">> {
  const { store, now } = context;
  const { email, ...input } = requested;
  const at = now();
  const group = isUuid(input.group_id)
    ? await store.find("groups", { id: input.group_id.toLowerCase() })
    : undefined;
  const named = email === undefined ? input.user_id : await idOfEmail(context, email);
  const membership =
    isUuid(named) && group !== undefined
      ? await store.find("memberships", {
          user_id: named.toLowerCase(),
          organization_id: group.organization_id,
        })
      : undefined;
  const field = email === undefined ? "user_id" : "email";
  const user_id = email === undefined ? input.user_id : nilUuid;
  const { errors, record } = checkNew(
    "group_members",
    { ...input, ...(user_id !== undefined && { user_id }) },
    { id: store.newId(at), membership_id: membership?.id ?? nilUuid, created_at: at },
  );
  const found: FieldError[] = [...errors];
  if (email !== undefined && input.user_id !== undefined)
    found.push({ path: "/email", ...reason("excluded_by", { field: "user_id" }) });
  const isNamed = email !== undefined || isUuid(input.user_id);
  if (membership === undefined && group !== undefined && isNamed)
    found.push(fieldError(`/${field}`, "not_organization_member"));
  if (group === undefined && isUuid(input.group_id))
    found.push(fieldError("/group_id", "no_record", { record: "group" }));
  const valid = assertValid("group_members", { errors: found, record });
  return {
    row: await insertRecord(context, "group_members", {
      ...valid,
      user_id: membership?.user_id ?? valid.user_id,
    }),
  };
}

async function idOfEmail(context: AdminContext, email: unknown): Promise<string | undefined> {
  return isText(email) && !isUuid(email) ? (await findUser(context, email))?.id : undefined;
}
