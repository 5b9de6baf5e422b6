/**
 * Undoing a change of the address (SS-7): its former mailbox brings it back for seven days, ends every
 * session, and keeps the address where it is for 72 hours. The undo of an earlier change goes before that of
 * a later one.
 */
import type { User } from "../../records/definition.ts";
import { emailKey } from "../../records/email.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { Verbs } from "../../storage/verbs.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";
import { makeProof, newProofToken, type OpenProof, openProof, spendProof } from "../proofs/proofs.ts";

/** For how long an undo keeps the address where it is, hours. */
export const lockHours = 72;

/** A link that brings this address back; it is good whatever happens to the account meanwhile. */
export async function makeEmailUndo(
  { id: user_id, email }: Pick<User, "id" | "email">,
  at: Date,
  context: IdentityContext,
): Promise<string> {
  const token = newProofToken(context);
  const data = { user_id, email, changed_at: at.getTime() };
  await makeProof("email_undo", { place: token, bonds: {}, data }, context);
  return token;
}

/** The address that a link would bring back at this moment. Looking uses nothing up. */
export async function emailOfUndo(token: string, context: IdentityContext): Promise<string | undefined> {
  return (await readUndo(token, context))?.data.email;
}

/**
 * Brings the address back, and answers the user as they were before. Undefined when the link is dead, or
 * somebody else has the address by now.
 */
export async function undoEmail(
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<User | undefined> {
  const { store } = context;
  const at = context.now();
  const seen = await readUndo(token, context);
  if (seen === undefined) return undefined;
  const { user_id: id, email, changed_at } = seen.data;
  let before: User | undefined;
  try {
    before = await store.transaction(async (tx) => {
      await tx.lock(userLock(id));
      const proof = await readUndo(token, context, tx);
      const before = await tx.find("users", { id });
      if (proof === undefined || before === undefined || !(await spendProof(tx, proof))) return undefined;
      const changes = { email, email_key: emailKey(email), email_verified_at: at, updated_at: at };
      await tx.update(
        "users",
        { id },
        {
          ...changes,
          email_locked_until: new Date(at.getTime() + lockHours * 3_600_000),
          tokens_not_before: at,
          reset_links_not_before: at,
        },
      );
      const details = { before: { email: before.email }, after: { email }, undone: true };
      const event = { type: "user.updated", target_table: "users", target_id: id, details } as const;
      await auditOwnAct(tx, context, { user: before, origin, at }, event);
      return before;
    });
  } catch (error) {
    if (error instanceof Error && error.name === "UniqueViolation") return undefined;
    throw error;
  }
  if (before === undefined) return undefined;
  const data = { from: changed_at, until: at.getTime() };
  await makeProof("email_undone", { place: id, bonds: {}, data }, context);
  await store.endEverythingOf(id, "revoked", at);
  return before;
}

async function readUndo(
  token: string,
  context: IdentityContext,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<OpenProof<"email_undo"> | undefined> {
  const proof = await openProof("email_undo", token, {}, context, reads);
  if (proof === undefined) return undefined;
  const { user_id, changed_at } = proof.data;
  const undone = (await openProof("email_undone", user_id, {}, context, reads))?.data;
  const isVoid = undone !== undefined && changed_at >= undone.from && changed_at <= undone.until;
  return isVoid ? undefined : proof;
}
