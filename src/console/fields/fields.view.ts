/** A record's fields on the console's pages: shown, or editable. */

import type { FieldError } from "../../errors/field_errors.ts";
import type { AttributeDefinition } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Words } from "../../web/words/words.ts";

/** A field with the marks of its definition. */
export type FieldShape = Omit<Field, "meaning" | "default" | "type"> & { readonly name: string };

export type ShownField = FieldShape & {
  /** Values as in `PublicView`: times as ISO 8601, or as `Date`. */
  value: unknown;
  /** The name of the record that a reference leads to. */
  label?: string | undefined;
  href?: string | undefined;
  /** The target of each reference in a list. */
  links?: readonly { value: string; label?: string | undefined; href?: string | undefined }[] | undefined;
};

/** A record as a row of a list. */
export type ListedRecord = {
  /** Sent if the record is selected; none if omitted. */
  id?: string | undefined;
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  /** The labels of columns, by their names. */
  fields: readonly ShownField[];
};

export type FieldControl = FieldShape & {
  /** The value of the form, typed or initial: a list one per line or as an array, a time as ISO 8601. */
  value: string | readonly string[] | boolean;
  /** Its error. */
  error?: FieldError | undefined;
  /** Errors of further lines of a list. */
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
  /** The label of an attribute, if its definition or the language has one. */
  titled?: string | undefined;
  /** The type of an attribute's values. */
  value_type?: AttributeDefinition["value_type"] | undefined;
  /** The help text, if it differs from the field's own. */
  help?: keyof Words["fields"]["help"] | undefined;
};
