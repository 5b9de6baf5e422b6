/** Removing the accounts whose users asked for it 14 days ago (SS-12). */
import type { User } from "../../records/definition.ts";
import { userLock } from "../../records/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { deleteRecord, type Transaction } from "../changes.ts";
import { notFound } from "../faults.ts";
import { removeUser } from "./removals.ts";

/** Accounts that are removed in one go: nobody else waits long behind them. */
const mostAtOnce = 20;

const longAgo = new Date(0);

/**
 * Removes the accounts that are due, and answers how many. What cannot be removed yet is left for the next
 * time, and `warn` of the context hears of it.
 */
export async function removeDueUsers(context: AdminContext): Promise<number> {
  const { store } = context;
  const at = context.now();
  const isDue = ({ active, deletion_at }: User) => !active && deletion_at !== null && deletion_at <= at;
  const oldest = { order_by: "deletion_at", after: longAgo, limit: mostAtOnce } as const;
  let removed = 0;
  for (const user of (await store.list("users", { active: false }, oldest)).filter(isDue)) {
    const { id } = user;
    try {
      await deleteRecord(context, "users", id, {
        locks: [userLock(id)],
        expected(current) {
          if (!isDue(current)) throw notFound("users", id);
        },
        async remove(tx) {
          await removeUser(tx, context, id, at, undefined);
          await forgetPerson(tx, id);
        },
      });
    } catch (error) {
      context.warn?.(`the account ${id} is due to be deleted and cannot be: ${String(error)}`);
      continue;
    }
    removed += 1;
  }
  return removed;
}

/** The audit keeps what happened, with the id in place of the person. */
async function forgetPerson(tx: Transaction, id: string): Promise<void> {
  const nowhere = { client_ip: null, user_agent: null };
  await tx.update("audit_events", { actor_id: id, actor_kind: "user" }, nowhere);
  await tx.update("audit_events", { target_table: "users", target_id: id }, { details: null });
  await tx.update("audit_events", { actor_id: id, type: "invitation.accepted" }, { details: null });
}
