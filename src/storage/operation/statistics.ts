/** Hourly counts, collected in memory and added to the database in batches. */
import { setImmediate as turn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { type StatisticKind, tokenKinds, wholeServer } from "../../records/names/statistics.ts";
import type { Database } from "../database/database.ts";
import { oneAtATime } from "../database/one_at_a_time.ts";
import { arg, type Statement, statement } from "../database/statement.ts";

export interface HourlyCount {
  readonly kind: StatisticKind;
  readonly hour: Date;
  readonly count: number;
}

export interface BusyApp {
  readonly app_id: string;
  readonly tokens: number;
}

const hourLength = 3_600_000;
const dayLength = 24 * hourLength;

/** Events for further counters are not counted. */
const limit = 50_000;
const perStatement = 500;

type Counters = Map<StatisticKind, Map<string, number>>;

interface Counted {
  readonly kind: StatisticKind;
  readonly subject: string;
  /** The start of the hour in Unix milliseconds. */
  readonly hour: number;
  readonly count: number;
}

/** All processes write the rows in this order, so that they do not deadlock. */
function inOrder(a: Counted, b: Counted): number {
  if (a.subject !== b.subject) return a.subject < b.subject ? -1 : 1;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.hour - b.hour;
}

function hourOf(moment: Date): number {
  return Math.floor(moment.getTime() / hourLength) * hourLength;
}

export function statisticReads({ dialect, driver }: Database) {
  const literals = (kinds: readonly StatisticKind[]) => sql.join(kinds.map((kind) => sql.lit(kind)));
  const byHour = new Map<string, Statement<HourlyCount>>();
  const byHourOf = (kinds: readonly StatisticKind[]) => {
    const key = kinds.join(" ");
    const made =
      byHour.get(key) ??
      statement<HourlyCount>(
        dialect,
        "statistics",
        () => sql<HourlyCount>`SELECT kind, hour, count FROM statistics
          WHERE subject = ${arg.uuid("subject")} AND kind IN (${literals(kinds)})
            AND hour >= ${arg.time("from")} AND hour < ${arg.time("before")}
          ORDER BY hour, kind`,
      );
    byHour.set(key, made);
    return made;
  };

  type Sum = { readonly id: string; readonly tokens: unknown };
  const summed = (of: RawBuilder<boolean>) =>
    statement<Sum>(
      dialect,
      "statistics",
      () => sql<Sum>`SELECT s.subject AS id, sum(s.count) AS tokens FROM statistics s
        WHERE s.kind IN (${literals(tokenKinds)}) AND s.hour >= ${arg.time("from")}
          AND s.hour < ${arg.time("before")} AND ${of}
        GROUP BY s.subject`,
    );
  const summedOfAll = summed(sql<boolean>`s.subject <> ${arg.uuid("server")}`);
  const summedOfSome = summed(sql<boolean>`s.subject IN (
    SELECT o.id FROM oauth_apps o WHERE o.organization_id IN (${dialect.idsOf(arg.json("organization_ids"))}))`);
  const newestOf = (kind: StatisticKind) =>
    sql`(SELECT hour FROM statistics WHERE kind = ${sql.lit(kind)} ORDER BY kind DESC, hour DESC LIMIT 1)`;
  const newest = statement<Pick<HourlyCount, "hour">>(
    dialect,
    "statistics",
    () => sql<Pick<HourlyCount, "hour">>`SELECT hour FROM (
      ${sql.join(
        tokenKinds.map((kind) => sql`SELECT ${newestOf(kind)} AS hour`),
        sql` UNION ALL `,
      )}) hours WHERE hour IS NOT NULL ORDER BY hour DESC LIMIT 1`,
  );
  const appsAmong = statement<{ readonly id: string }>(
    dialect,
    "oauth_apps",
    () => sql<{ readonly id: string }>`SELECT a.id FROM (${dialect.idsOf(arg.json("ids"))}) AS among
      CROSS JOIN oauth_apps a WHERE a.id = among.id`,
  );

  /**
   * Reads day by day, so that other requests run in between. `before` excludes counts that were stored under
   * a wrong clock.
   */
  async function tokensBySubject(
    from: number,
    before: number,
    organization_ids: readonly string[] | undefined,
  ): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    const last = (await newest.first(driver, {}))?.hour.getTime() ?? Number.NEGATIVE_INFINITY;
    for (let at = from; at <= last && at < before; at += dayLength) {
      const args = { from: new Date(at), before: new Date(Math.min(at + dayLength, before)) };
      const rows =
        organization_ids === undefined
          ? await summedOfAll.all(driver, { ...args, server: wholeServer })
          : await summedOfSome.all(driver, { ...args, organization_ids });
      for (const { id, tokens } of rows) sums.set(id, (sums.get(id) ?? 0) + Number(tokens));
      await turn();
    }
    return sums;
  }

  return {
    async countsByHour(
      subject: string | null,
      kinds: readonly StatisticKind[],
      from: Date,
      before: Date,
    ): Promise<HourlyCount[]> {
      if (kinds.length === 0) return [];
      const args = { subject: subject ?? wholeServer, from: new Date(hourOf(from)), before };
      return byHourOf(kinds).all(driver, args);
    },

    async busiestApps({
      organization_ids,
      from,
      before,
      limit,
    }: {
      readonly organization_ids?: readonly string[];
      readonly from: Date;
      readonly before: Date;
      readonly limit: number;
    }): Promise<BusyApp[]> {
      const sums = await tokensBySubject(hourOf(from), before.getTime(), organization_ids);
      const order = [...sums].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
      const busiest: BusyApp[] = [];
      // The subjects include organizations and deleted apps.
      for (let at = 0; at < order.length && busiest.length < limit; at += perStatement) {
        const some = order.slice(at, at + perStatement);
        const apps = new Set(
          (await appsAmong.all(driver, { ids: some.map(([id]) => id) })).map(({ id }) => id),
        );
        busiest.push(...some.filter(([id]) => apps.has(id)).map(([app_id, tokens]) => ({ app_id, tokens })));
      }
      return busiest.slice(0, limit);
    },
  };
}

