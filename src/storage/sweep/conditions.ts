/** SQL conditions for rows that can be deleted. */
import { type RawBuilder, sql } from "kysely";
import { lastMoment, sessionRowDays } from "../../records/names/liveness.ts";
import { arg } from "../database/statement.ts";

/** Tables from which expired rows are deleted, in this order. */
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

/** In days; 0 or undefined means forever. */
export interface Retention {
  readonly audit_events?: number;
  readonly events?: number;
  /** In days, after a record has ended, or an event or refusal has occurred (H-11). */
  readonly addresses?: number;
  /** The rows of expired sessions are kept until apps have been notified, for at most a day. */
  readonly notify_on_expiry?: boolean;
}

const now = arg.time("now");
const before = arg.time("before");

/**
 * Returns the condition that a token of this family (all tokens of one authorization) is active. Checks the
 * newest token first, because a family may have thousands of used ones.
 */
export const familyLives = (family_id: string) => sql<boolean>`(
  SELECT 1 FROM oauth_tokens l
  WHERE l.family_id = ${sql.ref(family_id)} AND l.user_id IS NOT NULL AND NOT l.revoked
    AND (l.access_expires_at > ${now} OR l.refresh_expires_at > ${now})
  ORDER BY l.id DESC LIMIT 1
) IS NOT NULL`;

const pastToken = sql<boolean>`t.access_expires_at <= ${now}
  AND (t.refresh_expires_at IS NULL OR t.refresh_expires_at <= ${now} OR t.revoked)`;

/** Conditions for rows that have expired, but may still be needed to detect the reuse of a code or token. */
export const past = {
  oauth_tokens: pastToken,
  oauth_auth_codes: sql<boolean>`t.expires_at <= ${now}`,
} satisfies Partial<Record<Swept, unknown>>;

/** The reuse of these tokens need not be detected, so they can be deleted once they have ended. */
const staysForNone = sql<boolean>`(t.user_id IS NULL OR t.refresh_expires_at IS NULL)`;

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
  // Deliveries to a paused target do not expire.
  deliveries: sql<boolean>`(t.expires_at <= ${now} OR (t.expires_at = ${arg.time("held_until")}
    AND NOT EXISTS (SELECT 1 FROM webhook_endpoints AS w WHERE w.id = t.target_id)
    AND NOT EXISTS (SELECT 1 FROM signal_streams AS s WHERE s.app_id = t.target_id)))`,
  // Deletion by position leaves no gaps. The newest event is kept, because the next position follows it.
  events: sql<boolean>`t.position IS NOT NULL AND t.position < coalesce(
    (SELECT min(e.position) FROM events AS e WHERE e.created_at > ${arg.time("told_until")}),
    (SELECT max(e.position) FROM events AS e))`,
};

/**
 * Returns a query for the IDs of deletable rows that satisfy `within`. It checks each token family once
 * instead of once per row.
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

/** The condition under which `client_ip` and `user_agent` of a row can be cleared. */
export const endedLongAgo: Partial<Record<Swept, ReturnType<typeof sql<boolean>>>> = {
  oauth_tokens: sql<boolean>`(revoked_at <= ${before} OR (access_expires_at <= ${before}
    AND (refresh_expires_at IS NULL OR refresh_expires_at <= ${before})))`,
  oauth_auth_codes: sql<boolean>`expires_at <= ${before}`,
  sessions: sql<boolean>`(ended_at <= ${before} OR expires_at <= ${before})`,
  audit_events: sql<boolean>`created_at <= ${before}`,
  refusals: sql<boolean>`created_at <= ${before}`,
};

/** In days, so that weeks can be compared with those of the previous year. */
const statisticsRetention = 400;

export const never = new Date("0001-01-01T00:00:00.000Z");

function daysBefore(moment: Date, days = 0): Date {
  return days === 0 ? never : new Date(moment.getTime() - days * 86_400_000);
}

/** Returns the arguments of the conditions for this time. */
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
