/** An SQLite file with all tables: copying it costs a tenth of creating them. */
import { chmodSync, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStore } from "../../src/storage/store.ts";
import { quickFolder, temporaryFolder } from "./temp.ts";

/** Names the file to copy. The global setup sets it for the whole run. */
const templateVariable = "TEST_SQLITE_TEMPLATE";

/** Creates the file that `putTables` copies, in this process and in those that it starts. */
export async function makeSqliteTemplate(): Promise<void> {
  const path = join(temporaryFolder(quickFolder()), "postern.db");
  const store = await openStore({ kind: "sqlite", path });
  try {
    await store.migrate(new Date());
  } finally {
    await store.close();
  }
  // The mode that the server sets, which postern doctor checks.
  chmodSync(path, 0o600);
  process.env[templateVariable] = path;
}

/** Copies a database with every table and no records to the path, unless a file exists there. */
export function putTables(path: string): void {
  const template = process.env[templateVariable];
  // Without a template, as in a file that runs alone, the program creates its tables.
  if (template === undefined || existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  copyFileSync(template, path);
}
