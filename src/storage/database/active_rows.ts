/**
 * SQL conditions for active rows. They must match the functions in `records/names/liveness.ts`; a test
 * compares both (H-23).
 */
import { type Expression, type RawBuilder, sql } from "kysely";

type Moment = Expression<Date>;
type Condition = RawBuilder<boolean>;

const column = (row: string, name: string) => sql.ref(`${row}.${name}`);

const ends = (row: string, name: string, now: Moment): Condition =>
  sql<boolean>`${column(row, name)} > ${now}`;

export const rowIsActive = {
  credential: (row: string, now: Moment): Condition =>
    sql`NOT ${column(row, "revoked")} AND (${column(row, "expires_at")} IS NULL OR ${ends(row, "expires_at", now)})`,
  keyPair: (row: string, now: Moment): Condition =>
    sql`${column(row, "active")} AND ${rowIsActive.credential(row, now)}`,
  code: (row: string, now: Moment): Condition =>
    sql`NOT ${column(row, "used")} AND ${ends(row, "expires_at", now)}`,
  consent: (row: string): Condition => sql`${column(row, "granted")} AND NOT ${column(row, "revoked")}`,
  idleSession: (row: string, now: Moment): Condition =>
    sql`${column(row, "ended_at")} IS NULL AND ${ends(row, "expires_at", now)}`,
  session: (row: string, now: Moment, idle_since: Moment): Condition =>
    sql`${rowIsActive.idleSession(row, now)} AND (CASE WHEN ${column(row, "idle_ends_at")} IS NULL
      THEN ${ends(row, "last_seen_at", idle_since)} ELSE ${ends(row, "idle_ends_at", now)} END)`,
  access: (row: string, now: Moment): Condition =>
    sql`NOT ${column(row, "revoked")} AND ${ends(row, "access_expires_at", now)}`,
  refresh: (row: string, now: Moment): Condition =>
    sql`NOT ${column(row, "revoked")} AND ${column(row, "rotated_at")} IS NULL AND ${ends(row, "refresh_expires_at", now)}`,
  token: (row: string, now: Moment): Condition =>
    sql`NOT ${column(row, "revoked")} AND (${ends(row, "access_expires_at", now)}
      OR (${ends(row, "refresh_expires_at", now)} AND ${column(row, "rotated_at")} IS NULL))`,
  since: (row: string, made_at: Moment): Condition =>
    sql`${column(row, "active")} AND (${column(row, "tokens_not_before")} IS NULL
      OR ${column(row, "tokens_not_before")} < ${made_at})`,
  appSince: (row: string, made_at: Moment): Condition =>
    sql`${column(row, "revoked_at")} IS NULL AND ${rowIsActive.since(row, made_at)}`,
};
