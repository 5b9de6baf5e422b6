import { Problem } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { clocksDiffer } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { deleteRecord } from "../changes/removal.ts";
import { removeUser, requireSuccessor } from "./removals.ts";

/** Bounds the deletions in one run, so that other work does not wait long. */
const mostAtOnce = 20;
const batch = 100;
const hour = 3_600_000;
/** The pause before a failed deletion is retried, in milliseconds. Each failure doubles it. */
const [shortestPause, longestPause] = [hour, 24 * hour];

const longAgo = new Date(0);

export type StuckAccounts = Map<
  string,
  { readonly why: string; readonly pause: number; readonly until: Date }
>;

/**
 * Tries to delete at most `mostAtOnce` accounts whose deletion is due, and returns how many it deleted.
 * `stuck` remembers accounts that could not be deleted and when to retry them, so that they do not delay
 * others.
 */
export async function removeDueUsers(
  context: AdminContext,
  stuck: StuckAccounts = new Map(),
): Promise<number> {
  const at = context.now();
  const due = new Set<string>();
  const again: string[] = [];
  let tried = 0;
  let removed = 0;
  for await (const { id } of dueUsers(context, at)) {
    due.add(id);
    const until = stuck.get(id)?.until;
    if (until !== undefined && until <= at) again.push(id);
    if (until !== undefined || tried === mostAtOnce) continue;
    tried += 1;
    if (await removeDue(context, id, stuck)) removed += 1;
  }
  // Retries come last, so that they do not delay accounts that were not tried yet.
  for (const id of again.slice(0, mostAtOnce - tried)) if (await removeDue(context, id, stuck)) removed += 1;
  for (const id of stuck.keys()) if (!due.has(id)) stuck.delete(id);
  return removed;
}

const isDue = ({ active, deletion_at }: User, at: Date): boolean =>
  !active && deletion_at !== null && deletion_at <= at;

/** Yields the accounts whose deletion is due at `at`, in the order in which they became due. */
export async function* dueUsers({ store }: Pick<AdminContext, "store">, at: Date): AsyncGenerator<User> {
  const seen = new Set<string>();
  let after = longAgo;
  for (;;) {
    const order = { order_by: "deletion_at", after, limit: batch } as const;
    const rows = await store.list("users", { active: false }, order);
    const fresh = rows.filter((user) => isDue(user, at) && !seen.has(user.id));
    for (const user of fresh) seen.add(user.id);
    yield* fresh;
    const last = rows.at(-1)?.deletion_at;
    if (fresh.length === 0 || rows.length < batch || !last) return;
    // Several accounts can be due at the same time, so the next page starts a millisecond earlier; `seen`
    // skips repeated rows.
    after = new Date(last.getTime() - 1);
  }
}

async function removeDue(context: AdminContext, id: string, stuck: StuckAccounts): Promise<boolean> {
  const at = context.now();
  let is_over = false;
  try {
    await deleteRecord(context, "users", id, {
      locks: [userLock(id)],
      expected(current) {
        is_over = !isDue(current, at);
        if (is_over) throw notFound("users", id);
      },
      check: (tx) => requireSuccessor(tx, id, undefined),
      more: { isMany: async () => true, remove: () => context.store.forgetPerson(id) },
      async remove(tx) {
        await removeUser(tx, context, id, at, undefined);
        await context.store.forgetPersonSince(tx, id, new Date(at.getTime() - clocksDiffer));
      },
    });
    stuck.delete(id);
    return true;
  } catch (error) {
    // Either the user canceled the deletion, or another process has already deleted the account.
    if (is_over || (error instanceof Problem && error.code === "not_found")) {
      stuck.delete(id);
      return false;
    }
    const before = stuck.get(id);
    const why = String(error);
    if (before?.why !== why) {
      context.warn?.(
        `the account ${id} is due for deletion but cannot be deleted: ${why}; the deletion will be retried`,
      );
    }
    const pause = Math.min(longestPause, before === undefined ? shortestPause : 2 * before.pause);
    stuck.set(id, { why, pause, until: new Date(at.getTime() + pause) });
    return false;
  }
}
