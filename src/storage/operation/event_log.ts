/** Writes audit events in batches. */
import { sql } from "kysely";
import { type AuditEvent, type TableName, tables } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { EventMarks } from "../database/event_marks.ts";
import { jsonRows } from "../database/json_rows.ts";
import { oneAtATime } from "../database/one_at_a_time.ts";
import type { OwnershipRules } from "../database/ownership.ts";
import { statement } from "../database/statement.ts";
import { storableText } from "../database/storable_text.ts";
import { eventGate, type LeftOut, type LeftOutBy, type NotedEvent } from "./event_gate.ts";

/** An outage of the database must not fill the memory. */
const limit = 20_000;
const perStatement = 100;

const longestText = 512;
const mostDetails = 32;

type Noted = NotedEvent & { readonly id: string };

/** One event that the database rejects would fail the whole batch. */
function storable(event: NotedEvent): NotedEvent {
  return { ...storableMembers(event), details: event.details && storableMembers(event.details, mostDetails) };
}

function storableMembers<T extends object>(members: T, most = Number.POSITIVE_INFINITY): T {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members).slice(0, most)) {
    kept[name] = typeof value === "string" ? storableText(value, longestText) : value;
  }
  return kept as T;
}

export function eventLog(
  database: Database,
  newId: (now: Date) => string,
  ownerOf: OwnershipRules["ownerOf"],
  marks?: EventMarks,
) {
  const { dialect, driver } = database;
  const gate = eventGate();
  let noted: Noted[] = [];

  const { columns, rows: given, encode } = jsonRows(dialect, "audit_events");
  // Without WHERE, SQLite would parse ON CONFLICT as part of a join. A commit whose response was lost may be
  // repeated.
  const add = statement(
    dialect,
    "audit_events",
    () => sql`INSERT INTO audit_events (${columns})
      SELECT ${columns} FROM (${given}) AS noted WHERE true
      ON CONFLICT (id) DO NOTHING`,
  );

  const ofRecord = async (table: string, id: string) =>
    table in tables ? (await ownerOf(table as TableName, id))?.organization_ids[0] : undefined;
  const ofClient = async (client_id: string) =>
    (await database.find("oauth_apps", { client_id }))?.organization_id ?? undefined;

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

  async function write(events: readonly Noted[], organizationOf: ReturnType<typeof organizations>) {
    const rows = await Promise.all(
      events.map(
        async (event): Promise<AuditEvent> => ({
          ...event,
          organization_id: await organizationOf(event),
        }),
      ),
    );
    const marked = marks === undefined ? [] : [marks.of(rows)];
    const told = database.feed === undefined ? [] : rows.flatMap(database.feed.of);
    await driver.runBatch([add.prepare({ rows: rows.map((row) => encode({ ...row })) }), ...marked, ...told]);
  }

  /** Events go to the front of the queue, to preserve the order. */
  function putBack(events: readonly Noted[]): void {
    const all = [...events, ...noted];
    for (const event of all.slice(limit)) gate.count(event, "memory");
    noted = all.slice(0, limit);
  }

  return {
    /**
     * Without an organization, the event gets that of its target or of the app that caused it. Returns why
     * the event is only counted; undefined if it was queued.
     */
    queueEvent(event: NotedEvent): LeftOutBy | undefined {
      const by = gate.closedTo(event) ?? (noted.length < limit ? undefined : "memory");
      if (by === undefined) noted.push({ ...storable(event), id: newId(event.created_at) });
      else gate.count(event, by);
      return by;
    },
    /**
     * Queues one audit event for each count of omitted events. Without `all`, includes only counts that are
     * at least a minute old, and none if the queue is almost full.
     */
    settleEvents(now: Date, all: boolean = false): readonly LeftOut[] {
      const room = limit - noted.length;
      const settled = room < 100 && !all ? [] : gate.take(now, all);
      for (const { event, by, more } of settled) {
        const summary = { ...event, details: { more, left_out_by: by }, created_at: now };
        noted.push({ ...summary, id: newId(now) });
      }
      return settled;
    },
    unwrittenEvents: (): number => noted.length,
    /** Each event is written exactly once. After a failure, the unwritten ones stay queued. */
    flushEvents: oneAtATime(async () => {
      const events = noted;
      noted = [];
      const organizationOf = organizations();
      for (let from = 0; from < events.length; from += perStatement) {
        try {
          await write(events.slice(from, from + perStatement), organizationOf);
        } catch (error) {
          putBack(events.slice(from));
          throw error;
        }
      }
    }),
  };
}
