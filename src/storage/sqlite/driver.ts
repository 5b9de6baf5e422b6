/**
 * The SQLite driver (`node:sqlite`). It has one connection for writes and one for reads of committed data.
 */
import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { ReferenceViolation, UniqueViolation } from "../../errors/violations.ts";
import { UnavailableError, type UnavailableKind } from "../../errors.ts";
import { sqlite } from "../database/dialect.ts";
import type { Connection, Driver, EncodedRow } from "../database/driver.ts";
import {
  busyTimeout,
  type CommitSteps,
  commitsAtOnce,
  groupCommit,
  isBusy,
  type LogFlush,
  logFlushOf,
  takingTurns,
} from "./group_commit.ts";
import { isFull, obstacleTo } from "./obstacles.ts";
import { keptLog, type OwnFiles, ownFiles } from "./own_files.ts";

const changeCheckInterval = 200;

const proofInterval = 5000;

interface SqliteError {
  readonly errcode?: number;
  readonly message: string;
}

/**
 * SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY, then _FOREIGNKEY and, for RESTRICT, _TRIGGER
 * (https://www.sqlite.org/rescode.html).
 */
const uniqueCodes = [2067, 1555];
const foreignKeyCodes = [787, 1811];
/** SQLITE_READONLY_DBMOVED. */
const replacedCode = 1032;

function translated(error: unknown): unknown {
  const { errcode, message } = error as SqliteError;
  if (errcode !== undefined && uniqueCodes.includes(errcode)) {
    const columns = message.replace(/^.*failed: /, "").split(", ");
    const table = columns[0]?.split(".")[0] ?? "";
    return new UniqueViolation(`${table}.${columns.map((column) => column.split(".")[1]).join(",")}`, error);
  }
  if (errcode !== undefined && foreignKeyCodes.includes(errcode)) return new ReferenceViolation(error);
  return asUnavailable(error);
}

/** Primary result codes (the lowest byte) that mean that the file is unavailable. */
const kinds: ReadonlyMap<number, readonly [UnavailableKind, string]> = new Map([
  [5, ["slow", "another process holds the database"]],
  [7, ["slow", "there is not enough memory for the database"]],
  [8, ["read_only", "the database file cannot be written"]],
  [10, ["away", "the disk cannot be read or written"]],
  [11, ["damaged", "the database file is damaged: stop the server, and restore a backup"]],
  [13, ["full", "the disk is full"]],
  [14, ["away", "the database file cannot be opened"]],
  [15, ["slow", "other processes prevent this one from locking the database"]],
  [26, ["damaged", "the database file is damaged: stop the server, and restore a backup"]],
] as const);

const emptied = ["gone", "the database file does not have the tables of this server"] as const;

function asUnavailable(error: unknown): unknown {
  const { errcode, message } = error as SqliteError;
  // A missing table means that the file was replaced or is damaged.
  const isEmptied = errcode !== undefined && message.startsWith("no such table: ");
  const [kind, sentence] = isEmptied ? emptied : (kinds.get((errcode ?? 0) & 0xff) ?? []);
  return kind === undefined ? error : new UnavailableError(kind, `${sentence}: ${message}`, error);
}

/** In milliseconds. Reads wait only while the file is created or repaired. */
const readerTimeout = 250;

/** If two processes switch to WAL at once, SQLite reports "busy" without waiting. */
function switchToWal(database: DatabaseSync): void {
  for (const deadline = performance.now() + busyTimeout; ; ) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/**
 * `FULL` flushes each commit to disk; with `NORMAL`, the caller must flush the log. `timeout` is in
 * milliseconds.
 */
function open(path: string, timeout: number, synchronous: "FULL" | "NORMAL"): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  switchToWal(database);
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec(`PRAGMA journal_size_limit = ${keptLog}`);
  database.exec("PRAGMA foreign_keys = ON");
  database.exec("PRAGMA temp_store = MEMORY");
  // In KiB. The operating system caches the rest of the file.
  database.exec("PRAGMA cache_size = -8192");
  database.exec(`PRAGMA busy_timeout = ${timeout}`);
  return database;
}

