import type { Dialect } from "./dialect.ts";

export type EncodedRow = Record<string, unknown>;

/**
 * Something that runs SQL with encoded parameters: a connection inside a transaction, or the database as a
 * whole.
 */
export interface Connection {
  /** Runs a statement that answers rows. */
  all(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  /** Runs a statement that answers one row at most. */
  first(sql: string, parameters: readonly unknown[]): Promise<EncodedRow | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, parameters: readonly unknown[]): Promise<number>;
}

/** A statement with its encoded parameters. */
export interface PreparedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface TransactionOptions {
  /** Evaluated after the work: whether other processes must drop their caches. */
  readonly notice?: () => boolean;
  /**
   * How long each statement of it, and each wait for a lock, may take instead of the usual: milliseconds, 0
   * is forever.
   */
  readonly maxWait?: number;
}

/** @public The declarations of the packages name it. */
export interface ConnectionLoad {
  readonly used: number;
  readonly idle: number;
  /** How many there may be. */
  readonly most: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** One open database. Reads outside a transaction see committed data only. */
export interface Driver extends Connection {
  readonly dialect: Dialect;
  /** Runs a statement that answers rows and is not kept prepared: for questions of very many shapes. */
  queryUnprepared(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  /**
   * Runs `work` atomically and resolves once it is durable. If `work` throws, all of it is rolled back.
   * `work` awaits nothing but its connection, because on SQLite others wait for it.
   */
  transaction<R>(work: (connection: Connection) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /**
   * Runs statements that do not depend on each other's answers, atomically, in one round trip, and returns
   * how many rows each changed. Resolves once it is durable.
   */
  runBatch(statements: readonly PreparedStatement[]): Promise<number[]>;
  /**
   * Says that a transaction will come soon, so that others may wait for it and share its commit; the returned
   * function says that it has come, or will not.
   */
  expectJob(): () => void;
  /** Runs several statements of a migration's text. */
  script(connection: Connection, sql: string): Promise<void>;
  /** Rejects with `UnavailableError` when the database takes no writes. */
  proveWritable(): Promise<void>;
  /** The connections of the pool now; undefined if the database is a file of this machine. */
  connections(): ConnectionLoad | undefined;
  /** Bytes of the write-ahead log; undefined if it is not a file of this server. */
  logSize(): Promise<number | undefined>;
  /** True if no change made by another process more than a second ago can have been missed. */
  isCurrent(): boolean;
  /** Called when another process changed something that is cached. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
