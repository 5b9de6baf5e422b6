/** Measures tables for the metrics, at a cost that does not depend on their size. */
import { sql } from "kysely";
import { type TableName, tables } from "../../records/definition/definition.ts";
import { deliveryKinds } from "../../records/names/deliveries.ts";
import { auditStreamKinds } from "../../records/names/names.ts";
import type { Database } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";
import {
  dead,
  type Moments,
  momentsOf,
  past,
  type Retention,
  type Swept,
  sweptTables,
} from "./conditions.ts";

const mostCounted = 1000;

const names = Object.keys(tables) as TableName[];

const byEnd: Partial<Record<Swept, ReturnType<typeof sql<boolean>>>> = {
  oauth_tokens: sql<boolean>`t.refresh_expires_at IS NULL AND t.access_expires_at <= ${arg.time("now")}`,
  ephemera: dead.ephemera,
  devices: dead.devices,
};

export function tableFigureRules({ dialect, driver }: Pick<Database, "dialect" | "driver">) {
  const counts = sweptTables.map((table) => {
    const ended = byEnd[table];
    // In tables without an index on the end time, the oldest rows end first.
    const found = ended
      ? sql`SELECT 1 AS one FROM ${sql.table(table)} AS t WHERE ${ended} LIMIT ${sql.lit(mostCounted)}`
      : sql`SELECT 1 AS one FROM
          (SELECT * FROM ${sql.table(table)} ORDER BY id LIMIT ${sql.lit(mostCounted)}) AS t
          WHERE ${table === "oauth_auth_codes" ? past[table] : dead[table]}`;
    const text = () => sql<{ rows: number }>`SELECT count(*) AS rows FROM (${found}) AS found`;
    return { table, count: statement<{ rows: number }>(dialect, table as TableName, text) };
  });

  const kept = (["mail", "upstream_revocation", "ended", ...auditStreamKinds] as const).map((kind) => {
    const text = () => sql<{ rows: number; created_at: Date | null }>`
      SELECT count(*) AS rows, min(created_at) AS created_at FROM (
        SELECT created_at FROM ephemera WHERE kind = ${sql.lit(kind)} ORDER BY ${sql.ref(kind.startsWith("audit") ? "key" : "id")} LIMIT ${sql.lit(mostCounted)}
      ) AS found`;
    return { kind, count: statement<{ rows: number; created_at: Date | null }>(dialect, "ephemera", text) };
  });
  const toDeliver = deliveryKinds.map((kind) => {
    const text = () => sql<{ rows: number; created_at: Date | null }>`
      SELECT count(*) AS rows, min(created_at) AS created_at FROM (
        SELECT created_at FROM deliveries WHERE state = 'waiting' AND kind = ${sql.lit(kind)}
        ORDER BY due_at LIMIT ${sql.lit(mostCounted)}
      ) AS found`;
    return { kind, count: statement<{ rows: number; created_at: Date | null }>(dialect, "deliveries", text) };
  });
  const toNumber = {
    kind: "event",
    count: statement<{ rows: number; created_at: Date | null }>(
      dialect,
      "events",
      () => sql`SELECT count(*) AS rows, min(created_at) AS created_at FROM (
        SELECT created_at FROM events WHERE position IS NULL ORDER BY arrived, id LIMIT ${sql.lit(mostCounted)}
      ) AS found`,
    ),
  };
  const waiting = [...kept, ...toDeliver, toNumber];

  return {
    /** On SQLite, the number is the range of row numbers, which includes deleted rows. */
    async estimateRows(): Promise<{ table: string; rows: number }[]> {
      const found = await driver.all(dialect.rowEstimates(names), []);
      return found.map(({ name, rows }) => ({ table: String(name), rows: Number(rows) }));
    },

    async countPast(now: Date, retention: Retention): Promise<{ table: string; rows: number }[]> {
      const moments: Moments = momentsOf(now, retention);
      const answers: { table: string; rows: number }[] = [];
      for (const { table, count } of counts) {
        answers.push({ table, rows: Number((await count.first(driver, moments))?.rows ?? 0) });
      }
      return answers;
    },

    async countWaiting(): Promise<{ kind: string; rows: number; oldest: Date | undefined }[]> {
      const answers: { kind: string; rows: number; oldest: Date | undefined }[] = [];
      for (const { kind, count } of waiting) {
        const found = await count.first(driver, {});
        answers.push({ kind, rows: Number(found?.rows ?? 0), oldest: found?.created_at ?? undefined });
      }
      return answers;
    },
  };
}
