/**
 * The definition of a field: its constraints, marks and meaning. The TypeScript type, the columns, the
 * validation, the JSON Schema and the redaction derive from it.
 */

import type { PlainText } from "../names/plain_text.ts";

/**
 * `signature` is 32 bytes, usually the stored hash of a bearer credential. `long` is an integer of up to 53
 * bits.
 */
export type Kind = "uuid" | "string" | "text" | "int" | "long" | "bool" | "time" | "json" | "signature";

type OnDelete = "cascade" | "restrict";

/** The format of a value, or of each string in a list. A `prose` string is text for people. */
export type Format =
  | "email"
  | "url"
  | "picture"
  | "slug"
  | "client_id"
  | "redirect_uri"
  | "post_logout_redirect_uri"
  | "https_url"
  | "notice_url"
  | "endpoint_url"
  | "event_type"
  | "webhook_part"
  | "provider_url"
  | "provider_issuer"
  | "domain"
  | "scope"
  | "default_scope"
  | "grant"
  | "response_type"
  | "signature_algorithm"
  | "resource_identifier"
  | "listed_resource"
  | "resource_scopes"
  | "claim_surfaces"
  | "attribute_claims"
  | "attribute_name"
  | "attribute_writer"
  | "attribute_reader"
  | "attribute_pattern"
  | "claim_name"
  | "resource_default_scope"
  | "role_name"
  | "group_name"
  | "membership_role"
  | "permission_word"
  | "descriptions_by_language"
  | "colour"
  | "scope_descriptions"
  | "app_metadata"
  | "organization_settings"
  | "search"
  | "prose"
  | "new_password"
  | "current_password";

export type SealedFor =
  | "signing_key"
  | "linked_account"
  | "totp_authenticator"
  | "provider_secret"
  | "stream_authorization"
  | "webhook_secret";

export interface Marks {
  /** If case must not matter, a separate column such as `email_key` is unique too. */
  readonly unique?: true;
  readonly not_empty?: true;
  /**
   * In characters. Only for fields of a request that are not fields of a record; `admin/resources/` enforces
   * it.
   */
  readonly min_length?: number;
  /** In UTF-16 code units. */
  readonly max_length?: number;
  readonly most?: { readonly items: number; readonly characters: number };
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly format?: Format;
  readonly distinct?: true;
  readonly unit?: "seconds";
  readonly immutable?: true;
  /** A secret or the hash of one: never included in an API response, a log or an export. */
  readonly sensitive?: true;
  /** Encrypted for this purpose and bound to the record's id; an empty string counts as missing. */
  readonly sealed_for?: SealedFor;
  /** Only the server sets this field. */
  readonly auto_create?: true;
  readonly auto_update?: true;
  readonly omissible?: true;
  /** Shown to other users, so invisible characters are not allowed. */
  readonly plain?: PlainText;
  /** Shown only to platform administrators and, in a user's own record, to that user. */
  readonly confidential?: true;
  /** Stored, but never returned. */
  readonly internal?: true;
  readonly searchable?: true;
  readonly references?: { readonly table: string; readonly on_delete: OnDelete };
  /** The string, or each string of a list, is the id of a record of this table. */
  readonly ids_of?: string;
  /**
   * In requests, the entries of a list of ids may also be names of at most `characters` characters, which are
   * replaced with ids. `words` replaces "IDs" at the start of the field's `meaning`.
   */
  readonly named_as?: { readonly words: string; readonly characters: number };
  /** The values are usually natural keys of this table (`natural_key.ts`). */
  readonly names_of?: string;
  readonly shape?: "strings" | "object" | "objects";
  /**
   * For an object, its fields. For a string or a list of strings, the fields whose names are valid values.
   */
  readonly members?: Fields;
}

export interface Field<T = unknown, Required extends boolean = boolean> extends Marks {
  readonly kind: Kind;
  readonly meaning: string;
  readonly required: boolean;
  readonly default?: T;
  /** Only carries the TypeScript type; never present at run time. */
  readonly type?: { readonly value: T; readonly required: Required };
}

