import { closeSync, fdatasyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { median } from "../statistics.ts";

/** What a durable commit of SQLite costs on a disk, milliseconds. */
export interface CommitCosts {
  /** Processor time of a row as large as a token's, with its indexes. */
  readonly row: number;
  /** Processor time of a commit beside its rows. */
  readonly commit: number;
  /** How long each of the commits waited for the disk, without taking the processor. */
  readonly disk: readonly number[];
}

/** Turns of which the quietest counts: what else asks the disk is no part of it. */
const turnsMeasured = 5;
const pairs = 60;
const rowsOfLarge = 9;
const warmUp = 50;

/** How long this thread has waited for a core so far, which others keep busy: no part of a disk's time. */
function runQueueDelay(): number {
  try {
    const [, nanoseconds] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    // Linux alone tells it.
    return 0;
  }
}

/**
 * Measures them in an empty folder, as the server has it: with `synchronous=NORMAL`, and a flush of the log
 * after the commit (decision 15). Where commits are `held`, SQLite flushes, with `synchronous=FULL`.
 */
export function measureCommits(folder: string, held: boolean): CommitCosts {
  const path = join(folder, "commits.db");
  const database = new DatabaseSync(path);
  let log: number | undefined;
  try {
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${held ? "FULL" : "NORMAL"}`);
    database.exec(
      "CREATE TABLE tokens (id INTEGER PRIMARY KEY, signature BLOB UNIQUE, family BLOB, row TEXT)",
    );
    database.exec("CREATE INDEX families ON tokens (family)");
    const insert = database.prepare("INSERT INTO tokens (signature, family, row) VALUES (?, ?, ?)");
    const text = "x".repeat(240);

    function commit(rows: number): { readonly processor: number; readonly disk: number } {
      const [start, before, queued] = [performance.now(), process.cpuUsage(), runQueueDelay()];
      database.exec("BEGIN IMMEDIATE");
      for (let index = 0; index < rows; index++)
        insert.run(
          crypto.getRandomValues(new Uint8Array(16)),
          crypto.getRandomValues(new Uint8Array(16)),
          text,
        );
      database.exec("COMMIT");
      const { user, system } = process.cpuUsage(before);
      const processor = (user + system) / 1000;
      if (log !== undefined) fdatasyncSync(log);
      const wall = performance.now() - start;
      return { processor, disk: Math.max(0, wall - processor - (runQueueDelay() - queued)) };
    }

    commit(1);
    if (!held) log = openSync(`${path}-wal`, "r+");
    for (let index = 0; index < warmUp; index++) commit(1);
    const turns = Array.from({ length: turnsMeasured }, () =>
      Array.from({ length: pairs }, () => ({ small: commit(1), large: commit(rowsOfLarge) })),
    );
    const waited = (turn: (typeof turns)[number]) =>
      turn.reduce((sum, { small, large }) => sum + small.disk + large.disk, 0);
    const [quietest = []] = turns.toSorted((a, b) => waited(a) - waited(b));
    const small = median(quietest.map((pair) => pair.small.processor));
    const large = median(quietest.map((pair) => pair.large.processor));
    const row = Math.max(0, (large - small) / (rowsOfLarge - 1));
    return {
      row,
      commit: Math.max(0, small - row),
      disk: quietest.flatMap((pair) => [pair.small.disk, pair.large.disk]),
    };
  } finally {
    if (log !== undefined) closeSync(log);
    database.close();
  }
}
