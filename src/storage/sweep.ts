/**
 * Expired rows leave in small batches. A spent code and a rotated token stay for as long as their family has a live
 * row: without them a replay would go unseen (design, section 5).
 */
import { setImmediate as giveWay } from "node:timers/promises";
import { sql } from "kysely";
import type { Row, TableName } from "../records/definition.ts";
import type { Database } from "./database.ts";
import { firstId, lastId } from "./ids.ts";
import { arg, type Statement, statement } from "./statement.ts";
import type { StatisticRules } from "./statistics.ts";

/** Codes before tokens: a code whose last live token expired goes in the same sweep. */
const sweptTables = [
  "oauth_auth_codes",
  "oauth_tokens",
  "sessions",
  "ephemera",
  "audit_events",
  "refusals",
  "statistics",
  "invitations",
] as const;
type Swept = (typeof sweptTables)[number];

/** How many rows of each table left, or would leave. */
export type SweepCounts = Record<Swept | "signing_keys", number>;

/** For how many days things are kept; 0 is for ever, and so is what is not given. */
export interface Retention {
  readonly audit_events?: number;
  /** `client_ip` and `user_agent` of what has ended, and of audit events and refusals (requirements H-11). */
  readonly addresses?: number;
}

export interface SweepRules {
  /**
   * Removes what has expired, and whence it was requested from what ended long ago; with `dry_run` counts what would be
   * removed. Looks at `batch` rows at a time.
   */
  sweep(
    now: Date,
    options?: { dry_run?: boolean; batch?: number; retention?: Retention },
  ): Promise<SweepCounts>;
  /**
   * Goes on where it stopped the last time, around and around: one batch of each table, and up to `batches` where most
   * of what it meets has expired. Called every second it costs little however large the tables are. Signing keys are
   * left to `removeExpiredSigningKeys`. Answers how many rows went.
   */
  sweepSome(
    now: Date,
    options?: { batch?: number; batches?: number; retention?: Retention },
  ): Promise<number>;
}

const now = arg.time("now");
const before = arg.time("before");

const familyLives = (family_id: string) => sql<boolean>`EXISTS (
  SELECT 1 FROM oauth_tokens l
  WHERE l.family_id = ${sql.ref(family_id)} AND l.user_id IS NOT NULL AND NOT l.revoked
    AND (l.access_expires_at > ${now} OR l.refresh_expires_at > ${now})
)`;

/** What may go, of each table; `t` is the row. */
const dead: Record<Swept, ReturnType<typeof sql<boolean>>> = {
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
};

/** What ended before the moment up to which addresses are forgotten, of each table that has them. */
const endedLongAgo: Partial<Record<Swept, ReturnType<typeof sql<boolean>>>> = {
  oauth_tokens: sql<boolean>`(revoked_at <= ${before} OR (access_expires_at <= ${before}
    AND (refresh_expires_at IS NULL OR refresh_expires_at <= ${before})))`,
  oauth_auth_codes: sql<boolean>`expires_at <= ${before}`,
  sessions: sql<boolean>`(ended_at <= ${before} OR expires_at <= ${before})`,
  audit_events: sql<boolean>`created_at <= ${before}`,
  refusals: sql<boolean>`created_at <= ${before}`,
};

/** Days for which the counts of an hour are kept: a year can be seen beside the one before it has quite gone. */
const statisticsKept = 400;

/** Before anything was. */
const never = new Date("0001-01-01T00:00:00.000Z");

function daysBefore(moment: Date, days = 0): Date {
  return days === 0 ? never : new Date(moment.getTime() - days * 86_400_000);
}

/** The moments that decide. */
function momentsOf(moment: Date, { audit_events, addresses }: Retention) {
  return {
    now: moment,
    events_before: daysBefore(moment, audit_events),
    hours_before: daysBefore(moment, statisticsKept),
    before: daysBefore(moment, addresses),
  };
}
type Moments = ReturnType<typeof momentsOf>;

