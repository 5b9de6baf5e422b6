/**
 * How things end. Whatever is ended or deleted leaves no live token behind; each relation has its decision
 * here and in the foreign keys of the first migration (docs/decisions: what deleting a record does).
 */
import { sql } from "kysely";
import { userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { Database, Transaction } from "../database/database.ts";
import { firstId } from "../database/ids.ts";
import { rowBatches } from "../database/row_batches.ts";
import { arg, no, statement, yes } from "../database/statement.ts";
import type { endedTokenRules } from "./ended_tokens.ts";

export function revocationRules(
  database: Database,
  { endTokensOfUser }: Pick<ReturnType<typeof endedTokenRules>, "endTokensOfUser">,
) {
  const endSessions = rowBatches(
    database,
    "sessions",
    "user_id",
    (fits) => sql`UPDATE sessions SET ended_at = ${arg.time("now")}
      WHERE ${fits} AND ended_at IS NULL AND id <> ${arg.uuid("except")}`,
  );
  const removeCodes = rowBatches(
    database,
    "oauth_auth_codes",
    "user_id",
    (fits) => sql`DELETE FROM oauth_auth_codes WHERE ${fits} AND used = ${no}`,
  );

  /** Ends every session of a user but `except`. */
  async function endSessionsOf(user_id: string, now: Date, except: string = firstId): Promise<void> {
    await endSessions.all(user_id, { now, except }, [userLock(user_id)]);
  }

  const { dialect } = database;
  const offlineScope = sql.lit(" offline_access ");
  /** As `isOffline`: a scope between spaces. */
  const offline =
    dialect.name === "sqlite"
      ? sql<boolean>`instr(' ' || coalesce(json_extract(request_data, '$.scope'), '') || ' ', ${offlineScope}) > 0`
      : sql<boolean>`strpos(' ' || coalesce(CAST(request_data AS json) ->> 'scope', '') || ' ', ${offlineScope}) > 0`;
  const endTokens = statement(
    dialect,
    "oauth_tokens",
    () => sql`UPDATE oauth_tokens
      SET revoked = ${yes}, revoked_at = ${arg.time("now")}, revoked_reason = 'logout'
      WHERE session_id = ${arg.string("session_id")} AND revoked = ${no} AND NOT ${offline}`,
  );

  /** Ends the tokens of a session but those granted with `offline_access`, in a transaction. */
  async function endTokensOfSession(tx: Transaction, session_id: string, now: Date): Promise<void> {
    await endTokens.run(tx.connection, { session_id, now });
  }

  async function endSessionIn(tx: Transaction, id: string, now: Date): Promise<void> {
    await tx.update("sessions", { id, ended_at: null }, { ended_at: now });
    await endTokensOfSession(tx, id, now);
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
    endTokensOfSession,

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

    endSessionsOf,

    /**
     * Ends every session of a user but `except`, every token of theirs, and what `forgetBrowsers` says: a
     * password change (design 6.8). All are dead by `tokens_not_before` already, so they end in batches.
     */
    async endEverythingOf(user_id: string, reason: RevokedReason, now: Date, except?: string) {
      await endSessionsOf(user_id, now, except);
      await endTokensOfUser(user_id, reason, now);
      await removeCodes.all(user_id, {}, [userLock(user_id)]);
      await database.transaction(async (tx) => {
        await tx.lock(userLock(user_id));
        await forgetBrowsers(tx, user_id);
      });
    },
  };
}