function opened(...[path, timeout, synchronous]: Parameters<typeof open>): DatabaseSync {
  try {
    return open(path, timeout, synchronous);
  } catch (error) {
    const known = asUnavailable(error);
    if (known instanceof UnavailableError && known.kind === "damaged") throw known;
    const reason = error instanceof Error ? error.message : String(error);
    const isReplaced = (error as SqliteError).errcode === replacedCode;
    const obstacle = isBusy(error)
      ? "another process has locked it: stop this process"
      : isReplaced
        ? "another process replaced it: repeat the command"
        : obstacleTo(path);
    const cure = obstacle === undefined ? "" : ` (${obstacle})`;
    throw new Error(`the database ${path} cannot be opened: ${reason}${cure}`, { cause: error });
  }
}

/** Rows are returned as arrays, because objects would take 50 % longer. */
interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

function rowOf(columns: readonly string[], values: readonly unknown[]): EncodedRow {
  const row: EncodedRow = {};
  columns.forEach((name, index) => {
    row[name] = values[index];
  });
  return row;
}

/** Returns a `Connection` on an SQLite database. `asKnown` converts SQLite's errors. */
export function connectionTo(
  database: DatabaseSync,
  asKnown: (error: unknown) => unknown = translated,
): Connection {
  const statements = new Map<string, Prepared>();
  const prepared = (sql: string) => {
    let known = statements.get(sql);
    if (known === undefined) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      known = { statement, columns: statement.columns().map(({ name }) => name) };
      statements.set(sql, known);
    }
    return known;
  };
  const inOrder = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    async all(sql, parameters) {
      try {
        const { statement, columns } = prepared(sql);
        const rows = statement.all(...inOrder(parameters)) as unknown as unknown[][];
        return rows.map((values) => rowOf(columns, values));
      } catch (error) {
        throw asKnown(error);
      }
    },
    async queryUnprepared(sql, parameters) {
      try {
        return database
          .prepare(sql)
          .all(...inOrder(parameters))
          .map((row) => ({ ...row }));
      } catch (error) {
        throw asKnown(error);
      }
    },
    async first(sql, parameters) {
      try {
        const { statement, columns } = prepared(sql);
        const values = statement.get(...inOrder(parameters)) as unknown as unknown[] | undefined;
        return values && rowOf(columns, values);
      } catch (error) {
        throw asKnown(error);
      }
    },
    async run(sql, parameters) {
      try {
        return Number(prepared(sql).statement.run(...inOrder(parameters)).changes);
      } catch (error) {
        throw asKnown(error);
      }
    },
  };
}

function commitSteps(
  writing: DatabaseSync,
  connection: Connection,
  files: OwnFiles,
  log: LogFlush,
): CommitSteps {
  const step = (sql: string) => {
    const statement = writing.prepare(sql);
    return () => {
      statement.run();
    };
  };
  const begin = step("BEGIN IMMEDIATE");
  const inTurn = takingTurns();
  const commit = step("COMMIT");
  const rollback = step("ROLLBACK");
  const undo = [step("ROLLBACK TO job"), step("RELEASE job")];
  return {
    connection,
    begin() {
      files.prove();
      log.prove();
      return inTurn(begin);
    },
    commit,
    async flush() {
      await log.flush();
      // From a missing, replaced or damaged file, the committed data could not be read again.
      files.prove();
    },
    rollback() {
      // A closed connection has no transaction to roll back.
      if (writing.isOpen && writing.isTransaction) rollback();
    },
    mark: step("SAVEPOINT job"),
    keep: step("RELEASE job"),
    undo() {
      for (const each of undo) each();
    },
  };
}

/** Milliseconds between two checks whether the files were removed, replaced or damaged. */
const presenceInterval = 1000;
const complaintInterval = 10_000;

