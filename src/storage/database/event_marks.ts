/**
 * Marks audit events that must be exported to an audit stream. The marks are rows of `ephemera`, written in
 * the event's transaction (docs/decisions/observability.md).
 */
import { sql } from "kysely";
import type { AuditStreamKind } from "../../records/names/names.ts";
import type { Dialect } from "./dialect.ts";
import type { PreparedStatement } from "./driver.ts";
import { jsonRows } from "./json_rows.ts";
import { statement } from "./statement.ts";

const day = 86_400_000;
/** Milliseconds after which an event that its stream has not accepted is no longer exported. */
export const marksKept: number = 30 * day;

const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");
/**
 * Returns the key of an event's mark, which is padded to 32 bytes. The keys are in the order of the events.
 */
export const keyOf = (id: string): Buffer => Buffer.concat([uuidBytes(id), Buffer.alloc(16)]);

interface MarkedEvent {
  readonly id: string;
  readonly created_at: Date;
}

export interface EventMarks {
  /** Repeating the statement has no effect. */
  of(events: readonly MarkedEvent[]): PreparedStatement;
}

export function eventMarks(
  dialect: Dialect,
  streams: readonly AuditStreamKind[],
  newId: (now: Date) => string,
): EventMarks | undefined {
  if (streams.length === 0) return undefined;
  const { columns, rows, encode } = jsonRows(dialect, "ephemera");
  // Without WHERE, SQLite would parse ON CONFLICT as part of a join.
  const mark = statement(
    dialect,
    "ephemera",
    () => sql`INSERT INTO ephemera (${columns}) SELECT ${columns} FROM (${rows}) AS marks WHERE true
      ON CONFLICT (kind, key) DO NOTHING`,
  );
  return {
    of: (events) =>
      mark.prepare({
        rows: events.flatMap(({ id, created_at }) =>
          streams.map((kind) =>
            encode({
              ...{ id: newId(created_at), kind, key: keyOf(id), value: null, count: 0, created_at },
              expires_at: new Date(created_at.getTime() + marksKept),
            }),
          ),
        ),
      }),
  };
}
