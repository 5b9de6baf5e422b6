import { type Reason, reason } from "../../errors/field_errors.ts";
import type { Membership, User } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { assertValid, type Input, missingReferences } from "../access/errors.ts";
import { type CreatedRow, insertRecord } from "../changes/changes.ts";
import { readyMade } from "../changes/ready_made.ts";
import { rolesMeant } from "../records/given_roles.ts";
import { findUser } from "../records/users.ts";
import { requestMembership } from "./request_membership.ts";

export const membership = readyMade("memberships", {
  settled: { columns: ["user_id", "organization_id"], code: "fixed_for_membership" },
  meant: (reads, input, current) =>
    rolesMeant(reads, input, current ?? { organization_id: input.organization_id }),
});

/**
 * Adds the member if the actor is a platform administrator. For any other actor sends an invitation, because
 * users must agree to a membership, and returns it as `requested`. Throws the errors of `insertRecord` and
 * `requestMembership`.
 */
export async function createMembership(
  context: AdminContext,
  requested: Input,
): Promise<CreatedRow<"memberships"> | { readonly requested: PublicView }> {
  const { platform } = await permissionsOfActor(context);
  return platform
    ? { row: await addMember(context, requested) }
    : { requested: await requestMembership(context, requested) };
}

async function addMember(context: AdminContext, requested: Input): Promise<Membership> {
  const { email, ...given } = requested;
  const { input, errors: ofRoles } = await rolesMeant(context.store, given, {
    organization_id: given.organization_id,
  });
  const named = email === undefined ? undefined : await userOfEmail(context, email);
  const { errors, record } = membership.manifest.draft(
    context,
    named === undefined ? input : { user_id: named.id, ...input },
  );
  const missing = await missingReferences(context.store, "memberships", record);
  const all = [...errors, ...ofRoles, ...missing];
  if (email !== undefined) {
    // The input names the user by email address, so an error of `user_id` is reported at `/email`.
    const others = all.filter(({ path }) => path !== "/user_id");
    const why = emailReason(input, named);
    if (why !== undefined) others.push({ path: "/email", ...why });
    return insertRecord(context, "memberships", assertValid("memberships", { errors: others, record }));
  }
  return insertRecord(context, "memberships", assertValid("memberships", { errors: all, record }));
}

function emailReason(input: Input, named: User | undefined): Reason | undefined {
  if (input.user_id !== undefined) return reason("excluded_by", { field: "user_id" });
  return named === undefined ? reason("no_user_of_email") : undefined;
}

/** Finds the user only by email address; `findUser` alone would accept an id too. */
async function userOfEmail(context: AdminContext, email: unknown): Promise<User | undefined> {
  return typeof email === "string" && !isUuid(email) ? findUser(context, email) : undefined;
}
