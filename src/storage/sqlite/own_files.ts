/** Checks whether the files of an open database were replaced or damaged. */
import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { UnavailableError } from "../../errors.ts";
import { isBusy } from "./group_commit.ts";

/** SQLite truncates its log to at most this many bytes after copying it into the database. */
export const keptLog = 16 * 1024 * 1024;

/** In bytes (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). */
const logHeader = 32;
const frameHeader = 24;

export interface OwnFiles {
  /**
   * Throws an UnavailableError: `gone` for a missing or replaced file, `damaged` for a truncated one, `slow`
   * if another process prevents the check. Costs two system calls.
   */
  prove(): void;
  proveAll(): void;
  /** `prove` then throws until the server is restarted. */
  noteDamage(damage: UnavailableError): void;
}

/**
 * Returns the checks for a database that was just opened. `reading` must not be in a transaction during a
 * check.
 */
export function ownFiles(path: string, reading: DatabaseSync): OwnFiles {
  const database = named(path, "the database file");
  const log = named(`${path}-wal`, "the write-ahead log");
  // Processes with different index files would overwrite each other's data.
  const index = named(`${path}-shm`, "the index of the write-ahead log");
  const ask = (pragma: string, column: string) => Number(reading.prepare(pragma).get()?.[column]);
  const pageSize = ask("PRAGMA page_size", "page_size");
  function pragmaValue(pragma: string, column: string): number | undefined {
    try {
      return ask(pragma, column);
    } catch (error) {
      if (!isBusy(error)) return undefined;
      throw new UnavailableError("slow", "another process holds the database", error);
    }
  }
  let size = database.opened.size;
  let logSize = log.opened.size;
  let lostIndex: unknown;
  let damage: UnavailableError | undefined;

  /** VACUUM also makes the file smaller, but then SQLite expects fewer pages. */
  function isCut(): boolean {
    const pages = pragmaValue("PRAGMA page_count", "page_count");
    return pages === undefined || pages * pageSize >= size;
  }

  /**
   * SQLite truncates the log only after copying all of it. A passive checkpoint returns the number of frames
   * that the log should have.
   */
  function isLogCut(found: bigint): boolean {
    if (found >= keptLog) return false;
    if (found >= logHeader) return true;
    const frames = pragmaValue("PRAGMA wal_checkpoint(PASSIVE)", "log");
    if (frames === undefined) return true;
    return frames > 0 && log.look().size < logHeader + frames * (frameHeader + pageSize);
  }

  function refuseCut(what: string): never {
    damage = new UnavailableError(
      "damaged",
      `${what} was cut short: stop the server, and restore a backup`,
      undefined,
    );
    throw damage;
  }

  function prove(): void {
    // SQLite removes the log when it closes the database.
    if (!reading.isOpen) return;
    if (damage !== undefined) throw damage;
    if (lostIndex !== undefined) throw lostIndex;
    const [found, foundLog] = [database.look().size, log.look().size];
    if (found < size && isCut()) refuseCut(`the database file ${path}`);
    if (foundLog < logSize && isLogCut(foundLog)) refuseCut(`the write-ahead log ${path}-wal`);
    size = found;
    logSize = foundLog;
  }

  return {
    prove,
    proveAll() {
      try {
        lostIndex = undefined;
        index.look();
      } catch (error) {
        lostIndex = error;
      }
      prove();
    },
    noteDamage(found) {
      damage ??= found;
    },
  };
}

function named(path: string, what: string) {
  const opened = statSync(path, { bigint: true });
  return {
    opened,
    look(): BigIntStats {
      let found: BigIntStats;
      try {
        found = statSync(path, { bigint: true });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const problem = code === "ENOENT" ? "no longer exists" : `cannot be accessed (${code})`;
        throw new UnavailableError(
          "gone",
          `${what} ${path} ${problem}: put it back, or restart the server`,
          error,
        );
      }
      if (found.ino === opened.ino && found.dev === opened.dev) return found;
      const sentence = `${what} ${path} was replaced by another file: restart the server to use the new one`;
      throw new UnavailableError("gone", sentence, undefined);
    },
  };
}
