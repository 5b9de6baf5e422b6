import type { Dialect } from "./dialect.ts";

export type EncodedRow = Record<string, unknown>;

export interface Connection {
  all(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  first(sql: string, parameters: readonly unknown[]): Promise<EncodedRow | undefined>;
  run(sql: string, parameters: readonly unknown[]): Promise<number>;
}

export interface PreparedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /**
   * The id of the row that the statement stores. Set it only if the statement's single parameter is a JSON
   * array with this row, and if the statement returns the `id` of each stored row. The rows of several
   * callers can then share one statement.
   */
  readonly row_id?: string;
}

interface TransactionOptions {
  readonly notice?: () => boolean;
  /**
   * Time limit in milliseconds for each statement of the transaction and each wait for a lock, instead of
   * the usual limit; 0 means no limit.
   */
  readonly maxWait?: number;
}

/** @public The type declarations of the published packages contain it. */
export interface ConnectionLoad {
  readonly used: number;
  readonly idle: number;
  readonly most: number;
  readonly waiting: number;
}

/** An open database. Reads outside a transaction see committed data only. */
export interface Driver extends Connection {
  readonly dialect: Dialect;
  /**
   * Runs a statement that returns rows, without caching a prepared statement. Use it for queries whose SQL
   * varies too much to cache.
   */
  queryUnprepared(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  /**
   * Runs `work` atomically and resolves once the changes are durable. Rolls everything back if `work`
   * throws. `work` may await only its connection, because on SQLite other writers wait for it.
   */
  transaction<R>(work: (connection: Connection) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /**
   * Runs statements that do not depend on each other's results, atomically and in one round trip. Returns
   * how many rows each changed. Resolves once the changes are durable.
   */
  runBatch(statements: readonly PreparedStatement[]): Promise<number[]>;
  /**
   * Announces a transaction, so others may wait for it and share its commit. Call the returned function when
   * the transaction arrives, or when it will not arrive.
   */
  expectJob(): () => void;
  script(connection: Connection, sql: string): Promise<void>;
  proveWritable(): Promise<void>;
  connections(): ConnectionLoad | undefined;
  /** Returns the size of the write-ahead log in bytes; undefined if the log is not a file on this machine. */
  logSize(): Promise<number | undefined>;
  /** Returns whether this process knows every change that another process made more than a second ago. */
  isCurrent(): boolean;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
