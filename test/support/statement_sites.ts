/**
 * Collects the statements of `src/storage` that a whole run of the suite uses, by database; each is
 * identified by the source text of the function that writes it. Higher layers run on SQLite only, so a
 * statement that only SQLite has run was not tried on PostgreSQL by any storage test.
 */
import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Driver } from "../../src/storage/database/driver.ts";

/** Names the folder in which the processes of a run write their results. */
const sitesVariable = "TEST_STATEMENT_SITES";

const folder = fileURLToPath(new URL("../../node_modules/.cache/statement-sites", import.meta.url));

/** Statements of SQLite alone, each with the reason. */
const onSqliteAlone: readonly string[] = [];

/** Starts collecting in this process and in those that it starts. */
export function collectSites(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.env[sitesVariable] = folder;
}

const seen = new Set<string>();

/** Records the statements that the driver is used for, if the run collects them. */
export function withSites(driver: Driver): Driver {
  const target = process.env[sitesVariable];
  if (target === undefined) return driver;
  const { name } = driver.dialect;
  const onUse = (write: unknown) => {
    const line = `${name} ${String(write).replaceAll(/\s+/g, " ")}\n`;
    if (seen.has(line)) return;
    seen.add(line);
    appendFileSync(join(target, `${process.pid}.txt`), line);
  };
  return { ...driver, dialect: { ...driver.dialect, onUse } };
}

/** Returns the statements that only SQLite has run, in every process since `collectSites`. */
export function sitesOnSqliteAlone(): string[] {
  const lines = globSync("*.txt", { cwd: folder }).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").trim().split("\n"),
  );
  const on = (database: string) =>
    new Set(
      lines.filter((line) => line.startsWith(`${database} `)).map((line) => line.slice(database.length + 1)),
    );
  const postgres = on("postgres");
  return [...on("sqlite")].filter((site) => !postgres.has(site) && !onSqliteAlone.includes(site)).toSorted();
}
