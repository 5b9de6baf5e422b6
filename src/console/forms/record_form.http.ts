import type { Labels, Reference } from "../../admin/reports/labels.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import type { Problem } from "../../errors.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { takenApart } from "../../records/formats/known_members.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import type { FormError } from "../../web/error_sentence.ts";
import { durationEntry } from "../../web/html/duration.ts";
import type { FieldControl } from "../fields/fields.view.ts";
import type { FormField } from "./form_spec.http.ts";
import { scopeLines } from "./scope_lines.http.ts";

export type Typed = Readonly<Record<string, FieldControl["value"]>>;
export type ErrorsByField = Readonly<Record<string, readonly FieldError[]>>;

export type Values = Readonly<Record<string, unknown>>;

const idsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export function referencesOf(fields: readonly FormField[], values: Values): Reference[] {
  const found: Reference[] = [];
  for (const { name, refers_to: table } of fields) {
    if (table === undefined) continue;
    for (const id of idsIn(values[name])) if (typeof id === "string") found.push({ table, id });
  }
  return found;
}

/** Returns the values that a form shows at first. References appear by the names in `labels`, or as IDs. */
export function filledFrom(
  fields: readonly FormField[],
  values: Values,
  labels: Labels,
  language: () => string,
): Typed {
  const filled: Record<string, FieldControl["value"]> = {};
  for (const field of fields) {
    let value = values[field.name];
    if (field.refers_to !== undefined) {
      const names = referencesOf([field], values).map((meant) => labels(meant)?.unique_name ?? meant.id);
      if (names.length > 0) value = field.shape === "strings" ? names : names[0];
    }
    filled[field.name] = textOf(field, value, language);
  }
  return filled;
}

export function hasMany({ many_of, grid }: FormField): boolean {
  return many_of !== undefined || grid !== undefined;
}

/** Returns whether the field's JSON object is shown as lines of scopes with descriptions. */
export function hasScopeLines({ format }: Pick<FormField, "format">): boolean {
  return format === "resource_scopes" || format === "scope_descriptions";
}

function textOf(field: FormField, value: unknown, language: () => string): FieldControl["value"] {
  if (field.kind === "bool") return value === true || value === "true";
  if (field.sensitive) return "";
  if (field.unit === "seconds" && /^\d+$/.test(String(value))) return durationEntry(Number(value));
  const isMany = hasMany(field);
  if (value === null || value === undefined) return isMany ? [] : "";
  if (Array.isArray(value)) return isMany ? value.map(String) : value.join("\n");
  if (isMany) return String(value).split(/\s+/);
  if (hasScopeLines(field) && isObject(value)) return scopeLines(value, language());
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

export function fieldControls(
  fields: readonly FormField[],
  typed: Typed,
  errors: ErrorsByField = {},
): FieldControl[] {
  return fields.map(
    ({
      nullable: _,
      refers_to: __,
      initial: ___,
      absent: ____,
      member_of: _____,
      asks: ______,
      ...field
    }) => ({
      ...field,
      value: typed[field.name] ?? "",
      ...shownErrors(errors[field.name] ?? [], field, typed[field.name]),
    }),
  );
}

function shownErrors(
  errors: readonly FieldError[],
  { name, grid }: Pick<FormField, "name" | "grid">,
  typed: Typed[string] = [],
): Pick<FieldControl, "error" | "further_errors"> {
  const said = errors.map((input) => {
    // The path of a field in a JSON column has several segments, after which the index in a list follows.
    const further = input.path.split("/").slice(1 + name.split(".").length);
    const error = { ...input, path: ["", name, ...further].join("/") };
    const index = /^\/[^/]+\/(\d+)$/.exec(error.path)?.[1];
    const word = grid === undefined || typeof typed !== "object" ? undefined : typed[Number(index)];
    return word === undefined || word.includes("/") ? error : { ...error, path: `/${name}/${word}` };
  });
  return { error: said[0], further_errors: said.slice(1) };
}

/**
 * Assigns the errors to the fields of the form. `rest` are errors that belong to no field, or the problem's
 * `detail` if it has no field errors.
 */
export function placedErrors(
  { detail, errors }: Pick<Problem, "detail" | "errors">,
  fields: readonly PlacedField[],
): { at: ErrorsByField; rest: readonly FormError[] } {
  const at: Record<string, readonly FieldError[]> = {};
  const rest: FormError[] = [];
  for (const error of errors) {
    const name = fieldAt(error.path, fields);
    if (name === undefined) rest.push(error);
    else at[name] = [...(at[name] ?? []), error];
  }
  return { at, rest: errors.length === 0 ? [detail] : rest };
}

/** Returns the errors by field, and adds those in `further` for fields that have none. */
export function withFurther(
  at: ErrorsByField,
  further: readonly FieldError[],
  fields: readonly PlacedField[],
): ErrorsByField {
  const others: Record<string, readonly FieldError[]> = {};
  for (const error of further) {
    const name = fieldAt(error.path, fields);
    if (name !== undefined) others[name] = [...(others[name] ?? []), error];
  }
  return { ...others, ...at };
}

type PlacedField = Pick<FormField, "name" | "asks">;

/** A field in a JSON column is preferred to the field for the whole column. */
function fieldAt(path: string, fields: readonly PlacedField[]): string | undefined {
  const steps = path.split("/").slice(1);
  for (let length = steps.length; length > 0; length -= 1) {
    const name = steps.slice(0, length).join(".");
    const found = fields.find((field) => field.name === name) ?? fields.find(({ asks }) => asks === name);
    if (found !== undefined) return found.name;
  }
  return undefined;
}

/** Returns the record's values by the names of the form's fields. */
export function valuesOf(view: PublicView, fields: readonly FormField[]): Values {
  const values = { ...view };
  for (const column of columnsWithMembers(fields)) {
    const { members, rest } = takenApart(view[column], membersAmong(fields, column));
    const isEmpty = isObject(rest) && Object.keys(rest).length === 0;
    Object.assign(values, members, { [column]: isEmpty ? null : rest });
  }
  for (const { name, absent } of fields) if (!Object.hasOwn(values, name)) values[name] = absent;
  return values;
}

export function columnsWithMembers(fields: readonly FormField[]): ReadonlySet<string> {
  const columns = new Set<string>();
  for (const { member_of } of fields) if (member_of !== undefined) columns.add(member_of);
  return columns;
}

export function membersAmong(
  fields: readonly FormField[],
  column: string,
): Readonly<Record<string, FormField>> {
  const members: Record<string, FormField> = {};
  for (const field of fields) if (field.member_of === column) members[field.name] = field;
  return members;
}
