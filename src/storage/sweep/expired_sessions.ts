/**
 * Notifies apps of expired sessions (`POSTERN_NOTIFY_ON_EXPIRY`). It reads all apps used in sessions, in
 * batches, because no index finds expired sessions.
 */
import { clocksDiffer, idleSince } from "../../records/names/liveness.ts";
import { sweepLock } from "../../records/names/lock_names.ts";
import type { Database } from "../database/database.ts";
import { firstId, lastId } from "../database/ids.ts";
import { arg, statement } from "../database/statement.ts";

export function expiredSessionRules(database: Database) {
  const bound = statement<{ id: string }>(database.dialect, "session_apps", (query) =>
    query
      .selectFrom("session_apps")
      .select("id")
      .where("id", ">", arg.uuid("after"))
      .orderBy("id")
      .limit(1)
      .offset(arg.int("skip")),
  );
  let after = firstId;

  return {
    /** The next call continues where this one stopped, and after the last row starts over. */
    async notifyOfExpired(
      now: Date,
      { batch = 500, batches = 20 }: { batch?: number; batches?: number } = {},
    ): Promise<void> {
      // A process whose clock is slow may still extend the session.
      const expired = new Date(now.getTime() - clocksDiffer);
      for (let turn = 0; turn < batches; turn++) {
        const end = await bound.first(database.driver, { after, skip: batch - 1 });
        const args = { after, bound: end?.id ?? lastId, expired, idle_since: idleSince(expired) };
        await database.transaction(async (tx) => {
          await tx.lock(sweepLock());
          tx.changed("session_apps");
          await database.notices.ofExpired(tx.connection, now, args);
        });
        after = end?.id ?? firstId;
        if (end === undefined) return;
      }
    },
  };
}
