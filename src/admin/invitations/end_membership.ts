import type { Membership } from "../../records/definition/definition.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import type { Expected, Transaction } from "../changes/changes.ts";
import { deleteRecord } from "../changes/removal.ts";

async function endMembership(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  { id, user_id, organization_id }: Pick<Membership, "id" | "user_id" | "organization_id">,
  at: Date,
): Promise<void> {
  await store.endGrant(tx, { grant: "membership", user_id, id }, "membership_ended", at);
  for (const session of await store.sessionsOfProviders(tx, { user_id, organization_id }))
    await store.endSessionIn(tx, session, at);
}

/**
 * Deletes a membership and ends the tokens and sessions that it allowed. Call it in a transaction that holds
 * the user's lock.
 */
export async function removeMembership(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  membership: Membership,
  at: Date,
): Promise<void> {
  await endMembership(tx, context, membership, at);
  await tx.remove("memberships", { id: membership.id });
}

/** Deletes a membership and ends the tokens and sessions that it allowed. */
export async function deleteMembership(
  context: AdminContext,
  id: string,
  expected?: Expected<"memberships">,
): Promise<void> {
  const seen = await context.store.find("memberships", { id });
  if (seen === undefined) throw notFound("memberships", id);
  await deleteRecord(context, "memberships", id, {
    expected,
    locks: [userLock(seen.user_id)],
    remove: (tx, current) => removeMembership(tx, context, current, context.now()),
  });
  await context.store.markSomeTokens({ user_id: seen.user_id, app_id: id });
}
