/** Undoes a change of the email address with a link sent to the former address (SS-7, SS-15). */

import { orTaken } from "../../../errors/violations.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { emailKey, emailKeys } from "../../../records/names/email.ts";
import { emailLockHours, endsUpTo } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import { usernameAfterEmail } from "../../../records/rules/attributes.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { Verbs } from "../../../storage/database/verbs.ts";
import {
  endStolen,
  isStolenDeletion,
  type StolenThings,
  stolenThings,
} from "../../authenticators/stolen/end_stolen.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { formersOf } from "../../core/former_emails.ts";
import {
  makeProof,
  newProofToken,
  type OpenProof,
  openProof,
  redeemProof,
} from "../../core/proofs/proofs.ts";
import { purposes } from "../../core/proofs/purposes.ts";

/**
 * Creates a link that restores this email address, and returns its token. `since` is the start of the session
 * that changed the address; by default, the time of the change.
 */
export async function makeEmailUndo(
  tx: Transaction,
  { id: user_id, email }: Pick<User, "id" | "email">,
  at: Date,
  context: IdentityContext,
  since: Date = at,
): Promise<string> {
  const token = newProofToken(context);
  const data = { user_id, email, changed_at: at.getTime(), since: since.getTime() };
  await makeProof("email_undo", { place: token, bonds: {}, data }, context, tx);
  const addresses = [...(await formersOf(user_id, context, tx)), { email, changed_at: at.getTime() }];
  await makeProof("former_emails", { place: user_id, bonds: {}, data: { addresses } }, context, tx);
  return token;
}

/**
 * Returns a key of the email address that no other account uses. An older format of the key suffices, because
 * accounts are looked up under every format. If other accounts use all keys of the address, the update with
 * the returned key fails.
 */
async function freeKeyFor({ id, email }: Pick<User, "id" | "email">, tx: Transaction): Promise<string> {
  for (const email_key of emailKeys(email).toReversed()) {
    const found = await tx.find("users", { email_key });
    if (found === undefined || found.id === id) return email_key;
  }
  return emailKey(email);
}

/** Returns what the link would restore and which records it would end, without consuming it. */
export async function lookAtEmailUndo(
  token: string,
  context: IdentityContext,
): Promise<{ readonly email: string; readonly ended: readonly StolenThings[] } | undefined> {
  const proof = await readUndo(token, context);
  if (proof === undefined) return undefined;
  const theft = { user: { id: proof.data.user_id }, since: sinceOf(proof) };
  return { email: proof.data.email, ended: await stolenThings(theft, context) };
}

const sinceOf = ({ data }: OpenProof<"email_undo">): Date => new Date(data.since ?? 0);

interface UndoneEmail {
  readonly before: User;
  readonly email: string;
  readonly kept: boolean;
  readonly ended: readonly StolenThings[];
  readonly at: Date;
}

/**
 * Restores the email address after a takeover, and ends sessions, tokens and the attacker's records
 * (`endStolen`, SS-15). Returns undefined if the link is no longer valid or another account now has the
 * address.
 */
export async function undoEmail(
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<UndoneEmail | undefined> {
  const { store } = context;
  const at = context.now();
  const seen = await readUndo(token, context);
  if (seen === undefined) return undefined;
  const { user_id: id, email, changed_at } = seen.data;
  const undone = await orTaken(
    store.transaction(async (tx): Promise<UndoneEmail | undefined> => {
      await tx.lock(userLock(id));
      const proof = await readUndo(token, context, tx);
      const before = await tx.find("users", { id });
      if (proof === undefined || before === undefined || !(await redeemProof(tx, proof))) return undefined;
      const since = sinceOf(proof);
      const kept = isStolenDeletion(before, since, at);
      const email_key = await freeKeyFor({ id, email }, tx);
      const changes = {
        ...{ email, email_key, email_verified_at: at, updated_at: at },
        ...usernameAfterEmail({ ...before, email, email_verified_at: at }),
      };
      await tx.update(
        "users",
        { id },
        {
          ...changes,
          ...(kept && { active: true, deletion_at: null }),
          email_locked_until: new Date(at.getTime() + emailLockHours * 3_600_000),
          tokens_not_before: endsUpTo(at, before),
          reset_links_not_before: at,
        },
      );
      const ended = await endStolen(tx, { user: { id }, since, origin, at }, context);
      await voidUndos(tx, id, { from: changed_at, until: at.getTime() }, context);
      const details = { before: { email: before.email }, after: { email }, undone: true };
      const of_user = { target_table: "users", target_id: id } as const;
      const by = { user: before, origin, at };
      await auditOwnAct(tx, context, by, { type: "user.updated", ...of_user, details });
      if (kept) {
        await auditOwnAct(tx, context, by, { type: "user.deletion_undone", ...of_user, details: null });
      }
      return { before, email, kept, ended, at };
    }),
    () => undefined,
  );
  // `tokens_not_before` has already made the user's sessions and tokens inactive; this call marks their rows
  // as ended.
  if (undone !== undefined) await store.endEverythingOf(id, "revoked", at);
  return undone;
}

interface TimeOfUndo {
  readonly from: number;
  readonly until: number;
}

async function voidUndos(
  tx: Transaction,
  user_id: string,
  time: TimeOfUndo,
  context: IdentityContext,
): Promise<void> {
  const left = (await formersOf(user_id, context, tx)).filter(({ changed_at }) => changed_at < time.from);
  await makeProof("former_emails", { place: user_id, bonds: {}, data: { addresses: left } }, context, tx);
  const kept = (await openProof("email_undone", user_id, {}, context, tx))?.data.times ?? [];
  // Every undo link from periods before `oldest` has expired.
  const oldest = time.until - purposes.email_undone.minutes * 60_000;
  const times = [...kept.filter(({ until }) => until >= oldest), time];
  await makeProof("email_undone", { place: user_id, bonds: {}, data: { times } }, context, tx);
}

async function readUndo(
  token: string,
  context: IdentityContext,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<OpenProof<"email_undo"> | undefined> {
  const proof = await openProof("email_undo", token, {}, context, reads);
  if (proof === undefined) return undefined;
  const { user_id, changed_at } = proof.data;
  const undone = (await openProof("email_undone", user_id, {}, context, reads))?.data.times ?? [];
  const isVoid = undone.some(({ from, until }) => changed_at >= from && changed_at <= until);
  return isVoid ? undefined : proof;
}
