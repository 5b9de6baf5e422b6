import type { FieldError } from "../../errors/field_errors.ts";
import type { AttributeDefinition } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Words } from "../../web/words/words.ts";

export type FieldShape = Omit<Field, "meaning" | "default" | "type"> & { readonly name: string };

export type ShownField = FieldShape & {
  /** A value as in `PublicView`: times are ISO 8601 or `Date`. */
  value: unknown;
  label?: string | undefined;
  href?: string | undefined;
  /** The name of the record type to which a UUID refers, shown in lists if there is no label. */
  noun?: string | undefined;
  /** The link target of each reference in a list. */
  links?: readonly { value: string; label?: string | undefined; href?: string | undefined }[] | undefined;
  scopes?: readonly { scope: string; text?: string | undefined }[];
};

export type ListedRecord = {
  /** The value sent if the record is selected. A record without an ID cannot be selected. */
  id?: string | undefined;
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  fields: readonly ShownField[];
};

export type FieldControl = FieldShape & {
  /**
   * The value in the form: the typed value, or else the initial one. A list is an array or has one item per
   * line; a time is in ISO 8601.
   */
  value: string | readonly string[] | boolean;
  error?: FieldError | undefined;
  further_errors?: readonly FieldError[] | undefined;
  suggestions?: string | undefined;
  /** Values shown as radio buttons with explanations. A stored value without a button stays unchanged. */
  one_of?: readonly string[] | undefined;
  many_of?: readonly string[] | undefined;
  /**
   * A grid for permissions: the prefix of each permission in the list, the permissions to choose from, and
   * whether the grid is folded.
   */
  grid?:
    | { readonly prefix: string; readonly offered: readonly string[]; readonly folded?: boolean | undefined }
    | undefined;
  /** Maps values as they are stored to their spelling in the protocol, where the two differ. */
  spelled?: Readonly<Record<string, string>> | undefined;
  /** The label of an attribute, if its definition or the page's language has one. */
  titled?: string | undefined;
  value_type?: AttributeDefinition["value_type"] | undefined;
  /** Prefixes that are suggested for the value. */
  beginnings?: readonly string[] | undefined;
  /** The key of the help text, if it differs from the field's name. */
  help?: keyof Words["fields"]["help"] | undefined;
};
