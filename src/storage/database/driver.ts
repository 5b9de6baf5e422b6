import type { Dialect } from "./dialect.ts";

export type EncodedRow = Record<string, unknown>;

export interface Connection {
  all(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  /** For SQL that varies too much to keep a prepared statement. */
  queryUnprepared(sql: string, parameters: readonly unknown[]): Promise<EncodedRow[]>;
  first(sql: string, parameters: readonly unknown[]): Promise<EncodedRow | undefined>;
  run(sql: string, parameters: readonly unknown[]): Promise<number>;
}

export interface PreparedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /**
   * The ID of the row that the statement inserts. Set it only if the single parameter is a JSON array with
   * this row and the statement returns the inserted IDs. Statements of several callers can then be merged.
   */
  readonly row_id?: string;
}

interface TransactionOptions {
  readonly notice?: () => boolean;
  /** In milliseconds, for each statement and lock wait of the transaction; 0 means no limit. */
  readonly maxWait?: number;
}

/** @public The type declarations of the published packages contain it. */
export interface ConnectionLoad {
  readonly used: number;
  readonly idle: number;
  readonly most: number;
  readonly waiting: number;
}

/** Reads outside a transaction see only committed data. */
export interface Driver extends Connection {
  readonly dialect: Dialect;
  /**
   * Resolves once the changes are durable. `work` may await only its connection, because on SQLite all other
   * writers wait for it.
   */
  transaction<R>(work: (connection: Connection) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /**
   * Runs independent statements in one transaction and one round trip. Returns the number of rows that each
   * changed, once the changes are durable.
   */
  runBatch(statements: readonly PreparedStatement[]): Promise<number[]>;
  /**
   * Announces a transaction, so that the next commit may wait for it. Call the returned function when the
   * transaction starts or will not start.
   */
  expectJob(): () => void;
  script(connection: Connection, sql: string): Promise<void>;
  proveWritable(): Promise<void>;
  connections(): ConnectionLoad | undefined;
  /** In bytes; undefined on PostgreSQL. */
  logSize(): Promise<number | undefined>;
  /** Whether this process knows all changes that other processes made more than a second ago. */
  isCurrent(): boolean;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}
