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

/** The declared owner of each row, from which every ownership check derives (`ownership.ts`, H-22). */
export interface Ownership<Column extends string = string> {
  /**
   * The column with the id of the user who owns the row. With `where`, that user is the owner only if the row
   * has these values.
   */
  readonly user?: {
    readonly column: Column;
    readonly where?: Readonly<Partial<Record<Column, string | null>>>;
  };
  readonly organization?: Column;
  /**
   * Columns that refer to records from which the row gets its owner. The row belongs to their organizations
   * and, if it names no user itself, to their user.
   */
  readonly through?: readonly Column[];
  /** Another table whose rows name organizations that may read the row but never write it. */
  readonly readers?: { readonly table: string; readonly row: string; readonly organization: string };
  /**
   * The first of these columns with a value determines whose permission is needed to add a row. If none has a
   * value, a final `platform` requires a platform administrator; otherwise the last column is required.
   */
  readonly added_to: readonly (Column | "platform")[];
}

/**
 * The columns by which indexes find the rows of a table. Those in `ordered` find rows in the order of ids;
 * the most selective column comes first. Those in `few` find few rows, in any order.
 */
export interface Indexes<Column extends string = string> {
  readonly few?: readonly Column[];
  /** A column with an index that is not in id order, used if it finds few rows. */
  readonly counted?: Column;
  readonly ordered?: readonly Column[];
  /** Two columns with a composite index that is not in id order, used if the index finds few rows. */
  readonly pair?: readonly [Column, Column];
  /**
   * Columns for which rows with the same value usually have the same owner, although the column does not
   * determine the owner. Such a column is used only if the caller may read the newest row that it finds.
   */
  readonly probed?: readonly Column[];
  /**
   * Columns whose values each occur in very many rows; they are used only if no other column finds fewer
   * rows.
   */
  readonly wide?: readonly Column[];
}

/**
 * The labels under which an impact report (`storage/listing/impact.ts`) counts rows that end with the record
 * they refer to.
 */
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

interface TableMarks<Column extends string = string> {
  readonly unique?: readonly (readonly Column[])[];
  readonly owner: Ownership<Column>;
  readonly indexes: Indexes<Column>;
  /**
   * The label under which active rows are counted in an impact report on the record that they refer to. Null
   * if the end of these rows does not affect users, or if `impact.ts` itself counts them.
   */
  readonly counted_as: CountedAs | null;
}

export interface TableDefinition<F extends Fields = Fields> extends TableMarks {
  readonly fields: F;
  readonly source: string;
}

/** The marks of the server's own records, which only platform administrators may access. */
export const ofServer = { owner: { added_to: ["platform"] }, indexes: {}, counted_as: null } as const;

/** The marks of a field that only the server writes. */
export const kept = { auto_create: true, immutable: true } as const;

export const created_at = time("creation time", { immutable: true, auto_create: true });
export const updated_at = time("time of the last change", { auto_update: true });
/** Returns the fields for the IP address and the User-Agent of a request. */
export const requestOf = (request: string) => ({
  client_ip: optional(string(`IP address of ${request}`)),
  user_agent: optional(string(`User-Agent of ${request}`, { format: "prose" })),
});

/** Values are validated against `attribute_definitions` when the record is written. */
export const attributes = optional(object("values of the record's attributes, by name"));

/** Begins the definition of a table; `with` adds the marks. */
export function table<F extends Fields>(source: string, fields: F) {
  return {
    with: (marks: TableMarks<keyof F & string>): TableDefinition<F> => ({ source, fields, ...marks }),
  };
}

export const active = (meaning: string) => defaulting(bool(meaning), true);
export const revoked = (record: string) => defaulting(bool(`whether the ${record} is revoked`), false);
export const revoked_at = optional(time("time of the revocation; null if not revoked"));
export const revoked_reason = optional(string("reason for the revocation", { format: "prose" }));
export const last_used_at = optional(time("time of the last use; null if never used"));
export const scopes = (meaning: string, marks: Marks = {}) => defaulting(strings(meaning, marks), []);

/**
 * Tokens of the record that were issued at or before this time are revoked, even if their rows are not
 * marked. Ending a record therefore revokes its tokens immediately (design 6.18).
 */
export const tokens_not_before = optional(
  time("tokens created up to this time are revoked", { internal: true }),
);

/** True if only a platform administrator may activate the record again. */
export const switched_off_by_platform = defaulting(
  bool("whether a platform administrator deactivated it", { internal: true }),
  false,
);
