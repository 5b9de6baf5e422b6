import type { FieldError } from "../../errors/field_errors.ts";
import type { AttributeDefinition } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Words } from "../../web/words/words.ts";

export type FieldShape = Omit<Field, "meaning" | "default" | "type"> & { readonly name: string };

export type ShownField = FieldShape & {
  /** As in `PublicView`; times are ISO 8601 strings or `Date`. */
  value: unknown;
  label?: string | undefined;
  href?: string | undefined;
  /** The kind of record to which a UUID refers. Lists show it if there is neither `label` nor `href`. */
  noun?: string | undefined;
  links?: readonly { value: string; label?: string | undefined; href?: string | undefined }[] | undefined;
  scopes?: readonly { scope: string; text?: string | undefined }[];
};

export type ListedRecord = {
  id?: string | undefined;
  href?: string | undefined;
  name: string;
  state?: RecordState | undefined;
  fields: readonly ShownField[];
};

export type FieldControl = FieldShape & {
  /**
   * What the control shows: the submitted value after an error, otherwise the stored or initial one. A list
   * is an array or text with one item per line.
   */
  value: string | readonly string[] | boolean;
  error?: FieldError | undefined;
  further_errors?: readonly FieldError[] | undefined;
  suggestions?: string | undefined;
  /** Values to offer as radio buttons. A stored value that is not among them is offered after them. */
  one_of?: readonly string[] | undefined;
  many_of?: readonly string[] | undefined;
  /**
   * Shows a list of permissions as a grid with one row per resource type. Values, including those in
   * `offered`, are `prefix` plus a permission.
   */
  grid?:
    | { readonly prefix: string; readonly offered: readonly string[]; readonly folded?: boolean | undefined }
    | undefined;
  /** How values are spelled in the OAuth protocol, if they are stored differently. */
  spelled?: Readonly<Record<string, string>> | undefined;
  titled?: string | undefined;
  value_type?: AttributeDefinition["value_type"] | undefined;
  beginnings?: readonly string[] | undefined;
  /** The key of the help text; by default the field's name. */
  help?: keyof Words["fields"]["help"] | undefined;
};