/** Returns whether a field may leave the server. */
export function mayBeShown({ kind, sensitive, internal }: Field): boolean {
  return !(sensitive || internal || kind === "signature");
}

/** Returns whether callers may set the field when they create or change a record. */
export function mayBeGiven(field: Field): boolean {
  return mayBeShown(field) && !(field.auto_create || field.auto_update);
}

export type Fields = Readonly<Record<string, Field>>;

/** The record as read: every field is present, `null` if optional and not set. */
export type RowOf<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends Field<infer T, boolean> ? T : never;
};

type MustGive<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F];

/** The record as created: fields that are optional or have a default may be omitted. */
export type NewRowOf<F extends Fields> = Pick<RowOf<F>, MustGive<F>> & Partial<RowOf<F>>;

type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

function field<T, R extends boolean>(
  kind: Kind,
  meaning: string,
  required: boolean,
  marks: Marks,
): Field<T, R> {
  return { kind, meaning, required, ...marks };
}

/** Returns a required field for a UUID. The functions below do the same for the other kinds. */
export const uuid = (meaning: string, marks: Marks = {}): Field<string, true> =>
  field("uuid", meaning, true, marks);
export const string = (meaning: string, marks: Marks = {}): Field<string, true> =>
  field("string", meaning, true, marks);
export const text = (meaning: string, marks: Marks = {}): Field<string, true> =>
  field("text", meaning, true, marks);
export const int = (meaning: string, marks: Marks = {}): Field<number, true> =>
  field("int", meaning, true, marks);
export const long = (meaning: string, marks: Marks = {}): Field<number, true> =>
  field("long", meaning, true, marks);
export const bool = (meaning: string, marks: Marks = {}): Field<boolean, true> =>
  field("bool", meaning, true, marks);
export const time = (meaning: string, marks: Marks = {}): Field<Date, true> =>
  field("time", meaning, true, marks);
export const signature = (meaning: string, marks: Marks = {}): Field<Buffer, true> =>
  field("signature", meaning, true, marks);
export const strings = (meaning: string, marks: Marks = {}): Field<readonly string[], true> =>
  field("json", meaning, true, { shape: "strings", ...marks });
export const object = (meaning: string, marks: Marks = {}): Field<JsonObject, true> =>
  field("json", meaning, true, { shape: "object", ...marks });
/** Returns a field for a list of objects of this type. The fields of these objects are not validated. */
export const objects = <T extends JsonObject>(
  meaning: string,
  marks: Marks = {},
): Field<readonly T[], true> => field("json", meaning, true, { shape: "objects", ...marks });
export const oneOf = <const V extends readonly string[]>(
  meaning: string,
  values: V,
  marks: Marks = {},
): Field<V[number], true> => field("string", meaning, true, { values, ...marks });

export const id = (meaning = "identifier"): Field<string, true> => uuid(meaning, { immutable: true });

export const reference = (table: string, meaning: string, on_delete: OnDelete, marks: Marks = {}) =>
  uuid(meaning, { references: { table, on_delete }, ...marks });

/** Returns the field as nullable, with null as its default. */
export function optional<T>({ type: _, ...of }: Field<T, true>): Field<T | null, false> {
  return { ...of, required: false, default: null };
}

/** Returns the field as one that a request may omit although it has no default. */
export function omissible<T>({ type: _, ...of }: Field<T>): Field<T, false> {
  return { ...of, omissible: true };
}

export function defaulting<T>({ type: _, ...of }: Field<T>, value: T): Field<T, false> {
  return { ...of, default: value };
}

/** Returns the table of the records that the field's values identify; undefined if they identify none. */
export function tableMeant({ references, ids_of, names_of }: Marks): string | undefined {
  return references?.table ?? ids_of ?? names_of;
}

export function mustBeGiven({ default: otherwise, omissible: may }: Field): boolean {
  return otherwise === undefined && !may;
}
