/** The conditions under which rows may be swept. */
import { type RawBuilder, sql } from "kysely";
import { lastMoment, sessionRowDays } from "../../records/names/liveness.ts";
import { arg } from "../database/statement.ts";

/**
 * The swept tables. Codes come before tokens, so a code whose last active token has expired is removed in the
 * same sweep.
 */
export const sweptTables = [
  "oauth_auth_codes",
  "oauth_tokens",
  "sessions",
  "ephemera",
  "audit_events",
  "refusals",
  "statistics",
  "invitations",
  "devices",
  "recoveries",
  "deliveries",
  "events",
] as const;
export type Swept = (typeof sweptTables)[number];

/** Days for which rows are stored; 0 or undefined means forever. */
export interface Retention {
  readonly audit_events?: number;
  readonly events?: number;
  /**
   * Days for which `client_ip` and `user_agent` of ended records, audit events and refusals are stored
   * (H-11).
   */
  readonly addresses?: number;
  /**
   * Whether apps are notified of expired sessions. If so, the rows of expired sessions are stored until the
   * notification, for at most a day.
   */
  readonly notify_on_expiry?: boolean;
}

const now = arg.time("now");
const before = arg.time("before");

/**
 * Returns whether a token of this family is active. The newest token is checked first, because it is most
 * likely to be active. A family that was rotated for weeks has thousands of used tokens.
 */
export const familyLives = (family_id: string) => sql<boolean>`(
  SELECT 1 FROM oauth_tokens l
  WHERE l.family_id = ${sql.ref(family_id)} AND l.user_id IS NOT NULL AND NOT l.revoked
    AND (l.access_expires_at > ${now} OR l.refresh_expires_at > ${now})
  ORDER BY l.id DESC LIMIT 1
) IS NOT NULL`;

const pastToken = sql<boolean>`t.access_expires_at <= ${now}
  AND (t.refresh_expires_at IS NULL OR t.refresh_expires_at <= ${now} OR t.revoked)`;

/**
 * The conditions under which the row `t` itself is no longer needed. It may still be needed to detect a
 * replay in its token family.
 */
export const past = {
  oauth_tokens: pastToken,
  oauth_auth_codes: sql<boolean>`t.expires_at <= ${now}`,
} satisfies Partial<Record<Swept, unknown>>;

/** Tokens that are not needed to detect a replay, so they can be removed as soon as they have ended. */
const staysForNone = sql<boolean>`(t.user_id IS NULL OR t.refresh_expires_at IS NULL)`;

/** The removable rows of each table; `t` is the row. */
export const dead: Record<Swept, ReturnType<typeof sql<boolean>>> = {
  oauth_tokens: sql<boolean>`${pastToken} AND (${staysForNone} OR NOT ${familyLives("t.family_id")})`,
  oauth_auth_codes: sql<boolean>`${past.oauth_auth_codes} AND (NOT t.used OR NOT ${familyLives("t.id")})`,
  sessions: sql<boolean>`t.expires_at <= ${now} AND t.created_at <= ${arg.time("sessions_before")}
    AND (t.expires_at <= ${arg.time("told_before")}
      OR NOT EXISTS (SELECT 1 FROM session_apps AS a WHERE a.session_id = t.id))`,
  ephemera: sql<boolean>`t.expires_at <= ${now}`,
  audit_events: sql<boolean>`t.created_at <= ${arg.time("events_before")}`,
  refusals: sql<boolean>`t.expires_at <= ${now}`,
  statistics: sql<boolean>`t.hour <= ${arg.time("hours_before")}`,
  invitations: sql<boolean>`t.expires_at <= ${now}`,
  devices: sql<boolean>`t.expires_at <= ${now}`,
  recoveries: sql<boolean>`t.expires_at <= ${now}`,
  // The deliveries to a paused target do not expire, so they are removed once the target is deleted.
  deliveries: sql<boolean>`(t.expires_at <= ${now} OR (t.expires_at = ${arg.time("held_until")}
    AND NOT EXISTS (SELECT 1 FROM webhook_endpoints AS w WHERE w.id = t.target_id)
    AND NOT EXISTS (SELECT 1 FROM signal_streams AS s WHERE s.app_id = t.target_id)))`,
  // Selects by position, so no gap appears after the oldest event. The newest event stays, because the next
  // position follows it.
  events: sql<boolean>`t.position IS NOT NULL AND t.position < coalesce(
    (SELECT min(e.position) FROM events AS e WHERE e.created_at > ${arg.time("told_until")}),
    (SELECT max(e.position) FROM events AS e))`,
};

/**
 * Returns the ids of a table's removable rows that satisfy `within`. Each token family is checked once,
 * because a check per row would read a long family once for each of its rows.
 */
export function deadRows(table: Swept, within: RawBuilder<unknown>): RawBuilder<{ id: string }> {
  if (table !== "oauth_tokens")
    return sql`SELECT t.id FROM ${sql.table(table)} AS t WHERE ${within} AND ${dead[table]}`;
  return sql`WITH due AS MATERIALIZED (
      SELECT t.id, CASE WHEN ${staysForNone} THEN NULL ELSE t.family_id END AS family_id
      FROM oauth_tokens AS t WHERE ${within} AND ${pastToken}
    )
    SELECT id FROM due WHERE family_id IS NULL OR family_id IN (
      SELECT f.family_id FROM (SELECT DISTINCT family_id FROM due WHERE family_id IS NOT NULL) AS f
      WHERE NOT ${familyLives("f.family_id")}
    )`;
}

/**
 * For each table with request data, the condition that a row ended so long ago that its `client_ip` and
 * `user_agent` are removed.
 */
export const endedLongAgo: Partial<Record<Swept, ReturnType<typeof sql<boolean>>>> = {
  oauth_tokens: sql<boolean>`(revoked_at <= ${before} OR (access_expires_at <= ${before}
    AND (refresh_expires_at IS NULL OR refresh_expires_at <= ${before})))`,
  oauth_auth_codes: sql<boolean>`expires_at <= ${before}`,
  sessions: sql<boolean>`(ended_at <= ${before} OR expires_at <= ${before})`,
  audit_events: sql<boolean>`created_at <= ${before}`,
  refusals: sql<boolean>`created_at <= ${before}`,
};

/**
 * Days for which hourly counts are stored: a little more than a year, so recent weeks can be compared with
 * the same weeks a year earlier.
 */
const statisticsRetention = 400;

/** A time before every stored one. */
export const never = new Date("0001-01-01T00:00:00.000Z");

function daysBefore(moment: Date, days = 0): Date {
  return days === 0 ? never : new Date(moment.getTime() - days * 86_400_000);
}

/** Returns the moments on which the conditions depend. */
export function momentsOf(moment: Date, { audit_events, events, addresses, notify_on_expiry }: Retention) {
  return {
    now: moment,
    events_before: daysBefore(moment, audit_events),
    told_until: daysBefore(moment, events),
    hours_before: daysBefore(moment, statisticsRetention),
    sessions_before: daysBefore(moment, sessionRowDays),
    told_before: notify_on_expiry === true ? daysBefore(moment, 1) : moment,
    before: daysBefore(moment, addresses),
    held_until: lastMoment,
  };
}
export type Moments = ReturnType<typeof momentsOf>;
