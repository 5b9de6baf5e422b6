/** Checks whether the files of an open database are still the opened ones, and intact. */
import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { UnavailableError } from "../../errors.ts";
import { isBusy } from "./group_commit.ts";

/**
 * The size in bytes to which SQLite truncates the log once its content is in the database. The log may be
 * larger while a long-running reader prevents that.
 */
export const keptLog = 16 * 1024 * 1024;

/**
 * Bytes of the log's header, and of a frame's
 * (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
 */
const logHeader = 32;
const frameHeader = 24;

export interface OwnFiles {
  /**
   * Throws `UnavailableError`: `gone` if a file is missing or replaced, `damaged` once damage is known.
   * Costs two system calls.
   */
  prove(): void;
  proveAll(): void;
  /** Records damage until a restart. No response may depend on a file that might not open again. */
  noteDamage(damage: UnavailableError): void;
}

/**
 * Watches the files of a database that was just opened. `reading` must be outside a transaction at every
 * check.
 */
export function ownFiles(path: string, reading: DatabaseSync): OwnFiles {
  const database = named(path, "the database file");
  const log = named(`${path}-wal`, "the write-ahead log");
  // SQLite uses the index to find the content of the log. Processes with different indexes would overwrite
  // each other's data.
  const index = named(`${path}-shm`, "the index of the write-ahead log");
  const ask = (pragma: string, column: string) => Number(reading.prepare(pragma).get()?.[column]);
  const pageSize = ask("PRAGMA page_size", "page_size");
  /** The result is undefined if the files are too damaged to read the value. */
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

  /** Only VACUUM makes a database file smaller, and SQLite then counts fewer pages. */
  function isCut(): boolean {
    const pages = pragmaValue("PRAGMA page_count", "page_count");
    return pages === undefined || pages * pageSize >= size;
  }

  /**
   * SQLite truncates the log only after all of it is in the database. A passive checkpoint returns how many
   * frames the log should have, and changes nothing if there is nothing to copy.
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
    // After closing, nothing is checked, because SQLite removes the log when the last connection closes.
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
