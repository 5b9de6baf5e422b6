/** A record's fields on the console's pages: shown, or editable. */

import type { FieldError } from "../../errors/field_errors.ts";
import type { Field } from "../../records/definition/field.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Words } from "../../web/words/words.ts";

/** A field with the marks of its definition. */
export type FieldShape = Omit<Field, "meaning" | "default" | "type"> & { readonly name: string };

export type ShownField = FieldShape & {
  /** As `PublicView` has it: times as ISO 8601, or as `Date`. */
  value: unknown;
  /** The name of the record that a reference leads to. */
  label?: string | undefined;
  href?: string | undefined;
  /** Of a list of references: where each leads. */
  links?: readonly { value: string; label?: string | undefined; href?: string | undefined }[] | undefined;
};

/** A record as a row of a list. */
export type ListedRecord = {
  /** Sent where the record is selected; none, when absent. */
  id?: string | undefined;
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  /** Those of the columns, found by their name. */
  fields: readonly ShownField[];
};

export type FieldControl = FieldShape & {
  /** As the form had it, or as it would have it: a list one to a line or as an array, a time as ISO 8601. */
  value: string | readonly string[] | boolean;
  /** Its error. */
  error?: FieldError | undefined;
  /** Those of further lines of a list. */
  further_errors?: readonly FieldError[] | undefined;
  /** The endpoint that suggests records whose name begins with the typed text. */
  suggestions?: string | undefined;
  /** One of these is chosen, by radio buttons that say what each means; another value stays as it is. */
  one_of?: readonly string[] | undefined;
  /** Several of these are chosen, by check boxes. */
  many_of?: readonly string[] | undefined;
  /** Its permissions are chosen in a grid: the prefix of each in the list, and those on offer. */
  grid?: { readonly prefix: string; readonly offered: readonly string[] } | undefined;
  /** How the wire spells values that records spell otherwise. */
  spelled?: Readonly<Record<string, string>> | undefined;
  /** The sentence under it, where it is not the one of its name. */
  help?: keyof Words["fields"]["help"] | undefined;
};
