/**
 * Marks audit events for export: rows of the table `ephemera`, written in the commit of the event
 * (docs/decisions/observability.md).
 */
import { sql } from "kysely";
import type { AuditStreamKind } from "../../records/names/names.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection, PreparedStatement } from "./driver.ts";
import { arg, statement } from "./statement.ts";

const day = 86_400_000;
/** How long an event waits for a stream that accepts nothing. */
const kept = 30 * day;

const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");
/** Keys sort in the order of the events; an id has half the bytes of a key. */
export const keyOf = (id: string): Buffer => Buffer.concat([uuidBytes(id), Buffer.alloc(16)]);

/** Creates the marks of events; undefined if no stream is configured. */
export interface EventMarks {
  /** Returns the statements that mark an event, one for each stream. Running them again does no harm. */
  of(event: { readonly id: string; readonly created_at: Date }): PreparedStatement[];
  run(connection: Connection, event: { readonly id: string; readonly created_at: Date }): Promise<void>;
}

export function eventMarks(
  dialect: Dialect,
  streams: readonly AuditStreamKind[],
  newId: (now: Date) => string,
): EventMarks | undefined {
  if (streams.length === 0) return undefined;
  const mark = statement(dialect, "ephemera", (query) =>
    query
      .insertInto("ephemera")
      .values({
        id: arg.uuid("id"),
        kind: arg.string("kind"),
        key: arg.signature("key"),
        value: sql<null>`NULL`,
        count: sql<number>`0`,
        expires_at: arg.time("expires_at"),
        created_at: arg.time("created_at"),
      })
      .onConflict((conflict) => conflict.columns(["kind", "key"]).doNothing()),
  );
  const argsOf = (kind: AuditStreamKind, { id, created_at }: { id: string; created_at: Date }) => ({
    ...{ id: newId(created_at), kind, key: keyOf(id), created_at },
    expires_at: new Date(created_at.getTime() + kept),
  });
  return {
    of: (event) => streams.map((kind) => mark.prepare(argsOf(kind, event))),
    async run(connection, event) {
      for (const kind of streams) await mark.run(connection, argsOf(kind, event));
    },
  };
}
