/**
 * Queues back-channel logout tokens in the transaction that ends a session (docs/decisions/events.md). A
 * session ends if it is marked as ended, if it expires, or if it began no later than its user's
 * `tokens_not_before`.
 */

import { type RawBuilder, sql } from "kysely";
import {
  type DeliveryKindName,
  type DeliveryState,
  deliveriesKept,
  mostSingleNotices,
  mostWaiting,
} from "../../records/names/deliveries.ts";
import { lastMoment } from "../../records/names/liveness.ts";
import { rowIsActive } from "./active_rows.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection } from "./driver.ts";
import type { Feed } from "./feed.ts";
import { firstId } from "./ids.ts";
import { arg, statement, yes } from "./statement.ts";

/**
 * Queues logout tokens for the apps used in ending sessions. Deletes the sessions' rows of `session_apps`, so
 * that each app is notified once.
 */
export interface LogoutNotices {
  ofSession(connection: Connection, session_id: string, at: Date): Promise<void>;
  /**
   * Queues logout tokens for the user's sessions that began at or before `up_to` (default: all), except the
   * session `except`.
   */
  ofUser(
    connection: Connection,
    user_id: string,
    at: Date,
    which?: { readonly up_to?: Date; readonly except?: string | undefined },
  ): Promise<void>;
  ofExpired(connection: Connection, at: Date, which: ExpiredSessions): Promise<void>;
}

interface ExpiredSessions {
  readonly after: string;
  readonly bound: string;
  readonly expired: Date;
  /** A session without its own idle timeout has expired if it was last used at or before this time. */
  readonly idle_since: Date;
}

/**
 * If `feed` is given, `ofSession` and `ofUser` also write an event of the event feed for each ended session.
 */
export function logoutNotices(dialect: Dialect, newId: (now: Date) => string, feed?: Feed): LogoutNotices {
  const kind: DeliveryKindName = "logout_token";
  const waits: DeliveryState = "waiting";
  const givenUp: DeliveryState = "given_up";
  const tooMany = sql<boolean>`(SELECT count(*) FROM (
    SELECT 1 FROM deliveries AS w WHERE w.target_id = e.app_id AND w.state = ${sql.lit(waits)}
    LIMIT ${sql.lit(mostWaiting)}) AS counted) >= ${sql.lit(mostWaiting)}`;

  // If many sessions of an app end, it gets a single logout token for the user, unless it requires session
  // IDs.
  const fewOrNamed = sql<boolean>`(e.together <= ${sql.lit(mostSingleNotices)} OR o.backchannel_logout_session_required)`;

  const statementsOf = (which: RawBuilder<boolean>, single = fewOrNamed) => {
    const ending = sql`session_apps AS a JOIN sessions AS s ON s.id = a.session_id
      WHERE ${which}`;
    return {
      notify: statement(
        dialect,
        "deliveries",
        () => sql`INSERT INTO deliveries (id, kind, target_id, organization_id, subject_key, event_id, state,
            due_at, attempt, last_fault, expires_at, created_at)
          SELECT ${dialect.idLike(arg.string("like"))}, ${sql.lit(kind)}, o.id, o.organization_id,
            ${dialect.idText(sql.ref("e.user_id"))},
            CASE WHEN ${single} THEN ${dialect.idText(sql.ref("e.session_id"))} END,
            CASE WHEN ${tooMany} THEN ${sql.lit(givenUp)} ELSE ${sql.lit(waits)} END,
            ${arg.time("at")}, 0, CASE WHEN ${tooMany} THEN 'too_many_waiting' END,
            ${arg.time("expires_at")}, ${arg.time("at")}
          FROM (SELECT a.app_id, a.session_id, s.user_id,
              count(*) OVER (PARTITION BY a.app_id) AS together,
              row_number() OVER (PARTITION BY a.app_id ORDER BY a.session_id) AS place
            FROM ${ending}) AS e
          JOIN oauth_apps AS o ON o.id = e.app_id
          WHERE o.backchannel_logout_uri IS NOT NULL AND o.active = ${yes} AND o.revoked_at IS NULL AND (${single} OR e.place = 1)`,
      ),
      forget: statement(
        dialect,
        "session_apps",
        () => sql`DELETE FROM session_apps WHERE id IN (SELECT a.id FROM ${ending})`,
      ),
    };
  };
  const isSession = sql<boolean>`s.id = ${arg.uuid("of")}`;
  const ofSession = { ...statementsOf(isSession), tell: feed?.sessionsEnded(isSession) };
  const isOfUser = sql<boolean>`s.user_id = ${arg.uuid("of")} AND s.authenticated_at <= ${arg.time("up_to")}
    AND s.id <> ${arg.uuid("except")}`;
  const ofUser = { ...statementsOf(isOfUser), tell: feed?.sessionsEnded(isOfUser) };
  // A token for the whole user would end sessions that are still active.
  const ofExpired: typeof ofUser = {
    tell: undefined,
    ...statementsOf(
      sql<boolean>`a.id > ${arg.uuid("after")} AND a.id <= ${arg.uuid("bound")} AND s.ended_at IS NULL
      AND NOT (${rowIsActive.session("s", arg.time("expired"), arg.time("idle_since"))})`,
      yes,
    ),
  };

  async function write(
    { tell, notify, forget }: typeof ofSession,
    connection: Connection,
    at: Date,
    about: { readonly of: string; readonly up_to?: Date; readonly except?: string } | ExpiredSessions,
  ) {
    const expires_at = new Date(Math.min(at.getTime() + deliveriesKept.waiting, lastMoment.getTime()));
    const args = { ...about, at, expires_at, like: newId(at) };
    await tell?.run(connection, args);
    await notify.run(connection, args);
    await forget.run(connection, args);
  }

  return {
    ofSession: (connection, of, at) => write(ofSession, connection, at, { of }),
    ofUser: (connection, of, at, { up_to = lastMoment, except = firstId } = {}) =>
      write(ofUser, connection, at, { of, up_to, except }),
    ofExpired: (connection, at, which) => write(ofExpired, connection, at, which),
  };
}
