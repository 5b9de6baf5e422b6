import { fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/check.ts";
import type { Membership, NewRow, User } from "../../records/definition.ts";
import type { PublicView } from "../../records/view.ts";
import { type AdminContext, authorityOf } from "../access/actor.ts";
import { type CreatedRow, changeRecord, deleteRecord, type Expected, insertRecord } from "../changes.ts";
import { assertValid, type Input, missingReferences } from "../faults.ts";
import { askToJoin } from "../invitations/ask_to_join.ts";
import { findUser } from "./users.ts";

/** A new membership as the caller describes it, checked but for whether its user and organization exist. */
export function draftMembership({ store, now }: AdminContext, input: Input): Checked<NewRow<"memberships">> {
  const at = now();
  return checkNew("memberships", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    created_at: at,
    updated_at: at,
  });
}

/** A change of a membership, checked: whose it is and where does not change. */
export function draftMembershipChange(current: Membership, input: Input): Checked<Partial<Membership>> {
  const checked = checkChange("memberships", current, input);
  const moved = (["user_id", "organization_id"] as const).filter(
    (name) => checked.record[name] !== undefined && checked.record[name] !== current[name],
  );
  const errors = moved.map((name) => fieldError(`/${name}`, "fixed_for_membership"));
  return { errors: [...checked.errors, ...errors], record: checked.record };
}

/**
 * Makes somebody a member for who runs the server; for everybody else asks them to become one, because nobody
 * is a member without saying yes. Throws what `addMember` and `askToJoin` throw.
 */
export async function createMembership(
  context: AdminContext,
  asked: Input,
): Promise<CreatedRow<"memberships"> | { readonly asked: PublicView }> {
  const { platform } = await authorityOf(context);
  return platform ? { row: await addMember(context, asked) } : { asked: await askToJoin(context, asked) };
}

/**
 * Makes the user of this `email` or `user_id` a member of an organization. Throws 422 `invalid_record`, 409
 * `conflict`.
 */
async function addMember(context: AdminContext, asked: Input): Promise<Membership> {
  const { email, ...given } = asked;
  const named = email === undefined ? undefined : await userOfEmail(context, email);
  const { errors, record } = draftMembership(
    context,
    named === undefined ? given : { user_id: named.id, ...given },
  );
  const missing = await missingReferences(context.store, "memberships", record);
  const all = [...errors, ...missing];
  if (email !== undefined) {
    // The e-mail stands for the id, so it is told what is wrong with that.
    const others = all.filter(({ path }) => path !== "/user_id");
    const why = emailReason(given, named);
    if (why !== undefined) others.push({ path: "/email", ...why });
    return insertRecord(context, "memberships", assertValid("memberships", { errors: others, record }));
  }
  return insertRecord(context, "memberships", assertValid("memberships", { errors: all, record }));
}

function emailReason(given: Input, named: User | undefined): Reason | undefined {
  if (given.user_id !== undefined) return reason("excluded_by", { field: "user_id" });
  return named === undefined ? reason("no_user_of_email") : undefined;
}

/** The user of this e-mail; nobody for an id, though `findUser` takes that too. */
async function userOfEmail(context: AdminContext, email: unknown): Promise<User | undefined> {
  return typeof email === "string" && !isUuid(email) ? findUser(context, email) : undefined;
}

/** Changes a membership. Throws 404 `not_found`, 422 `invalid_record`, 409 `last_owner`. */
export async function updateMembership(
  context: AdminContext,
  id: string,
  asked: Input,
  expected?: Expected<"memberships">,
): Promise<Membership> {
  return changeRecord(
    context,
    "memberships",
    id,
    (current) => assertValid("memberships", draftMembershipChange(current, asked)),
    { expected },
  );
}

/** Ends a membership. Throws 404 `not_found`, 409 `last_owner`. */
export async function deleteMembership(
  context: AdminContext,
  id: string,
  expected?: Expected<"memberships">,
): Promise<void> {
  await deleteRecord(context, "memberships", id, { expected });
}