export function statisticRules(database: Database, newId: (now: Date) => string) {
  const { dialect, driver } = database;
  let hours = new Map<number, Counters>();
  let kept = 0;

  // Without WHERE, SQLite would parse ON CONFLICT as part of a join.
  const add = statement(
    dialect,
    "statistics",
    () => sql`INSERT INTO statistics (id, kind, subject, hour, count)
      SELECT id, kind, subject, hour, count FROM (${dialect.rowsOf(arg.json("counts"), {
        id: "uuid",
        kind: "string",
        subject: "uuid",
        hour: "time",
        count: "int",
      })}) AS counted WHERE true
      ON CONFLICT (subject, kind, hour) DO UPDATE SET count = statistics.count + excluded.count`,
  );
  function countersOf(hour: number, kind: StatisticKind): Map<string, number> {
    const counters: Counters = hours.get(hour) ?? new Map();
    hours.set(hour, counters);
    const ofKind = counters.get(kind) ?? new Map<string, number>();
    counters.set(kind, ofKind);
    return ofKind;
  }

  function note(kind: StatisticKind, subject: string, hour: number, by: number): void {
    const counters = countersOf(hour, kind);
    const known = counters.get(subject);
    if (known === undefined) {
      if (kept >= limit) return;
      kept += 1;
    }
    counters.set(subject, (known ?? 0) + by);
  }

  function taken(): Counted[] {
    const counted: Counted[] = [];
    for (const [hour, counters] of hours)
      for (const [kind, ofKind] of counters)
        for (const [subject, count] of ofKind) counted.push({ kind, subject, hour, count });
    hours = new Map();
    kept = 0;
    return counted.sort(inOrder);
  }

  return {
    /** A subject is the ID of an app or an organization, or null for the whole server. */
    increment(kind: StatisticKind, subjects: readonly (string | null)[], at: Date, by: number = 1): void {
      const hour = hourOf(at);
      for (const subject of subjects) note(kind, subject ?? wholeServer, hour, by);
    },

    unwrittenCounts: (): number => kept,

    flushCounts: oneAtATime(async () => {
      const counted = taken();
      for (let from = 0; from < counted.length; from += perStatement) {
        const counts = counted.slice(from, from + perStatement).map(({ kind, subject, hour, count }) => {
          const at = new Date(hour);
          return [newId(at), kind, subject, dialect.encode("time", at), count];
        });
        try {
          await driver.runBatch([add.prepare({ counts })]);
        } catch (error) {
          for (const { kind, subject, hour, count } of counted.slice(from)) note(kind, subject, hour, count);
          throw error;
        }
      }
    }),
  };
}

export type StatisticRules = ReturnType<typeof statisticRules>;
