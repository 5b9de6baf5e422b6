/**
 * Audit events that must be exported to a file or a syslog server. Their rows in `ephemera` are written in
 * the event's transaction, so that no event is lost (docs/decisions/observability.md).
 */
import { sql } from "kysely";
import { orTaken } from "../../errors/violations.ts";
import type { AuditEvent } from "../../records/definition/definition.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import { type AuditStreamKind, auditStreamKinds } from "../../records/names/names.ts";
import type { Database } from "../database/database.ts";
import type { Driver } from "../database/driver.ts";
import { keyOf, marksKept } from "../database/event_marks.ts";
import { arg, columnNames, statement } from "../database/statement.ts";

/** In milliseconds, longer than a process needs for a batch. */
const lease = 30_000;
const leaseKind = "audit_lease";

const idOf = (key: Buffer): string =>
  key.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const leaseKey = (kind: AuditStreamKind): Buffer => Buffer.from(kind.padEnd(32));

/** Returns the audit streams that servers of this database have configured. */
export async function exportedStreams(driver: Pick<Driver, "all">): Promise<AuditStreamKind[]> {
  const rows = await driver.all(`SELECT key FROM ephemera WHERE kind = '${leaseKind}'`, []);
  const keys = rows.map(({ key }) => key as Buffer);
  return auditStreamKinds.filter((kind) => keys.some((key) => leaseKey(kind).equals(key)));
}

export interface WaitingEvents {
  readonly events: readonly AuditEvent[];
  readonly marks: readonly string[];
}

export function auditOutboxRules(database: Database, newId: (now: Date) => string) {
  const { dialect, driver } = database;
  const next = statement<{ key: Buffer }>(dialect, "ephemera", (query) =>
    query
      .selectFrom("ephemera")
      .select("key")
      .where("kind", "=", arg.string("kind"))
      .orderBy("key")
      .limit(arg.int("batch")),
  );
  const ids = sql`(${dialect.idsOf(arg.string("ids"))})`;
  const found = statement<AuditEvent>(dialect, "audit_events", (query) =>
    query
      .selectFrom("audit_events")
      .select(columnNames("audit_events"))
      .where(sql<boolean>`id IN ${ids}`)
      .orderBy("id"),
  );
  return {
    /** Returns false if another process has claimed the stream. */
    async holdAuditStream(stream: AuditStreamKind, holder: string, now: Date): Promise<boolean> {
      const key = leaseKey(stream);
      const taken = { value: holder, expires_at: new Date(now.getTime() + lease) };
      const row = await database.find("ephemera", { kind: leaseKind, key });
      if (row === undefined) {
        const made = { id: newId(now), kind: leaseKind, key, count: 0, created_at: now, ...taken };
        const inserted = database.insert("ephemera", made).then(() => true);
        return orTaken(inserted, () => false);
      }
      const { id, count, value, expires_at } = row;
      // A claim that ends later than a new one was stored while the clock was ahead, and does not count
      // (docs/decisions/operations.md).
      const held = !hasPassed(expires_at, now) && expires_at.getTime() <= now.getTime() + lease;
      if (held && value !== null && value !== holder) return false;
      return (await database.update("ephemera", { id, count }, { count: count + 1, ...taken })) === 1;
    },

    /** Keeps the row, which `exportedStreams` reads. */
    async leaveAuditStream(stream: AuditStreamKind, holder: string, now: Date): Promise<void> {
      const left = { value: null, expires_at: new Date(now.getTime() + marksKept) };
      await database.update("ephemera", { kind: leaseKind, key: leaseKey(stream), value: holder }, left);
    },

    async waitingEvents(stream: AuditStreamKind, batch: number): Promise<WaitingEvents> {
      const marks = (await next.all(driver, { kind: stream, batch })).map(({ key }) => idOf(key));
      if (marks.length === 0) return { events: [], marks };
      return { events: await found.all(driver, { ids: JSON.stringify(marks) }), marks };
    },

    async forgetMarks(stream: AuditStreamKind, marks: readonly string[]): Promise<void> {
      await database.transaction(
        async (tx) => {
          for (const id of marks) await tx.remove("ephemera", { kind: stream, key: keyOf(id) });
        },
        { quiet: true },
      );
    },
  };
}
