/**
 * The types of the table definitions: a table, the marks of its rows, and the fields that the specification's
 * tables and ours share.
 */
import {
  bool,
  defaulting,
  type Fields,
  type Marks,
  object,
  optional,
  string,
  strings,
  time,
} from "./field.ts";

/** The owner of each row, from which every ownership check derives (`ownership.ts`, H-22). */
export interface Ownership<Column extends string = string> {
  /** The column with the id of the user that the row belongs to, and the condition under which it does. */
  readonly user?: {
    readonly column: Column;
    readonly where?: Readonly<Partial<Record<Column, string | null>>>;
  };
  /** The column with the id of the organization that the row belongs to. */
  readonly organization?: Column;
  /**
   * References to records whose organizations are the row's as well, and whose user is the row's where it has
   * none. The owner of those records is stated in their own table.
   */
  readonly through?: readonly Column[];
  /** Rows of another table name organizations that may read the row, and never write it. */
  readonly readers?: { readonly table: string; readonly row: string; readonly organization: string };
  /**
   * The columns that decide whose permission is needed to add a row: the first one with a value counts, and
   * the last is required. `platform` at the end: without a value, only a platform administrator adds it.
   */
  readonly added_to: readonly (Column | "platform")[];
}

/**
 * The columns whose index finds rows in the order of ids, the most selective first; `few` have an index of
 * their own.
 */
export interface Indexes<Column extends string = string> {
  readonly few?: readonly Column[];
  /** An index finds them, but not in id order: used if it finds few. */
  readonly counted?: Column;
  readonly ordered?: readonly Column[];
  /** Two columns that one index covers, not in id order: used if they find few. */
  readonly pair?: readonly [Column, Column];
  /** Columns that do not say whose a row is, though most of their rows are the same people's. */
  readonly probed?: readonly Column[];
  /** Worth using only if no other column is more selective. */
  readonly wide?: readonly Column[];
}

/** The counts of rows that end with the record they refer to. */
export type CountedAs =
  | "tokens"
  | "sessions"
  | "consents"
  | "secrets"
  | "members"
  | "key_pairs"
  | "api_keys"
  | "linked_accounts"
  | "passkeys"
  | "authenticator_apps";

export interface TableMarks<Column extends string = string> {
  /** Pairs that are unique together. */
  readonly unique?: readonly (readonly Column[])[];
  readonly owner: Ownership<Column>;
  readonly indexes: Indexes<Column>;
  /**
   * The impact count for active rows when the record that they refer to ends. Null if their end
   * has no effect on users, or if each has dependents of its own and is processed individually.
   */
  readonly counted_as: CountedAs | null;
}

export interface TableDefinition<F extends Fields = Fields> extends TableMarks {
  readonly fields: F;
  /** The section of the specification, or the purpose of the table. */
  readonly source: string;
}

/** The marks of the server's own records: only a platform administrator may do anything with them. */
export const ofServer = { owner: { added_to: ["platform"] }, indexes: {}, counted_as: null } as const;

/** The marks of a field that only the service writes. */
export const kept = { auto_create: true, immutable: true } as const;

export const created_at = time("creation time", { immutable: true, auto_create: true });
export const updated_at = time("modification time", { auto_update: true });
export const client_ip = optional(string("IP address of the request"));
export const user_agent = optional(string("User-Agent of the request", { format: "prose" }));

/** Validated by the definitions of `attribute_definitions` when the record is written. */
export const attributes = optional(object("attributes, as their definitions describe them"));

/** A table with its fields, which keep their types, and with its marks. */
export function table<F extends Fields>(source: string, fields: F) {
  return {
    with: (marks: TableMarks<keyof F & string>): TableDefinition<F> => ({ source, fields, ...marks }),
  };
}

/** Whether the record is switched on; it is by default. */
export const active = (meaning: string) => defaulting(bool(meaning), true);
export const revoked = defaulting(bool("whether it is revoked"), false);
export const revoked_at = optional(time("revocation time"));
export const revoked_reason = optional(string("reason", { format: "prose" }));
export const last_used_at = optional(time("time of the last use"));
/** Scopes, none by default. */
export const scopes = (meaning: string, marks: Marks = {}) => defaulting(strings(meaning, marks), []);

/**
 * Tokens issued at or before this time are revoked whatever their row says, so that ending a record revokes them
 * immediately (design 6.18).
 */
export const tokens_not_before = optional(
  time("tokens created up to this time are revoked", { internal: true }),
);

/** Only a platform administrator can switch it on again. */
export const switched_off_by_platform = defaulting(
  bool("whether a platform administrator deactivated it", { internal: true }),
  false,
);
