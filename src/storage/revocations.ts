/**
 * How things end. Whatever is ended or deleted leaves no live token behind; each relation has its decision
 * here and in the foreign keys of the first migration (docs/decisions: what deleting a record does).
 */
import { sql } from "kysely";
import { userLock } from "../records/lock_names.ts";
import type { RevokedReason } from "../records/names.ts";
import { isOffline } from "../records/request_data.ts";
import type { Database, Transaction } from "./database.ts";
import { firstId } from "./ids.ts";
import { arg, no, statement, yes } from "./statement.ts";

/** Milliseconds that ending everything of one user may take, however much that is. */
const maxWait = 60_000;

export function revocationRules(database: Database) {
  const { dialect } = database;

  const endSessionsOf = statement(dialect, "sessions", (query) =>
    query
      .updateTable("sessions")
      .set({ ended_at: arg.time("now") })
      .where("user_id", "=", arg.uuid("user_id"))
      .where("ended_at", "is", null)
      .where(sql<boolean>`id <> ${arg.uuid("except")}`),
  );
  const endTokensOfUser = statement(dialect, "oauth_tokens", (query) =>
    query
      .updateTable("oauth_tokens")
      .set({ revoked: yes, revoked_at: arg.time("now"), revoked_reason: arg.string("reason") })
      .where("user_id", "=", arg.uuid("user_id"))
      .where("revoked", "=", no),
  );
  async function endSessionIn(tx: Transaction, id: string, now: Date): Promise<void> {
    await tx.update("sessions", { id, ended_at: null }, { ended_at: now });
    for (const token of await tx.list("oauth_tokens", { session_id: id, revoked: false })) {
      if (isOffline(token.request_data)) continue;
      await tx.update(
        "oauth_tokens",
        { id: token.id },
        { revoked: true, revoked_at: now, revoked_reason: "logout" },
      );
    }
  }

  /**
   * Removes the remembered browsers and the waiting recoveries of a user. The ending of their tokens has
   * ended them; one that a clock noted which was ahead would outlive it.
   */
  async function forgetBrowsers(tx: Transaction, user_id: string): Promise<void> {
    await tx.remove("devices", { user_id });
    await tx.remove("recoveries", { user_id });
  }

  return {
    forgetBrowsers,

    /** As `endSession`, in a transaction that holds the lock of the session's user. */
    endSessionIn,

    /** Ends a session, and its tokens but those granted with `offline_access` (design 6.8). */
    async endSession(id: string, now: Date) {
      const session = await database.find("sessions", { id });
      if (session === undefined) return;
      await database.transaction(async (tx) => {
        await tx.lock(userLock(session.user_id));
        await endSessionIn(tx, id, now);
      });
    },

    /**
     * Ends every session of a user but `except`, every token of theirs, and what `forgetBrowsers` says: a
     * password change (design 6.8).
     */
    async endEverythingOf(user_id: string, reason: RevokedReason, now: Date, except: string = firstId) {
      await database.transaction(
        async (tx) => {
          await tx.lock(userLock(user_id));
          await endSessionsOf.run(tx.connection, { user_id, now, except });
          await endTokensOfUser.run(tx.connection, { user_id, reason, now });
          await tx.remove("oauth_auth_codes", { user_id, used: false });
          await forgetBrowsers(tx, user_id);
        },
        { maxWait },
      );
    },
  };
}
