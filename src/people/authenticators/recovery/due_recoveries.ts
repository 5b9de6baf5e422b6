import type { User } from "../../../records/definition/definition.ts";
import { hasPassed } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { allMails, isWaiting, type Recovery, recoveryDelay } from "../../core/delayed_recovery.ts";

interface DueMail {
  readonly stage: "halfway" | "ready";
  readonly recovery: Recovery;
  readonly user: User;
}

/**
 * The last email about passkeys is sent when this fraction of the wait is left, so the user can still cancel.
 */
const lastPart = 1 / 12;

const batch = 500;

async function* allRecoveries({ store }: Pick<IdentityContext, "store">): AsyncGenerator<Recovery> {
  let after: string | undefined;
  for (;;) {
    const order = { order_by: "id", limit: batch, ...(after !== undefined && { after }) } as const;
    const rows = await store.list("recoveries", {}, order);
    yield* rows;
    if (rows.length < batch) return;
    after = rows.at(-1)?.id;
  }
}

export interface LockedRecovery {
  readonly user: User;
  readonly recovery: Recovery;
}

/**
 * Runs `work` on each pending recovery that is due, in one transaction each. A recovery that fails is left
 * for the next run; the first error is thrown at the end.
 */
export async function withDueRecoveries<T>(
  { isDue, quiet }: { readonly isDue: (recovery: Recovery) => boolean; readonly quiet: boolean },
  work: (tx: Transaction, locked: LockedRecovery) => Promise<T>,
  context: IdentityContext,
): Promise<readonly T[]> {
  if (recoveryDelay(context) === 0) return [];
  const done: T[] = [];
  const failures: unknown[] = [];
  for await (const seen of allRecoveries(context)) {
    if (!isDue(seen)) continue;
    const workOn = async (tx: Transaction): Promise<T[]> => {
      await tx.lock(userLock(seen.user_id));
      const user = await tx.find("users", { id: seen.user_id });
      const recovery = await tx.find("recoveries", { id: seen.id });
      if (user === undefined || recovery === undefined) return [];
      if (!isWaiting(recovery, user, context) || !isDue(recovery)) return [];
      return [await work(tx, { user, recovery })];
    };
    try {
      done.push(...(await context.store.transaction(workOn, { quiet })));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return done;
}

/**
 * Returns the emails that are due, and counts them in `mails`. `keep` stores each email in the same
 * transaction.
 */
export async function dueRecoveryMails(
  context: IdentityContext,
  keep: (tx: Transaction, due: DueMail) => Promise<void>,
): Promise<readonly DueMail[]> {
  const { now } = context;
  const isDue = (recovery: Recovery) => mailsDue(recovery, now()) > recovery.mails;
  const count = async (tx: Transaction, { user, recovery }: LockedRecovery): Promise<DueMail> => {
    const mails = mailsDue(recovery, now());
    // After downtime, the removal of passkeys is postponed, so the user still has time to cancel after the
    // last email.
    const soonest = new Date(now().getTime() + early(recovery));
    const due_at = mails === allMails && hasPassed(recovery.due_at, soonest) ? soonest : recovery.due_at;
    await tx.update("recoveries", { id: recovery.id }, { mails, due_at });
    const stage = mails === allMails ? "ready" : "halfway";
    const due = { stage, recovery: { ...recovery, mails, due_at }, user } as const;
    await keep(tx, due);
    return due;
  };
  return withDueRecoveries({ isDue, quiet: true }, count, context);
}

/** Returns how long before `due_at` the last email of a recovery is due, in milliseconds. */
function early({ passkeys_only, halfway_at, due_at }: Recovery): number {
  const wait = 2 * (due_at.getTime() - halfway_at.getTime());
  return passkeys_only ? wait * lastPart : 0;
}

function mailsDue(recovery: Recovery, now: Date): number {
  const { halfway_at, due_at } = recovery;
  if (hasPassed(new Date(due_at.getTime() - early(recovery)), now)) return allMails;
  return hasPassed(halfway_at, now) ? 2 : 1;
}