function watchPresence(files: OwnFiles, onUnavailable: (kind: UnavailableError) => void): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    try {
      files.proveAll();
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() - loggedAt < complaintInterval) return;
      loggedAt = performance.now();
      onUnavailable(error);
    }
  }, presenceInterval).unref();
  return () => clearInterval(timer);
}

/**
 * Opens a database file, or creates it. `onUnavailable` is called when the file is missing, replaced or
 * damaged.
 */
export function openSqlite(
  input: string,
  onUnavailable: (kind: UnavailableError) => void = () => {},
): Driver {
  const [writing, reading] = [opened(input, 0, "NORMAL"), opened(input, readerTimeout, "FULL")];
  // SQLite names its other files after the target of a symbolic link.
  const path = realpathSync(input);
  const files = ownFiles(path, reading);
  const stopWatching = watchPresence(files, onUnavailable);
  const asKnown = (error: unknown): unknown => {
    const known = translated(error);
    if (known instanceof UnavailableError && known.kind === "damaged") files.noteDamage(known);
    return known;
  };
  const writer = connectionTo(writing, asKnown);
  const reader = connectionTo(reading, asKnown);
  const listeners: (() => void)[] = [];
  const log = logFlushOf(path, commitsAtOnce);
  const commits = groupCommit(commitSteps(writing, writer, files, log));

  const dataVersion = writing.prepare("PRAGMA data_version");
  const readVersion = () => dataVersion.get()?.data_version;
  let version: unknown = readVersion();
  let checkedAt = performance.now();

  /** Undefined if the file cannot be read. The next statement reports the reason. */
  function foundVersion(): unknown {
    try {
      return readVersion();
    } catch (error) {
      asKnown(error);
      return undefined;
    }
  }

  function isCurrent(): boolean {
    const at = performance.now();
    if (at - checkedAt >= changeCheckInterval) {
      checkedAt = at;
      const found = foundVersion();
      if (found !== version) {
        version = found;
        for (const listener of listeners) listener();
      }
    }
    return version !== undefined;
  }
  // Detects changes by other processes even if this process does not use its caches.
  const timer = setInterval(isCurrent, changeCheckInterval).unref();

  function transaction<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      commits.add({
        work,
        resolve: resolve as (value: unknown) => void,
        // The commit may fail although every statement succeeded, so its errors are converted too.
        reject: (error) => reject(asKnown(error)),
      });
    });
  }

  let provedAt = Number.NEGATIVE_INFINITY;
  /** Without writing a page to disk, a full disk or a read-only file system is not detected. */
  async function proveWritable(): Promise<void> {
    files.proveAll();
    log.prove();
    proveRoom(path);
    if (performance.now() - provedAt < proofInterval) return;
    await transaction((connection) => connection.run("PRAGMA user_version = 1", []));
    provedAt = performance.now();
  }

  return {
    dialect: sqlite,
    all: reader.all,
    queryUnprepared: reader.queryUnprepared,
    first: reader.first,
    run: (sql, parameters) => reader.run(sql, parameters),
    transaction,
    runBatch: (statements) =>
      transaction(async (connection) => {
        const counts: number[] = [];
        for (const { sql, parameters } of statements) counts.push(await connection.run(sql, parameters));
        return counts;
      }),
    expectJob: commits.expectJob,
    async script(_connection, sql) {
      writing.exec(sql);
    },
    proveWritable,
    connections: () => undefined,
    logSize: async () => (await stat(`${path}-wal`).catch(() => undefined))?.size ?? 0,
    isCurrent,
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      await commits.drained();
      clearInterval(timer);
      stopWatching();
      log.close();
      reading.close();
      writing.close();
    },
  };
}

/** A test write could succeed in the existing log although a larger commit would fail. */
function proveRoom(path: string): void {
  if (isFull(path)) throw new UnavailableError("full", "the disk of the database is full", undefined);
}
