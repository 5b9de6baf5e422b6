import type { FieldError, Reason } from "../../errors/field_errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { Transaction } from "../changes/changes.ts";
import type { SecretMemory, SecretPair } from "./manifest_memory.ts";

export type Values = Readonly<Record<string, unknown>>;

interface PlannedRow {
  readonly table: TableName;
  readonly current: Values | undefined;
  readonly values: Values;
  /**
   * Returns the columns that must change to match the file if the stored row is now `row`. A request may have
   * changed the row after `current` was read. Absent for new rows.
   */
  readonly revise?: ((row: Values) => Promise<Values>) | undefined;
}

export interface PlannedRecord extends PlannedRow {
  readonly id: string;
  readonly name: string;
  /** The text by which a later import recognizes the record; undefined if the record has none. */
  readonly key: string | undefined;
  readonly label: string;
  /**
   * The entry's position in the file, such as `apps[2]`. A derived record that is not in the file has its
   * label instead.
   */
  readonly path: string;
  /** `input` is undefined if the entry omits the field. */
  readonly members: readonly { readonly member: ManifestMember; readonly input: unknown }[];
}

export interface PreparedRow extends PlannedRow {
  /** The name of a nested row, such as a secret, within its record; undefined for the record itself. */
  readonly part: string | undefined;
  readonly generated?: true;
  readonly unshown?: true;
}

export interface ErrorCollector {
  add(path: string, why: Reason): void;
  addBelow(path: string, found: readonly FieldError[], table?: TableName): void;
}

export interface Reading {
  readonly id: string;
  readonly path: string;
  readonly current: Values | undefined;
  readonly whole: Values;
  readonly context: AdminContext;
  readonly collector: ErrorCollector;
}

interface Written<T extends TableName> {
  readonly before: Row<T> | undefined;
  readonly after: Row<T>;
}

/** What an API request does in addition to writing the row; applying a manifest does it too. */
export interface WritingRules<T extends TableName = TableName> {
  also?(tx: Transaction, written: Written<T>, at: Date, context: AdminContext): Promise<void>;
  remove?(tx: Transaction, row: Row<T>, at: Date, context: AdminContext): Promise<void>;
  /** Runs after the commit, to complete what `also` or `remove` started. */
  finish?(row: Row<T>, context: AdminContext): Promise<void>;
}

export interface ManifestPart extends WritingRules {
  readonly table: TableName;
  readonly column: string;
}

/** A field of a manifest entry that is not a column of the record, such as `password` or `secrets`. */
export interface ManifestMember<Given = unknown> {
  readonly names: readonly string[];
  readonly part?: ManifestPart;
  /** Whether `compare` computes no hash, so that it can run again in the transaction. */
  readonly is_quick?: true;
  read(entry: Input, reading: Reading): Given | undefined | Promise<Given | undefined>;
  compare(
    input: Given | undefined,
    record: PlannedRecord,
    context: AdminContext,
  ): Comparison | Promise<Comparison>;
  exported?(store: AdminContext["store"], row: Values): Promise<unknown>;
}

export interface Comparison {
  /** Stored hashes, each with the secret in the file that probably matches it. */
  readonly pairs?: readonly SecretPair[];
  prepare(memory: SecretMemory, at: Date): PreparedMember | Promise<PreparedMember>;
}

export interface PreparedMember {
  readonly values?: Values;
  readonly rows?: readonly PreparedRow[];
  readonly named?: readonly string[] | undefined;
  readonly dropped?: boolean;
  readonly hidden?: readonly string[];
  readonly made?: readonly [name: string, secret: string] | undefined;
}