export function sweepRules(
  database: Database,
  removeExpiredSigningKeys: (now: Date) => Promise<number>,
  noteCount: StatisticRules["noteCount"],
): SweepRules {
  const { dialect } = database;

  function statementsOf(table: Swept): Record<
    "bound" | "count" | "remove",
    Statement<{ id: string; rows: number }>
  > & {
    forget: Statement<unknown> | undefined;
  } {
    const within = sql`${sql.table(table)} AS t
      WHERE t.id > ${arg.uuid("after")} AND t.id <= ${arg.uuid("bound")} AND ${dead[table]}`;
    const ended = endedLongAgo[table];
    const make = (write: Parameters<typeof statement<{ id: string; rows: number }>>[2]) =>
      statement<{ id: string; rows: number }>(dialect, table as TableName, write);
    return {
      // The id that ends the next batch, in the order of ids, which is that of time.
      bound: make((query) =>
        query
          .selectFrom(table as "oauth_tokens")
          .select(["id", sql<number>`0`.as("rows")])
          .where("id", ">", arg.uuid("after"))
          .orderBy("id")
          .limit(1)
          .offset(arg.int("skip")),
      ),
      count: make(() => sql`SELECT count(*) AS rows FROM ${within}`),
      remove: make(() => sql`DELETE FROM ${within}`),
      forget:
        ended &&
        make(
          () => sql`UPDATE ${sql.table(table)} SET client_ip = NULL, user_agent = NULL
            WHERE id > ${arg.uuid("after")} AND id <= ${arg.uuid("bound")} AND ${ended}
            AND (client_ip IS NOT NULL OR user_agent IS NOT NULL)`,
        ),
    };
  }

  const statements = Object.fromEntries(sweptTables.map((table) => [table, statementsOf(table)])) as Record<
    Swept,
    ReturnType<typeof statementsOf>
  >;

  /** Sweeps the batch of rows behind an id; answers how many went and where the batch ended. */
  async function sweepBatch(table: Swept, moments: Moments, after: string, batch: number, dry_run: boolean) {
    const { bound, count, remove, forget } = statements[table];
    const end = await bound.first(database.driver, { after, skip: batch - 1 });
    const args = { after, bound: end?.id ?? lastId, ...moments };
    const gone = dry_run
      ? Number((await count.first(database.driver, args))?.rows ?? 0)
      : await database.transaction(async ({ connection }) => {
          if (moments.before > never) await forget?.run(connection, args);
          return remove.run(connection, args);
        });
    return { gone, end: args.bound };
  }

  async function sweepTable(
    table: Swept,
    moments: Moments,
    dry_run: boolean,
    batch: number,
  ): Promise<number> {
    let after = firstId;
    let gone = 0;
    while (after !== lastId) {
      const swept = await sweepBatch(table, moments, after, batch, dry_run);
      gone += swept.gone;
      after = swept.end;
      // Between two batches others are served.
      await giveWay();
    }
    return gone;
  }

  /** Where the walk of `sweepSome` stands in each table. */
  const reached = new Map<Swept, string>();

  async function sweepSomeOf(
    table: Swept,
    moments: Moments,
    batch: number,
    batches: number,
  ): Promise<number> {
    let gone = 0;
    for (let turn = 0; turn < batches; turn++) {
      const swept = await sweepBatch(table, moments, reached.get(table) ?? firstId, batch, false);
      reached.set(table, swept.end === lastId ? firstId : swept.end);
      gone += swept.gone;
      // Where little has expired there is no hurry to look further.
      if (swept.end === lastId || swept.gone < batch / 4) break;
    }
    return gone;
  }

  return {
    async sweepSome(moment, { batch = 200, batches = 50, retention = {} } = {}) {
      const moments = momentsOf(moment, retention);
      let gone = 0;
      for (const table of sweptTables) gone += await sweepSomeOf(table, moments, batch, batches);
      if (gone > 0) noteCount("swept", [null], moment, gone);
      return gone;
    },

    async sweep(moment, { dry_run = false, batch = 1000, retention = {} } = {}) {
      const moments = momentsOf(moment, retention);
      const counts: SweepCounts = {
        oauth_tokens: 0,
        oauth_auth_codes: 0,
        sessions: 0,
        ephemera: 0,
        audit_events: 0,
        refusals: 0,
        statistics: 0,
        invitations: 0,
        signing_keys: 0,
      };
      for (const table of sweptTables) counts[table] = await sweepTable(table, moments, dry_run, batch);
      const gone = (key: Row<"signing_keys">) => key.expires_at !== null && key.expires_at <= moment;
      counts.signing_keys = dry_run
        ? (await database.list("signing_keys")).filter(gone).length
        : await removeExpiredSigningKeys(moment);
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (!dry_run && all > 0) noteCount("swept", [null], moment, all);
      return counts;
    },
  };
}
