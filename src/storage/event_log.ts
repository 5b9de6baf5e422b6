/** Audit events of the request path are gathered and written together; the log has told of each at once. */
import type { AuditEvent } from "../records/definition.ts";
import type { Database } from "./database.ts";

export interface EventLog {
  /** Notes an event to be written soon. */
  noteEvent(event: Omit<AuditEvent, "id">): void;
  /** Writes what was noted. */
  flushEvents(): Promise<void>;
}

/** Events kept at most between two flushes: a flood of failures must not fill the memory. */
const limit = 20_000;
const perTransaction = 200;

export function eventLog(database: Database, newId: (now: Date) => string): EventLog {
  let noted: AuditEvent[] = [];
  return {
    noteEvent(event) {
      if (noted.length < limit) noted.push({ ...event, id: newId(event.created_at) });
    },
    async flushEvents() {
      const events = noted;
      noted = [];
      for (let from = 0; from < events.length; from += perTransaction) {
        await database.transaction(
          async (tx) => {
            for (const event of events.slice(from, from + perTransaction))
              await tx.insert("audit_events", event);
          },
          { quiet: true },
        );
      }
    },
  };
}
