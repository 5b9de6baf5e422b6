/** What the file of audit events may not be. */
import { dirname, join, resolve } from "node:path";
import type { DatabaseConfig } from "./database_url.ts";

const besideDatabase = ["", "-wal", "-shm", "-journal"];

/**
 * Why events may not be appended to the file: it is of the database, the secret key beside it, or a file that
 * another setting names. Undefined where they may.
 */
export function auditFileFault(
  path: string,
  database: DatabaseConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const file = resolve(path);
  if (database.kind === "sqlite") {
    const key = join(dirname(database.path), "secret.key");
    const own = [...besideDatabase.map((end) => database.path + end), key];
    if (own.some((each) => resolve(each) === file)) return "expected a file that is not of the database";
  }
  const named = Object.entries(env).find(
    ([name, given]) =>
      /^POSTERN_\w+_FILE$/.test(name) && name !== "POSTERN_AUDIT_FILE" && given && resolve(given) === file,
  );
  return named && `expected another file than that of ${named[0]}`;
}
