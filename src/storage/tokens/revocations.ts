/**
 * Ends records and everything that depends on them, so that an ended record has no active token
 * (docs/decisions/accounts.md).
 */
import { sql } from "kysely";
import type { OAuthConsent, Session } from "../../records/definition/definition.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { Database, Transaction } from "../database/database.ts";
import { firstId } from "../database/ids.ts";
import { rowBatches } from "../database/row_batches.ts";
import { arg, no } from "../database/statement.ts";
import type { endedGrantRules } from "./ended_grants.ts";
import type { endedTokenRules } from "./ended_tokens.ts";

/** The maximum of `POSTERN_AUTHORIZATION_CODE_TTL` in milliseconds. */
const longestCode = 600_000;

type OfConsent = Pick<OAuthConsent, "user_id" | "app_id">;

export function revocationRules(
  database: Database,
  {
    endTokensOfUser,
    endGrant,
  }: Pick<ReturnType<typeof endedTokenRules>, "endTokensOfUser"> &
    Pick<ReturnType<typeof endedGrantRules>, "endGrant">,
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

  async function endSessionsOf(user_id: string, now: Date, except: string = firstId): Promise<void> {
    await endSessions.all(user_id, { now, except }, [userLock(user_id)]);
  }

  const codesOfApp = rowBatches(
    database,
    "oauth_auth_codes",
    "user_id",
    (fits) =>
      sql`DELETE FROM oauth_auth_codes WHERE ${fits} AND app_id = ${arg.uuid("app_id")} AND used = ${no}`,
  );

  /** Codes older than `longestCode` have expired. */
  const removeCodesOfApp = (tx: Transaction, { user_id, app_id }: OfConsent, now: Date): Promise<void> =>
    codesOfApp.since(tx, user_id, new Date(now.getTime() - longestCode), { app_id });

  async function endTokensOfSession(
    tx: Transaction,
    { id, user_id }: Pick<Session, "id" | "user_id">,
    now: Date,
  ): Promise<void> {
    await endGrant(tx, { grant: "session", user_id, id }, "logout", now);
  }

  async function endSessionIn(
    tx: Transaction,
    session: Pick<Session, "id" | "user_id">,
    now: Date,
  ): Promise<void> {
    await tx.update("sessions", { id: session.id, ended_at: null }, { ended_at: now });
    await endTokensOfSession(tx, session, now);
  }

  /**
   * `tokens_not_before` does not invalidate remembered browsers and recoveries that were created while the
   * clock was ahead.
   */
  async function forgetBrowsers(tx: Transaction, user_id: string): Promise<void> {
    await tx.remove("devices", { user_id });
    await tx.remove("recoveries", { user_id });
  }

  return {
    forgetBrowsers,
    endTokensOfSession,

    endSessionIn,

    /** Tokens with the scope `offline_access` are not revoked (design 6.8). */
    async endSession(id: string, now: Date) {
      const session = await database.find("sessions", { id });
      if (session === undefined) return;
      await database.transaction(async (tx) => {
        await tx.lock(userLock(session.user_id));
        await endSessionIn(tx, session, now);
      });
    },

    endSessionsOf,

    removeCodesOfApp,

    /** Call it in a transaction that holds the user's lock. */
    async endGivenToApp(tx: Transaction, { user_id, app_id }: OfConsent, now: Date): Promise<void> {
      await endGrant(tx, { grant: "app", user_id, id: app_id }, "consent_withdrawn", now);
      await removeCodesOfApp(tx, { user_id, app_id }, now);
    },

    /**
     * Ends everything of a user (design 6.8) except the session `except`. `tokens_not_before` has already
     * invalidated all of it, so the rows end in batches.
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
