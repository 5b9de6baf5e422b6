/** The mails of recoveries that are due, each once over all processes. */
import type { User } from "../../../records/definition/definition.ts";
import { hasPassed } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context.ts";
import { allMails, isWaiting, type Recovery, recoveryDelay } from "../../core/delayed_recovery.ts";

/** A mail that is due; `halfway` is left out where the end has come already. */
export interface DueMail {
  readonly stage: "halfway" | "end";
  readonly recovery: Recovery;
  readonly user: User;
}

/** The last mail about passkeys comes so much of the wait before its end: until then it can be cancelled. */
const lastPart = 1 / 12;

/** Recoveries that are read at once. */
const batch = 500;

/** Every recovery, the oldest first. */
export async function* allRecoveries({ store }: Pick<IdentityContext, "store">): AsyncGenerator<Recovery> {
  let after: string | undefined;
  for (;;) {
    const order = { order_by: "id", limit: batch, ...(after !== undefined && { after }) } as const;
    const rows = await store.list("recoveries", {}, order);
    yield* rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?.id;
  }
}

/**
 * Counts the mails that are due, each with `keep` in one commit, and answers them. What fails is left for the
 * next time and holds up no other; the first failure is thrown at the end.
 */
export async function dueRecoveryMails(
  context: IdentityContext,
  keep: (tx: Transaction, due: DueMail) => Promise<void>,
): Promise<readonly DueMail[]> {
  if (recoveryDelay(context) === 0) return [];
  const told: DueMail[] = [];
  const failures: unknown[] = [];
  for await (const seen of allRecoveries(context)) {
    if (mailsDue(seen, context.now()) <= seen.mails) continue;
    try {
      const due = await context.store.transaction((tx) => countMail(tx, seen, context, keep), {
        quiet: true,
      });
      if (due !== undefined) told.push(due);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return told;
}

async function countMail(
  tx: Transaction,
  { id, user_id }: Recovery,
  context: IdentityContext,
  keep: (tx: Transaction, due: DueMail) => Promise<void>,
): Promise<DueMail | undefined> {
  await tx.lock(userLock(user_id));
  const user = await tx.find("users", { id: user_id });
  const recovery = await tx.find("recoveries", { id });
  if (user === undefined || recovery === undefined || !isWaiting(recovery, user, context)) return undefined;
  const mails = mailsDue(recovery, context.now());
  if (mails <= recovery.mails) return undefined;
  // After a downtime the last mail still comes that long before the end.
  const soonest = new Date(context.now().getTime() + early(recovery));
  const due_at = mails === allMails && hasPassed(recovery.due_at, soonest) ? soonest : recovery.due_at;
  await tx.update("recoveries", { id }, { mails, due_at });
  const stage = mails === allMails ? "end" : "halfway";
  const due = { stage, recovery: { ...recovery, mails, due_at }, user } as const;
  await keep(tx, due);
  return due;
}

/** How long before the end the last mail comes, milliseconds. */
function early({ passkeys_only, halfway_at, due_at }: Recovery): number {
  const wait = 2 * (due_at.getTime() - halfway_at.getTime());
  return passkeys_only ? wait * lastPart : 0;
}

/** How many mails should have gone out. */
function mailsDue(recovery: Recovery, now: Date): number {
  const { halfway_at, due_at } = recovery;
  if (hasPassed(new Date(due_at.getTime() - early(recovery)), now)) return allMails;
  return hasPassed(halfway_at, now) ? 2 : 1;
}
