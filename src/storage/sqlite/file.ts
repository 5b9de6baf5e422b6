/** Copies and checks SQLite files, revokes everything issued in them, and takes exclusive control of them. */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Connection } from "../database/driver.ts";
import { connectionTo } from "./driver.ts";
import { isFull, obstacleTo } from "./obstacles.ts";

const busyCode = 5;
/** SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR for a header that names an unsupported format. */
const damageCodes: readonly number[] = [11, 26, 1];
/** The lowest byte of SQLite's error code (https://www.sqlite.org/rescode.html); 0 for other errors. */
const primaryCode = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
const maxWait = 10_000;
const errorsShown = 3;

function within<R>(path: string, options: { readOnly: boolean }, work: (database: DatabaseSync) => R): R {
  const database = new DatabaseSync(path, options);
  try {
    database.exec(`PRAGMA busy_timeout = ${maxWait}`);
    return work(database);
  } finally {
    database.close();
  }
}

/** Copies a database into an empty or missing file (mode 0600), while other processes may use it. */
export function copySqlite(path: string, target: string): void {
  within(path, { readOnly: false }, (database) => {
    // SQLite creates the target again if another process has removed it.
    const umask = process.umask(0o077);
    try {
      database.prepare("VACUUM INTO ?").run(target);
    } catch (error) {
      if (!isFull(target)) throw error;
      throw new Error(`the disk of ${dirname(target)} is full: free space`, { cause: error });
    } finally {
      process.umask(umask);
    }
  });
}

export interface SqliteFault {
  readonly damaged: boolean;
  /** Follows the name of the file. */
  readonly sentence: string;
}

/** Returns why a file cannot be used; undefined if it is intact. Reads the whole file. */
export function sqliteFault(path: string): SqliteFault | undefined {
  const damage = (errors: string) => ({ damaged: true, sentence: `is damaged: ${errors}` });
  try {
    return within(path, { readOnly: true }, (database) => {
      const rows = database.prepare(`PRAGMA integrity_check(${errorsShown})`).all();
      const errors = rows.map((row) => String(row.integrity_check)).filter((text) => text !== "ok");
      if (errors.length > 0) return damage(errors.join("; ").replaceAll("\n", " "));
      const loose = database.prepare("PRAGMA foreign_key_check").all().length;
      return loose > 0 ? damage(`${loose} rows refer to rows that do not exist`) : undefined;
    });
  } catch (error) {
    if (damageCodes.includes(primaryCode(error))) return damage(messageOf(error));
    return { damaged: false, sentence: unreadable(path, error) };
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The sentence follows the name of the file. */
function unreadable(path: string, error: unknown): string {
  const obstacle =
    primaryCode(error) === busyCode ? "another process has locked it: stop this process" : obstacleTo(path);
  const cause = obstacle ?? "is the file locked, or owned by another user?";
  return `cannot be read: ${messageOf(error)} (${cause})`;
}

/** Returns the newest migration that was applied to the file; undefined if it is not a Postern database. */
export function migrationOf(path: string): number | undefined {
  try {
    return within(path, { readOnly: true }, (database) => {
      const newest = database
        .prepare("SELECT max(version) AS version FROM postern_migrations")
        .get()?.version;
      return newest === null || newest === undefined ? undefined : Number(newest);
    });
  } catch {
    return undefined;
  }
}

/**
 * Ends all tokens, authorization codes and sessions in the file. Also deletes the setup link, and the links
 * and codes that were sent by email.
 */
export function endEverythingIssued(path: string, now: Date): void {
  within(path, { readOnly: false }, (database) => {
    database.exec("BEGIN IMMEDIATE");
    const end = (sql: string, ...times: number[]) => database.prepare(sql).run(...times);
    end(
      "UPDATE oauth_tokens SET revoked = 1, revoked_at = ?, revoked_reason = 'revoked' WHERE NOT revoked",
      now.getTime(),
    );
    end("UPDATE sessions SET ended_at = ? WHERE ended_at IS NULL", now.getTime());
    end("UPDATE oauth_auth_codes SET expires_at = ? WHERE expires_at > ?", now.getTime(), now.getTime());
    end("DELETE FROM ephemera WHERE kind IN ('refresh_answer', 'setup_link', 'proof')");
    database.exec("COMMIT");
  });
}

/** `held`: another process has the file open. `damaged`: the file is not readable as a database. */
export type Takeover =
  | { readonly state: "held" | "damaged" }
  | {
      readonly state: "taken";
      readonly connection: Connection;
      release(): void;
    };

/**
 * Takes exclusive control of a database file until `release`. Succeeds only if no other connection is open,
 * because SQLite cannot leave WAL mode otherwise. Throws if the file can be neither opened nor called damaged.
 */
export function takeSqlite(path: string): Takeover {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    const taken = database;
    database.exec("PRAGMA journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    return { state: "taken", connection: connectionTo(taken), release: () => taken.close() };
  } catch (error) {
    database?.close();
    const code = primaryCode(error);
    if (code === busyCode) return { state: "held" };
    if (damageCodes.includes(code)) return { state: "damaged" };
    throw new Error(`${path} ${unreadable(path, error)}`, { cause: error });
  }
}
