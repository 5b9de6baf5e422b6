/**
 * The event feed. Committed events get consecutive positions, so that a reader never misses an earlier event
 * (EV-2). IDs do not suffice, because a transaction may commit after others with greater IDs.
 */
import { type RawBuilder, sql } from "kysely";
import type { Row } from "../../records/definition/definition.ts";
import { type FeedEventType, subjectKinds, subjectTables } from "../../records/names/feed_events.ts";
import { feedLock } from "../../records/names/lock_names.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Connection } from "../database/driver.ts";
import { arg, columnNames, statement, yes } from "../database/statement.ts";

export type FeedEvent = Row<"events">;

const mostAtOnce = 1000;
const window = 10_000;

const [firsts, lasts] = ["created", "deleted"].map((change) =>
  sql.join(subjectKinds.map((kind) => sql.lit(`${kind}.${change}` as FeedEventType))),
) as [RawBuilder<unknown>, RawBuilder<unknown>];

export interface FeedQuery {
  readonly after: number;
  readonly limit: number;
  readonly types?: readonly string[] | undefined;
  readonly organization_ids?: readonly string[] | undefined;
}

export interface FeedPart {
  readonly events: readonly FeedEvent[];
  readonly position: number;
}

/** Both positions are 0 if there are no events. */
export interface FeedBounds {
  readonly oldest: number;
  readonly newest: number;
}

