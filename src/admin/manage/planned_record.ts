/** A manifest's record between parsing and writing: compared with the stored one, then prepared. */
import type { FieldError, Reason } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { SecretMemory, SecretPair } from "./manifest_memory.ts";

/** A row whose table is not known to the compiler. */
export type Values = Readonly<Record<string, unknown>>;

/** A row of one table that is added (`current` undefined) or changed. */
interface PlannedRow {
  readonly table: TableName;
  readonly current: Values | undefined;
  /** The whole new row, or the columns that differ. */
  readonly values: Values;
}

export interface PlannedRecord extends PlannedRow {
  readonly id: string;
  /** The record's natural name, such as `web-app`. */
  readonly name: string;
  /** The record's kind and name, such as `app web-app`. */
  readonly label: string;
  /** The position in the file, such as `apps[2]`; for a record without a position, its label. */
  readonly path: string;
  /** Members of the entry that are not columns; `input` is undefined if the file omits the member. */
  readonly members: readonly { readonly member: ManifestMember; readonly input: unknown }[];
}

export interface PreparedRow extends PlannedRow {
  /** The part's name within its record; undefined for the record itself. */
  readonly part: string | undefined;
  /** Whether the value is generated here. It is shown once, so no file contains it. */
  readonly generated?: true;
  /** Whether no visible member distinguishes the row from others. */
  readonly unshown?: true;
}

/** Adds messages to the errors of the file, below a path as the file shows it. */
export interface ErrorCollector {
  add(path: string, why: Reason): void;
  /** Adds errors of a record of `table`, whose paths are JSON pointers into it. */
  addBelow(path: string, found: readonly FieldError[], table?: TableName): void;
}

/** The entry of a manifest that a member is read from. */
export interface Reading {
  readonly id: string;
  /** The position of the entry in the file, such as `apps[2]`. */
  readonly path: string;
  readonly current: Values | undefined;
  /** The record as it will be after the manifest is applied. */
  readonly whole: Values;
  readonly context: AdminContext;
  readonly collector: ErrorCollector;
}

/** Rows of a separate table that a manifest nests within a record. */
export interface ManifestPart {
  readonly table: TableName;
  readonly column: string;
}

/** Members of an entry that are not columns of the record, such as `password` or `secrets`. */
export interface ManifestMember<Given = unknown> {
  readonly names: readonly string[];
  readonly part?: ManifestPart;
  /**
   * Returns the value that the entry sets, or undefined if it has none; adds its errors to the errors of
   * the file.
   */
  read(entry: Input, reading: Reading): Given | undefined | Promise<Given | undefined>;
  /** Loads the stored rows and compares them with the input. */
  compare(
    input: Given | undefined,
    record: PlannedRecord,
    context: AdminContext,
  ): Comparison | Promise<Comparison>;
  /** Returns the member's value in an export; undefined if it has none. */
  exported?(store: AdminContext["store"], row: Values): Promise<unknown>;
}

export interface Comparison {
  /** Stored hashes with their most likely original texts. */
  readonly pairs?: readonly SecretPair[];
  /** Hashes and seals new values; `at` is the time at which the manifest is applied. */
  prepare(memory: SecretMemory, at: Date): PreparedMember | Promise<PreparedMember>;
}

/** The columns, rows and secrets that a member contributes to the written record. */
export interface PreparedMember {
  /** Columns of the record itself. */
  readonly values?: Values;
  readonly rows?: readonly PreparedRow[];
  /** The ids of the rows of its part that the file names; undefined if the file does not mention them. */
  readonly named?: readonly string[] | undefined;
  /** Whether every row of the part is deleted. */
  readonly dropped?: boolean;
  /** Changed members whose values are never shown. */
  readonly hidden?: readonly string[];
  /** A generated secret, and the record that it belongs to. */
  readonly made?: readonly [name: string, secret: string] | undefined;
}
