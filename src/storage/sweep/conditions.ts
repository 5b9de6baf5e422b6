/** What may be swept, and when. */
import { sql } from "kysely";
import { arg } from "../statement.ts";

/** Codes before tokens: a code whose last live token expired goes in the same sweep. */
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
] as const;
export type Swept = (typeof sweptTables)[number];

/** For how many days things are kept; 0 is for ever, and so is what is not given. */
export interface Retention {
  readonly audit_events?: number;
  /** `client_ip` and `user_agent` of what has ended, and of audit events and refusals (H-11). */
  readonly addresses?: number;
}

const now = arg.time("now");
const before = arg.time("before");

const familyLives = (family_id: string) => sql<boolean>`EXISTS (
  SELECT 1 FROM oauth_tokens l
  WHERE l.family_id = ${sql.ref(family_id)} AND l.user_id IS NOT NULL AND NOT l.revoked
    AND (l.access_expires_at > ${now} OR l.refresh_expires_at > ${now})
)`;

/** What may go, of each table; `t` is the row. */
export const dead: Record<Swept, ReturnType<typeof sql<boolean>>> = {
  oauth_tokens: sql<boolean>`t.access_expires_at <= ${now}
    AND (t.refresh_expires_at IS NULL OR t.refresh_expires_at <= ${now} OR t.revoked)
    AND (t.user_id IS NULL OR NOT ${familyLives("t.family_id")})`,
  oauth_auth_codes: sql<boolean>`t.expires_at <= ${now} AND (NOT t.used OR NOT ${familyLives("t.id")})`,
  sessions: sql<boolean>`t.expires_at <= ${now}`,
  ephemera: sql<boolean>`t.expires_at <= ${now}`,
  audit_events: sql<boolean>`t.created_at <= ${arg.time("events_before")}`,
  refusals: sql<boolean>`t.expires_at <= ${now}`,
  statistics: sql<boolean>`t.hour <= ${arg.time("hours_before")}`,
  invitations: sql<boolean>`t.expires_at <= ${now}`,
  devices: sql<boolean>`t.expires_at <= ${now}`,
  recoveries: sql<boolean>`t.expires_at <= ${now}`,
};

/** Past its time, whether or not it stays for the sake of its family. */
export const past: Partial<typeof dead> = { oauth_auth_codes: sql<boolean>`t.expires_at <= ${now}` };

/** What ended before the moment up to which addresses are forgotten, of each table that has them. */
export const endedLongAgo: Partial<Record<Swept, ReturnType<typeof sql<boolean>>>> = {
  oauth_tokens: sql<boolean>`(revoked_at <= ${before} OR (access_expires_at <= ${before}
    AND (refresh_expires_at IS NULL OR refresh_expires_at <= ${before})))`,
  oauth_auth_codes: sql<boolean>`expires_at <= ${before}`,
  sessions: sql<boolean>`(ended_at <= ${before} OR expires_at <= ${before})`,
  audit_events: sql<boolean>`created_at <= ${before}`,
  refusals: sql<boolean>`created_at <= ${before}`,
};

/**
 * Days for which the counts of an hour are kept: a year can be seen beside the one before it has quite gone.
 */
const statisticsKept = 400;

/** Before anything was. */
export const never = new Date("0001-01-01T00:00:00.000Z");

function daysBefore(moment: Date, days = 0): Date {
  return days === 0 ? never : new Date(moment.getTime() - days * 86_400_000);
}

/** The moments that decide. */
export function momentsOf(moment: Date, { audit_events, addresses }: Retention) {
  return {
    now: moment,
    events_before: daysBefore(moment, audit_events),
    hours_before: daysBefore(moment, statisticsKept),
    before: daysBefore(moment, addresses),
  };
}
export type Moments = ReturnType<typeof momentsOf>;
