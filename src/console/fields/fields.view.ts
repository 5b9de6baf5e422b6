/** Shows or edits a record's fields on the console's pages. */

import type { FieldError } from "../../errors/field_errors.ts";
import type { AttributeDefinition } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Words } from "../../web/words/words.ts";

/** A field with the properties of its definition. */
export type FieldShape = Omit<Field, "meaning" | "default" | "type"> & { readonly name: string };

export type ShownField = FieldShape & {
  /** A value as in `PublicView`: times are ISO 8601 or `Date`. */
  value: unknown;
  /** The name of the record that a reference links to. */
  label?: string | undefined;
  href?: string | undefined;
  /** The target of each reference in a list. */
  links?: readonly { value: string; label?: string | undefined; href?: string | undefined }[] | undefined;
  /** The scopes of an API, with their descriptions in the viewer's language if available. */
  scopes?: readonly { scope: string; text?: string | undefined }[];
};

export type ListedRecord = {
  /** The value sent if the record is selected; if omitted, it cannot be selected. */
  id?: string | undefined;
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  fields: readonly ShownField[];
};

export type FieldControl = FieldShape & {
  /** The form value, typed or initial: a list one item per line or as an array, a time as ISO 8601. */
  value: string | readonly string[] | boolean;
  error?: FieldError | undefined;
  /** The errors of a list after the first one, which is in `error`. */
  further_errors?: readonly FieldError[] | undefined;
  /** The endpoint that suggests records whose name starts with the typed text. */
  suggestions?: string | undefined;
  /**
   * Radio buttons with explanations, of which one is chosen. A stored value that is not among them stays
   * unchanged.
   */
  one_of?: readonly string[] | undefined;
  /** Options that are chosen by check boxes; several may be chosen. */
  many_of?: readonly string[] | undefined;
  /**
   * A grid for permissions: the prefix of each in the list, the offered ones, and whether it unfolds on
   * request.
   */
  grid?:
    | { readonly prefix: string; readonly offered: readonly string[]; readonly folded?: boolean | undefined }
    | undefined;
  /** Wire spellings of values that records spell differently. */
  spelled?: Readonly<Record<string, string>> | undefined;
  /** The label of an attribute, if its definition or the language has one. */
  titled?: string | undefined;
  value_type?: AttributeDefinition["value_type"] | undefined;
  /** Texts that a typed value can begin with. */
  beginnings?: readonly string[] | undefined;
  /** The help text, if it differs from the field's own. */
  help?: keyof Words["fields"]["help"] | undefined;
};