export function feedRules(database: Database) {
  const { dialect, driver } = database;
  const waiting = statement<{ id: string }>(dialect, "events", (query) =>
    query.selectFrom("events").select("id").where("position", "is", null).limit(1),
  );
  // A deletion follows all other events about its subject (EV-8). It precedes a new creation with the same
  // ID, which an import can cause. The `+` makes SQLite use the index of subjects.
  const isLast = sql`(e.type IN (${lasts}))`;
  const turn = sql`CASE WHEN ${isLast} THEN coalesce((SELECT min(c.arrived) FROM events AS c
    WHERE c.subject_id = e.subject_id AND c.type IN (${firsts}) AND +c.arrived > e.arrived
      AND +c.position IS NULL), ${sql.lit(Number.MAX_SAFE_INTEGER)}) ELSE e.arrived END`;
  const order = sql`${turn}, NOT ${isLast}, e.arrived, e.id`;
  const batch = sql`SELECT e.* FROM events AS e WHERE e.position IS NULL
    ORDER BY ${order} LIMIT ${sql.lit(mostAtOnce)} ${dialect.skipLocked("e")}`;
  // Once the event about a subject's deletion has a position, other events about the subject that are
  // committed later are dropped. A lock could prevent this, but would let one locked row delay every event.
  const isLate = sql`NOT ${isLast} AND coalesce(${sql.join(
    subjectKinds.map(
      (kind) => sql`(SELECT s.id FROM ${sql.table(subjectTables[kind])} AS s WHERE s.id = e.subject_id)`,
    ),
  )}) IS NULL AND EXISTS (SELECT 1 FROM events AS d
    WHERE d.subject_id = e.subject_id AND d.type IN (${lasts}) AND d.position IS NOT NULL)`;
  // If another database session has locked an event, only later events about the same subject wait for it.
  const number = statement<{ position: number }>(
    dialect,
    "events",
    () => sql`WITH batch AS MATERIALIZED (${batch}),
      held AS MATERIALIZED (SELECT e.subject_id, e.arrived FROM events AS e
        WHERE e.position IS NULL AND NOT ${isLast} AND e.arrived < (SELECT max(arrived) FROM batch)
          AND NOT EXISTS (SELECT 1 FROM batch AS b WHERE b.id = e.id))
      UPDATE events SET position = n.position FROM (
        SELECT e.id, (SELECT coalesce(max(position), 0) FROM events)
          + row_number() OVER (ORDER BY ${order}) AS position
        FROM batch AS e WHERE NOT (${isLate}) AND NOT EXISTS (SELECT 1 FROM held AS h
          WHERE h.subject_id = e.subject_id AND h.arrived <= e.arrived)
      ) AS n WHERE events.id = n.id`,
  );
  const dropLate = statement(
    dialect,
    "events",
    () => sql`DELETE FROM events WHERE id IN (SELECT e.id FROM (${batch}) AS e WHERE ${isLate})`,
  );
  const bounds = statement<{ oldest: number | string | null; newest: number | string | null }>(
    dialect,
    "events",
    () =>
      sql`SELECT (SELECT min(position) FROM events) AS oldest, (SELECT max(position) FROM events) AS newest`,
  );
  const read = (ofSome: boolean, ofTypes: boolean) =>
    statement<FeedEvent>(dialect, "events", (query) =>
      query
        .selectFrom("events")
        .select(columnNames("events"))
        .where("position", ">", arg.of("long", "after"))
        .where("position", "<=", arg.of("long", "up_to"))
        .where(
          ofSome ? sql<boolean>`organization_id IN (${dialect.idsOf(arg.string("organizations"))})` : yes,
        )
        .where(ofTypes ? sql<boolean>`type IN (${dialect.textsOf(arg.string("types"))})` : yes)
        .orderBy("position")
        .limit(arg.int("limit")),
    );
  const reads = {
    all: { any: read(false, false), typed: read(false, true) },
    some: { any: read(true, false), typed: read(true, true) },
  };

  // `wakeSkipped` later marks endpoints that another database session has locked. No endpoint is being filled
  // (`fillWebhooks`) meanwhile, because filling and numbering both hold `feedLock`.
  const wake = statement(
    dialect,
    "webhook_endpoints",
    () => sql`UPDATE webhook_endpoints SET behind = ${yes} WHERE id IN (SELECT w.id FROM webhook_endpoints AS w
      WHERE w.active = ${yes} AND NOT w.behind AND (w.organization_id IS NULL OR w.organization_id IN (
        SELECT e.organization_id FROM events AS e WHERE e.position > ${arg.of("long", "before")}))
      ${dialect.skipLocked("w")})`,
  );

  async function boundsOn(connection: Pick<Connection, "first">): Promise<FeedBounds> {
    const row = await bounds.first(connection as Connection, {});
    return { oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) };
  }

  async function readOn(
    connection: Connection,
    { after, limit, types, organization_ids }: FeedQuery,
    newest: number,
  ): Promise<FeedPart> {
    const { any, typed } = organization_ids === undefined ? reads.all : reads.some;
    const selective = types !== undefined || organization_ids !== undefined;
    const up_to = selective ? Math.min(newest, after + window) : newest;
    const args = { after, up_to, limit };
    const events = await (types === undefined ? any : typed).all(connection, {
      ...args,
      types: JSON.stringify(types ?? []),
      organizations: JSON.stringify(organization_ids ?? []),
    });
    const position = events.length < limit ? up_to : (events.at(-1)?.position ?? up_to);
    return { events, position: Math.max(after, position) };
  }

  return {
    feedBounds: () => boundsOn(driver),

    feedBoundsIn: (tx: Pick<Transaction, "connection">): Promise<FeedBounds> => boundsOn(tx.connection),

    /** Returns how many events got a position. One process does this at a time. */
    async numberEvents(): Promise<number> {
      if ((await waiting.first(driver, {})) === undefined) return 0;
      return database.transaction(
        async (tx) => {
          await tx.lock(feedLock());
          const { newest: before } = await boundsOn(tx.connection);
          const numbered = await number.run(tx.connection, {});
          if ((await waiting.first(tx.connection, {})) !== undefined) await dropLate.run(tx.connection, {});
          if (numbered > 0) await wake.run(tx.connection, { before });
          return numbered;
        },
        { quiet: true },
      );
    },

    readFeed: (query: FeedQuery, newest: number): Promise<FeedPart> => readOn(driver, query, newest),

    readFeedIn: (tx: Pick<Transaction, "connection">, query: FeedQuery, newest: number): Promise<FeedPart> =>
      readOn(tx.connection, query, newest),
  };
}
