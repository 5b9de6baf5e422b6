/** Predicts what the missing migrations will do to a database, without changing it. */
import type { Driver } from "./database/driver.ts";
import type { Migration } from "./migrations/migration.ts";
import { missingMigrations, newestMigration } from "./migrations.ts";

const waits = ["nobody", "writers", "everybody"] as const;
export type Waits = (typeof waits)[number];

interface PlannedTable {
  readonly table: string;
  /** An estimate for large PostgreSQL tables. */
  readonly rows: number;
  readonly indexes: number;
  /** The migration reads every row, in order to write to this or another table. */
  readonly filled: boolean;
  readonly waits: Waits;
}

interface PlannedMigration {
  readonly version: number;
  readonly name: string;
  readonly does: string;
  readonly tables: readonly PlannedTable[];
  readonly seconds: number;
}

export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  readonly migrations: readonly PlannedMigration[];
  /** Servers of the previous version may run during and after the migration. */
  readonly servers_may_run: boolean;
  readonly seconds: number;
}

/**
 * From this database version on, servers of the previous version may keep running during a migration
 * (docs/operations/upgrading.md).
 */
const firstBeside = 35;

/** Speeds of a slow machine, because an estimate should rather be too high. */
const perSecond = { index_entries: 200_000, filled_rows: 5000 };

/** Above this number of rows, PostgreSQL's estimate is used, because counting reads the whole table. */
const mostCounted = 100_000;

const statements = {
  changes: /\bALTER TABLE (\w+)/g,
  indexes: /\bCREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/g,
  fills: /\bINSERT INTO \w+ \([^)]*\) SELECT [^;]* FROM (\w+)/g,
  // Adding a foreign key blocks writers of the referenced table.
  refers: /\bREFERENCES (\w+)/g,
} as const;

type Work = { indexes: number; filled: boolean; waits: Waits };

function workOf(
  { sql, fills = [] }: Pick<Migration, "sql" | "fills">,
  { dialect }: Pick<Driver, "dialect">,
): Map<string, Work> {
  const text = sql(dialect.columnType, dialect.name);
  const work = new Map<string, Work>();
  const add = (table: string, by: Partial<Work>, wait: Waits) => {
    const known = work.get(table) ?? { indexes: 0, filled: false, waits: "nobody" };
    // On SQLite, readers never wait.
    const most = dialect.name === "sqlite" ? "writers" : wait;
    work.set(table, {
      indexes: known.indexes + (by.indexes ?? 0),
      filled: known.filled || by.filled === true,
      waits: waits.indexOf(most) > waits.indexOf(known.waits) ? most : known.waits,
    });
  };
  for (const [, table = ""] of text.matchAll(statements.changes)) add(table, {}, "everybody");
  for (const [, table = ""] of text.matchAll(statements.indexes)) add(table, { indexes: 1 }, "writers");
  for (const [, table = ""] of text.matchAll(statements.refers)) add(table, {}, "writers");
  for (const [, table = ""] of text.matchAll(statements.fills)) add(table, { filled: true }, "nobody");
  for (const table of fills) add(table, { filled: true }, "nobody");
  return work;
}

async function rowsOf(driver: Driver, table: string): Promise<number | undefined> {
  const isPostgres = driver.dialect.name === "postgres";
  const found = isPostgres
    ? await driver.first("SELECT reltuples AS rows FROM pg_class WHERE oid = to_regclass($1)", [table])
    : await driver.first("SELECT 0 AS rows FROM sqlite_schema WHERE type = 'table' AND name = ?", [table]);
  if (found === undefined) return undefined;
  const estimated = Number(found.rows);
  if (estimated > mostCounted) return estimated;
  const [counted] = await driver.all(`SELECT count(*) AS rows FROM ${table}`, []);
  return Number(counted?.rows);
}

/** Returns the missing migrations, with the work and the estimated time of each. */
export async function planMigrations(driver: Driver): Promise<MigrationPlan> {
  const { from, missing } = await missingMigrations(driver);
  const counted = new Map<string, number | undefined>();
  const planned: PlannedMigration[] = [];
  for (const migration of missing) {
    const tables: PlannedTable[] = [];
    for (const [table, work] of workOf(migration, driver)) {
      if (!counted.has(table)) counted.set(table, await rowsOf(driver, table));
      const rows = counted.get(table);
      if (rows !== undefined) tables.push({ table, rows, ...work });
    }
    const { version, name, does } = migration;
    planned.push({ version, name, does, tables, seconds: secondsOf(tables) });
  }
  return {
    from,
    to: newestMigration,
    migrations: planned,
    servers_may_run: planned.length === 0 || from === 0 || from >= firstBeside,
    seconds: Math.ceil(planned.reduce((sum, { seconds }) => sum + seconds, 0)),
  };
}

function secondsOf(tables: readonly PlannedTable[]): number {
  const each = tables.map(
    ({ rows, indexes, filled }) =>
      (rows * indexes) / perSecond.index_entries + (filled ? rows / perSecond.filled_rows : 0),
  );
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
