/**
 * The definition of a field. It has the constraints, the marks and the meaning. The
 * TypeScript type, the columns, the validation, the JSON Schema and the redaction derive from it.
 */

import type { PlainText } from "../names/plain_text.ts";

/**
 * `signature` is 32 bytes: the stored hash of a bearer credential; `long` is an integer of up to 53 bits. Every
 * other kind is a type note of spec section 2.
 */
export type Kind = "uuid" | "string" | "text" | "int" | "long" | "bool" | "time" | "json" | "signature";

/** The effect on this record when the record it refers to is deleted. */
export type OnDelete = "cascade" | "restrict";

/**
 * How a value is written, each text of a list for itself: its rule (`formats.ts`), its form control and how
 * it is shown follow. `prose` is text of people, as every text with the mark `plain` is; other text is a name
 * of machines.
 */
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
  | "attribute_name"
  | "attribute_writer"
  | "attribute_reader"
  | "attribute_pattern"
  | "claim_name"
  | "resource_default_scope"
  | "role_name"
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

/** The purpose of a sealed column, which has keys of its own (`crypto/sealing.ts`). */
export type SealedFor =
  | "signing_key"
  | "linked_account"
  | "totp_authenticator"
  | "provider_secret"
  | "stream_authorization"
  | "webhook_secret";

export interface Marks {
  /** Unique in the table. Uniqueness without regard to case has a key column. */
  readonly unique?: true;
  readonly not_empty?: true;
  /** Characters, at least; of a list of strings, each. Of members alone: their resource holds them to it. */
  readonly min_length?: number;
  /** Characters (UTF-16 code units), at most. */
  readonly max_length?: number;
  /** Limits of a list of strings: its length, and that of each string. */
  readonly most?: { readonly items: number; readonly characters: number };
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
  readonly format?: Format;
  /** For a list: stored without duplicates. */
  readonly distinct?: true;
  /** The unit of a number. */
  readonly unit?: "seconds";
  /** Cannot change after creation. */
  readonly immutable?: true;
  /** A secret or the hash of one: never leaves through an API, a log or an export. */
  readonly sensitive?: true;
  /** Sealed with the record's id, for this purpose; an empty text counts as none. */
  readonly sealed_for?: SealedFor;
  /** Set by the service when the record is made. */
  readonly auto_create?: true;
  /** Set by the service at each modification. */
  readonly auto_update?: true;
  /** May be left out of a new record though it has no default. */
  readonly omissible?: true;
  /** Shown to other people: invisible characters are not allowed. */
  readonly plain?: PlainText;
  /** Personal data: shown only to platform administrators and to the person. */
  readonly confidential?: true;
  /** Not part of the specification: stored, but never returned. */
  readonly internal?: true;
  /** A search finds the record by its words. */
  readonly searchable?: true;
  readonly references?: { readonly table: string; readonly on_delete: OnDelete };
  /** Of a string, or of each string of a list: the id of a record of this table. */
  readonly ids_of?: string;
  /** The values are usually natural keys of this table (`natural_key.ts`). */
  readonly names_of?: string;
  /** The shape of a JSON value; anything JSON when absent. */
  readonly shape?: "strings" | "object" | "objects";
  /** The members of an object; one of these may be given for a string, or for each string of a list. */
  readonly members?: Fields;
}

export interface Field<T = unknown, Required extends boolean = boolean> extends Marks {
  readonly kind: Kind;
  readonly meaning: string;
  /** False if the value may be null. */
  readonly required: boolean;
  /** The default value; absent if there is none. */
  readonly default?: T;
  /** Carries the TypeScript type alone; never present at run time. */
  readonly type?: { readonly value: T; readonly required: Required };
}

/** Whether a field may leave the server: nothing secret or internal, and no hash of a credential. */
export function mayBeShown({ kind, sensitive, internal }: Field): boolean {
  return !(sensitive || internal || kind === "signature");
}

/** Whether a caller may ever give the field: one that may be shown, and that the service does not set. */
export function mayBeGiven(field: Field): boolean {
  return mayBeShown(field) && !(field.auto_create || field.auto_update);
}

export type Fields = Readonly<Record<string, Field>>;

/** The record as it is read: every field present, `null` where optional and not given. */
export type RowOf<F extends Fields> = {
  -readonly [K in keyof F]: F[K] extends Field<infer T, boolean> ? T : never;
};

type MustGive<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F];

/** The record as it is made: fields that are optional or have a default may be left out. */
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

/** A field of the given kind that every record has. */
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
/** A list of objects that each have this type. It is not validated: only the server writes it. */
export const objects = <T extends JsonObject>(
  meaning: string,
  marks: Marks = {},
): Field<readonly T[], true> => field("json", meaning, true, { shape: "objects", ...marks });
export const oneOf = <const V extends readonly string[]>(
  meaning: string,
  values: V,
  marks: Marks = {},
): Field<V[number], true> => field("string", meaning, true, { values, ...marks });

/** The primary key. */
export const id = (meaning = "identifier"): Field<string, true> => uuid(meaning, { immutable: true });

/** A reference to another record. */
export const reference = (table: string, meaning: string, on_delete: OnDelete, marks: Marks = {}) =>
  uuid(meaning, { references: { table, on_delete }, ...marks });

/** The same field, nullable. */
export function optional<T>({ type: _, ...of }: Field<T, true>): Field<T | null, false> {
  return { ...of, required: false, default: null };
}

/** The same field, optional in a new record. */
export function omissible<T>({ type: _, ...of }: Field<T>): Field<T, false> {
  return { ...of, omissible: true };
}

/** The same field with a default value. */
export function defaulting<T>({ type: _, ...of }: Field<T>, value: T): Field<T, false> {
  return { ...of, default: value };
}

/** The table of the records that a value of the field means. */
export function tableMeant({ references, ids_of, names_of }: Marks): string | undefined {
  return references?.table ?? ids_of ?? names_of;
}

/** Whether a new record needs the field from its caller. */
export function mustBeGiven({ default: otherwise, omissible: may }: Field): boolean {
  return otherwise === undefined && !may;
}
