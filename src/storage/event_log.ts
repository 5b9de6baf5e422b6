/** Audit events of the request path are gathered and written together; the log has told of each at once. */
import { type AuditEvent, type TableName, tables } from "../records/definition.ts";
import type { Database } from "./database.ts";
import type { PlaceRules } from "./places.ts";

/** What happened, without what the log finds out by itself. */
export type NotedEvent = Omit<AuditEvent, "id" | "organization_id"> &
  Partial<Pick<AuditEvent, "organization_id">>;

export interface EventLog {
  /**
   * Notes an event to be written soon. Where it does not say which organization it concerns, that is the first one its
   * target belongs to, else the first one the app belongs to that did it.
   */
  noteEvent(event: NotedEvent): void;
  /** Writes what was noted. */
  flushEvents(): Promise<void>;
  /** How many events are not yet written. */
  unwrittenEvents(): number;
}

/** Events kept at most between two flushes: a flood of failures must not fill the memory. */
const limit = 20_000;
/** Whoever is answered meanwhile waits for so many at most. */
const perTransaction = 40;

type Noted = NotedEvent & { readonly id: string };

export function eventLog(
  database: Database,
  newId: (now: Date) => string,
  placeOf: PlaceRules["placeOf"],
): EventLog {
  let noted: Noted[] = [];

  const ofRecord = async (table: string, id: string) =>
    table in tables ? (await placeOf(table as TableName, id))?.organization_ids[0] : undefined;
  const ofClient = async (client_id: string) =>
    (await database.find("oauth_apps", { client_id }))?.organization_id ?? undefined;

  /** Finds the organizations of events, each record's once. */
  function organizations(): (event: Noted) => Promise<string | null> {
    const known = new Map<string, Promise<string | undefined>>();
    const once = (find: typeof ofRecord, table: string, id: string) => {
      const key = `${table} ${id}`;
      const found = known.get(key) ?? find(table, id);
      known.set(key, found);
      return found;
    };
    return async ({ organization_id, target_table, target_id, actor_kind, actor_id }) => {
      if (organization_id !== undefined) return organization_id;
      const targets = target_table && target_id ? await once(ofRecord, target_table, target_id) : undefined;
      if (targets !== undefined || actor_kind !== "client" || actor_id === null) return targets ?? null;
      return (await once((_, client_id) => ofClient(client_id), "client", actor_id)) ?? null;
    };
  }

  return {
    noteEvent(event) {
      if (noted.length < limit) noted.push({ ...event, id: newId(event.created_at) });
    },
    unwrittenEvents: () => noted.length,
    async flushEvents() {
      const events = noted;
      noted = [];
      const organizationOf = organizations();
      for (let from = 0; from < events.length; from += perTransaction) {
        const rows = await Promise.all(
          events.slice(from, from + perTransaction).map(
            async (event): Promise<AuditEvent> => ({
              ...event,
              organization_id: await organizationOf(event),
            }),
          ),
        );
        await database.transaction(
          async (tx) => {
            for (const row of rows) await tx.insert("audit_events", row);
          },
          { quiet: true },
        );
      }
    },
  };
}
