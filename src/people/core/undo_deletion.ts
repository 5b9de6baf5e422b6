/** Cancels a deletion that a user requested (SS-12). */
import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { endsUpTo, hasPassed } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { auditOwnAct } from "./audit_own_act.ts";
import type { IdentityContext } from "./context/context.ts";
import { makeProof, newProofToken, type OpenProof, openProof, redeemProof } from "./proofs/proofs.ts";

/** The right to cancel, proved by a mailed token or by the form cookie of a browser after a first factor. */
export type UndoPlace = { readonly token: string } | { readonly browser: string };

type Undo = OpenProof<"undo_deletion"> | OpenProof<"undo_deletion_link">;

type Due = Pick<User, "id"> & { readonly deletion_at: Date };

/** Returns whether the deletion of the user can still be canceled. */
export function isPendingDeletion<U extends Pick<User, "active" | "deletion_at">>(
  user: U,
  now: Date,
): user is U & { readonly deletion_at: Date } {
  return !user.active && user.deletion_at !== null && !hasPassed(user.deletion_at, now);
}

/** Lets the browser in which a first factor was just given cancel the deletion. */
export async function offerUndo(
  { id, deletion_at }: Due,
  browser: string,
  context: IdentityContext,
): Promise<void> {
  const data = { user_id: id, deletion_at: deletion_at.getTime() };
  await makeProof("undo_deletion", { place: browser, bonds: { browser }, data }, context);
}

/** Returns a token for the mailed link, valid until the account is removed. */
export async function makeUndoLink(
  tx: Transaction,
  { id, deletion_at }: Due,
  context: IdentityContext,
): Promise<string> {
  const token = newProofToken(context);
  const data = { user_id: id, deletion_at: deletion_at.getTime() };
  await makeProof("undo_deletion_link", { place: token, bonds: {}, data }, context, tx);
  return token;
}

/** Returns when the account is due to be removed; undefined if there is no deletion to cancel. */
export async function deletionAt(place: UndoPlace, context: IdentityContext): Promise<Date | undefined> {
  return (await read(place, context))?.user.deletion_at;
}

/** Reactivates the account; false if there is nothing to cancel. Ended sessions and tokens remain ended. */
export async function undoDeletion(
  place: UndoPlace,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<boolean> {
  const at = context.now();
  const seen = await read(place, context);
  if (seen === undefined) return false;
  const { id } = seen.user;
  return context.store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const found = await read(place, context, tx);
    if (found === undefined || !(await redeemProof(tx, found.proof))) return false;
    const tokens_not_before = endsUpTo(at, found.user);
    const kept = { active: true, deletion_at: null, tokens_not_before, updated_at: at };
    await tx.update("users", { id }, kept);
    const event = { type: "user.deletion_undone", target_table: "users", target_id: id, details: null };
    await auditOwnAct(tx, context, { user: { id }, origin, at }, event);
    return true;
  });
}

async function read(
  place: UndoPlace,
  context: IdentityContext,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<{ proof: Undo; user: User & Due } | undefined> {
  const proof =
    "token" in place
      ? await openProof("undo_deletion_link", place.token, {}, context, reads)
      : await openProof("undo_deletion", place.browser, { browser: place.browser }, context, reads);
  if (proof === undefined) return undefined;
  const { user_id, deletion_at } = proof.data;
  const user = await reads.find("users", { id: user_id });
  if (user === undefined || !isPendingDeletion(user, context.now())) return undefined;
  return user.deletion_at.getTime() === deletion_at ? { proof, user } : undefined;
}
