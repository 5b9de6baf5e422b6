/**
 * The records of a manifest after it was parsed. Each is compared with the stored record, and then prepared
 * for writing.
 */
import type { FieldError, Reason } from "../../errors/field_errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { Transaction } from "../changes/changes.ts";
import type { SecretMemory, SecretPair } from "./manifest_memory.ts";

/** A row whose table is not known to the compiler. */
export type Values = Readonly<Record<string, unknown>>;

interface PlannedRow {
  readonly table: TableName;
  readonly current: Values | undefined;
  readonly values: Values;
}

export interface PlannedRecord extends PlannedRow {
  readonly id: string;
  readonly name: string;
  /** The text by which a later run recognizes the record; undefined if none is stored. */
  readonly key: string | undefined;
  readonly label: string;
  /** The position in the file, such as `apps[2]`; for a record without a position, its label. */
  readonly path: string;
  /** Fields of the entry that are not columns; `input` is undefined if the file omits the field. */
  readonly members: readonly { readonly member: ManifestMember; readonly input: unknown }[];
}

export interface PreparedRow extends PlannedRow {
  /** The part's name within its record; undefined for the record itself. */
  readonly part: string | undefined;
  /**
   * Whether the server generates the value while it applies the manifest. The value is shown only once, so no
   * file contains it.
   */
  readonly generated?: true;
  /** Whether the row is left out of the displayed differences, because no visible field shows its change. */
  readonly unshown?: true;
}

export interface ErrorCollector {
  add(path: string, why: Reason): void;
  /** Adds errors of a record of `table`, whose paths are JSON pointers into it. */
  addBelow(path: string, found: readonly FieldError[], table?: TableName): void;
}

export interface Reading {
  readonly id: string;
  readonly path: string;
  readonly current: Values | undefined;
  /** The record as it will be after the manifest is applied. */
  readonly whole: Values;
  readonly context: AdminContext;
  readonly collector: ErrorCollector;
}

interface Written<T extends TableName> {
  readonly before: Row<T> | undefined;
  readonly after: Row<T>;
}

/**
 * The steps that a management API request takes in addition to writing a row. Applying a manifest takes them
 * too.
 */
export interface WritingRules<T extends TableName = TableName> {
  /** Writes further rows in the transaction that wrote the row. */
  also?(tx: Transaction, written: Written<T>, at: Date, context: AdminContext): Promise<void>;
  /** Deletes a pruned row; if absent, only the row is deleted. */
  remove?(tx: Transaction, row: Row<T>, at: Date, context: AdminContext): Promise<void>;
  /** Completes after the commit what `also` or `remove` queued. */
  finish?(row: Row<T>, context: AdminContext): Promise<void>;
}

/** Rows of a separate table that a manifest nests within a record. */
export interface ManifestPart extends WritingRules {
  readonly table: TableName;
  readonly column: string;
}

/** Fields of an entry that are not columns of the record, such as `password` or `secrets`. */
export interface ManifestMember<Given = unknown> {
  readonly names: readonly string[];
  readonly part?: ManifestPart;
  /**
   * Returns the value that the entry sets, or undefined if it has none; adds its errors to the errors of
   * the file.
   */
  read(entry: Input, reading: Reading): Given | undefined | Promise<Given | undefined>;
  compare(
    input: Given | undefined,
    record: PlannedRecord,
    context: AdminContext,
  ): Comparison | Promise<Comparison>;
  exported?(store: AdminContext["store"], row: Values): Promise<unknown>;
}

export interface Comparison {
  /** Stored hashes, each with the secret that most likely belongs to it. */
  readonly pairs?: readonly SecretPair[];
  /** Hashes or encrypts new values; `at` is the time at which the manifest is applied. */
  prepare(memory: SecretMemory, at: Date): PreparedMember | Promise<PreparedMember>;
}

export interface PreparedMember {
  readonly values?: Values;
  readonly rows?: readonly PreparedRow[];
  /** The ids of the part's rows that the file names; undefined if the file does not mention the part. */
  readonly named?: readonly string[] | undefined;
  readonly dropped?: boolean;
  readonly hidden?: readonly string[];
  readonly made?: readonly [name: string, secret: string] | undefined;
}
