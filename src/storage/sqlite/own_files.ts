/** Checks whether the files of an open database are still the opened ones, and intact. */
import { type BigIntStats, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { UnavailableError } from "../../errors.ts";
import { isBusy } from "./group_commit.ts";

/** Bytes that the log keeps on disk when its content is in the database: a long reader lets it grow. */
export const keptLog = 16 * 1024 * 1024;

/** https://www.sqlite.org/fileformat2.html#the_write_ahead_log: bytes of the log's header, and of a frame's. */
const logHeader = 32;
const frameHeader = 24;

export interface OwnFiles {
  /**
   * Throws `UnavailableError`: `gone` if a name leads to no file or to another, `damaged` once damage is
   * known. Two questions to the system.
   */
  prove(): void;
  /** `prove`, and also checks the index of the log. */
  proveAll(): void;
  /** Damage is remembered until a restart: no response may depend on a file that may not open again. */
  noteDamage(damage: UnavailableError): void;
}

/** Of a database that was opened just now; `reading` is outside of transactions whenever it is asked. */
export function ownFiles(path: string, reading: DatabaseSync): OwnFiles {
  const database = named(path, "the database file");
  const log = named(`${path}-wal`, "the write-ahead log");
  // SQLite finds in it what the log holds: processes with different ones would write over each other.
  const index = named(`${path}-shm`, "the index of the write-ahead log");
  const ask = (pragma: string, column: string) => Number(reading.prepare(pragma).get()?.[column]);
  const pageSize = ask("PRAGMA page_size", "page_size");
  /** Undefined if the files no longer reveal it. */
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

  /** Only VACUUM makes the file of a database smaller, and SQLite counts fewer pages from then on. */
  function isCut(): boolean {
    const pages = pragmaValue("PRAGMA page_count", "page_count");
    return pages === undefined || pages * pageSize >= size;
  }

  /**
   * SQLite truncates a log only when all of it is in the database. A passive checkpoint returns how many
   * frames there should be. With nothing to copy it changes nothing.
   */
  function isLogCut(found: bigint): boolean {
    if (found >= keptLog) return false;
    if (found >= logHeader) return true;
    const frames = pragmaValue("PRAGMA wal_checkpoint(PASSIVE)", "log");
    if (frames === undefined) return true;
    return frames > 0 && log.look().size < logHeader + frames * (frameHeader + pageSize);
  }

  function refuseCut(what: string): never {
    damage = new UnavailableError("damaged", `${what} was cut short: stop, and restore a backup`, undefined);
    throw damage;
  }

  function prove(): void {
    // With the last connection SQLite removes the log.
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

/** A file by its name, and as it was opened. */
function named(path: string, what: string) {
  const opened = statSync(path, { bigint: true });
  return {
    opened,
    /** Throws `UnavailableError` (`gone`) if the name leads to no file, or to another. */
    look(): BigIntStats {
      let found: BigIntStats;
      try {
        found = statSync(path, { bigint: true });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const problem = code === "ENOENT" ? "no longer exists" : `cannot be seen (${code})`;
        throw new UnavailableError("gone", `${what} ${path} ${problem}: put it back, or restart`, error);
      }
      if (found.ino === opened.ino && found.dev === opened.dev) return found;
      const sentence = `${what} ${path} was replaced by another: restart to use that one`;
      throw new UnavailableError("gone", sentence, undefined);
    },
  };
}
