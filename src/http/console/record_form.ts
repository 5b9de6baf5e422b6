/**
 * Forms over records: what was typed becomes what the management takes, and what is stored becomes what a
 * form shows.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { Input } from "../../admin/faults.ts";
import type { Labels, Reference } from "../../admin/reports/labels.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import type { Problem } from "../../errors.ts";
import type { Params } from "../../oauth/params.ts";
import { isObject, isStrings } from "../../records/json_shapes.ts";
import type { PublicView } from "../../records/view.ts";
import type { AskedField } from "../../web/console/fields.ts";
import { durationEntry, durationSeconds, durationUnits } from "../../web/duration.ts";
import type { FormError } from "../../web/error_sentence.ts";
import { chosenPermissions, separateWords } from "../chosen_permissions.ts";
import { idMeant } from "./natural_names.ts";
import type { FormField } from "./record_fields.ts";
import { readScopeLines, scopeLines } from "./scope_lines.ts";

/** What the fields of a form hold, by their names. */
export type Typed = Readonly<Record<string, AskedField["value"]>>;
/** What is wrong with each field, of a list with each of its lines. */
export type ErrorsByField = Readonly<Record<string, readonly FieldError[]>>;

export interface ReadForm {
  /** Ready for `createRecord` or `updateRecord`. */
  readonly input: Input;
  readonly typed: Typed;
  readonly errors: ErrorsByField;
}

/** The records that the values of these fields refer to. */
export function referencesOf(
  fields: readonly FormField[],
  value: (field: FormField) => unknown,
): Reference[] {
  return fields.flatMap((field) => {
    const id = value(field);
    return field.references !== undefined && typeof id === "string"
      ? [{ table: field.references.table, id }]
      : [];
  });
}

/**
 * Where a form stands before anybody typed: a new record's beginnings, or the record as it is. What it refers
 * to goes by the name that people know, of those in `labels`, or by its id.
 */
export function filledFrom(
  fields: readonly FormField[],
  value: (field: FormField) => unknown,
  labels: Labels,
  language: string,
): Typed {
  return Object.fromEntries(
    fields.map((field) => {
      const [reference] = referencesOf([field], value);
      const known = reference && labels(reference)?.unique_name;
      return [field.name, textOf(field, known ?? value(field), language)];
    }),
  );
}

/** Whether the form shows the field's list word by word, and not as text. */
function hasMany({ many_of, grid }: FormField): boolean {
  return many_of !== undefined || grid !== undefined;
}

/** A value as a form shows it. */
function textOf(field: FormField, value: unknown, language: string): AskedField["value"] {
  if (field.kind === "bool") return value === true || value === "true";
  if (field.sensitive) return "";
  if (field.unit === "seconds" && /^\d+$/.test(String(value))) return durationEntry(Number(value));
  const isMany = hasMany(field);
  if (value === null || value === undefined) return isMany ? [] : "";
  if (Array.isArray(value)) return isMany ? value.map(String) : value.join("\n");
  if (isMany) return String(value).split(/\s+/);
  if (field.format === "resource_scopes" && isObject(value)) return scopeLines(value, language);
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** The language that a form is read in, and the record that it changes. */
interface Reading {
  readonly language?: string;
  readonly stored?: PublicView;
}

/**
 * Reads what a form sent. With `shown`, which is the record as the form would show it, only what differs from
 * it is in `input`, and what was emptied is null; without it, what is empty is left out.
 */
export async function readForm(
  admin: AdminContext,
  fields: readonly FormField[],
  params: Params,
  shown?: Typed,
  { language = "en", stored }: Reading = {},
): Promise<ReadForm> {
  const input: Record<string, unknown> = {};
  const typed: Record<string, AskedField["value"]> = {};
  const errors: Record<string, readonly FieldError[]> = {};
  for (const field of fields) {
    const { name } = field;
    const texts = params.pairs.filter(([sent]) => sent === name).map(([, text]) => text);
    const was = stored?.[name];
    const raw =
      field.grid === undefined
        ? withUnit(field, rawOf(field, texts), params)
        : chosenPermissions(params, name, isStrings(was) ? was : []);
    typed[name] = field.sensitive ? "" : (raw ?? shown?.[name] ?? "");
    if (texts.length > 1 && !hasMany(field)) {
      errors[name] = [fieldError(`/${name}`, "repeated")];
      continue;
    }
    if (raw === undefined || (shown !== undefined && isAsShown(field, raw, shown[name]))) continue;
    const scopes =
      field.format === "resource_scopes" && typeof raw === "string" && !raw.trim().startsWith("{");
    const read = scopes
      ? { value: readScopeLines(raw, isObject(was) ? was : {}, language) }
      : await readValue(admin, field, raw, { isChange: shown !== undefined, was });
    if (read === undefined) continue;
    if ("error" in read) errors[name] = [{ path: `/${name}`, ...read.error }];
    else input[name] = read.value;
  }
  return { input, typed, errors };
}

/** The number of a duration with the unit that was chosen beside it, as `15 min`. */
function withUnit(
  { name, unit }: FormField,
  raw: AskedField["value"] | undefined,
  params: Params,
): AskedField["value"] | undefined {
  const chosen = params.get(`${name}.unit`) ?? "";
  if (unit !== "seconds" || typeof raw !== "string" || !Object.hasOwn(durationUnits, chosen)) return raw;
  return raw.trim() === "" ? "" : `${raw.trim()} ${chosen}`;
}

/** What a field sent; undefined when the form had no such field. A box that is not ticked sends nothing. */
function rawOf(field: FormField, texts: readonly string[]): AskedField["value"] | undefined {
  if (field.kind === "bool") return texts[0] !== undefined && texts[0] !== "false";
  if (field.many_of !== undefined) return texts.filter((text) => text !== "");
  // Browsers send line ends as CR LF (HTML 4.10.21.4).
  return texts[0]?.replaceAll("\r\n", "\n");
}

function isAsShown(field: FormField, raw: AskedField["value"], shown: AskedField["value"] = ""): boolean {
  if (field.sensitive) return raw === "";
  if (field.kind === "time" && typeof raw === "string" && typeof shown === "string") {
    // A form shows a time as precisely as its control can.
    return raw === "" ? shown === "" : shown.startsWith(raw.replace(/Z$/, ""));
  }
  if (field.unit === "seconds" && typeof raw === "string" && typeof shown === "string" && raw !== "") {
    const seconds = durationSeconds(raw);
    return seconds !== undefined && seconds === durationSeconds(shown);
  }
  if (Array.isArray(raw) && Array.isArray(shown)) {
    return raw.toSorted().join("\n") === shown.toSorted().join("\n");
  }
  return raw === shown;
}

type Read = { readonly value: unknown } | { readonly error: Reason } | undefined;

async function readValue(
  admin: AdminContext,
  field: FormField,
  raw: AskedField["value"],
  { isChange, was }: { readonly isChange: boolean; readonly was: unknown },
): Promise<Read> {
  if (field.grid !== undefined && typeof raw === "object" && raw.length === 0) {
    return isChange ? emptied(field) : undefined;
  }
  if (typeof raw !== "string") return { value: raw };
  // Every character of a secret counts (L-13).
  if (field.sensitive) return raw === "" ? undefined : { value: raw };
  const text = raw.trim();
  if (text === "") return isChange || isBegun(field) ? emptied(field) : undefined;
  switch (field.kind) {
    case "int": {
      const seconds = field.unit === "seconds" ? durationSeconds(text) : undefined;
      if (seconds !== undefined) return { value: seconds };
      return /^[+-]?\d{1,15}$/.test(text) ? { value: Number(text) } : { error: reason("not_integer") };
    }
    case "time":
      return readTime(text);
    case "json":
      return readJson(field, text, was);
    case "uuid": {
      if (field.references === undefined) return { value: text };
      const meant = await idMeant(admin, field.references.table, text);
      return "id" in meant ? { value: meant.id } : meant;
    }
    default:
      return { value: field.format === "email" ? text : raw };
  }
}

/** Whether the form for a new record began with entries: who takes them out wants none. */
function isBegun({ shape, initial }: FormField): boolean {
  return shape === "strings" && Array.isArray(initial) && initial.length > 0;
}

function emptied({ shape, nullable }: FormField): Read {
  return { value: shape === "strings" && !nullable ? [] : null };
}

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** The control has no zone; forms say that they mean UTC. */
export function readTime(text: string): { value: string } | { error: Reason } {
  const whole = localTime.test(text) ? `${text}Z` : text;
  return Number.isNaN(new Date(whole).getTime()) ? { error: reason("not_time") } : { value: whole };
}

function readJson(field: FormField, text: string, was: unknown): Read {
  if (field.shape === "strings") {
    if (isListOfScopes(field)) return { value: separateWords(text, isStrings(was) ? was : []) };
    const lines = text.split("\n").map((line) => line.trim());
    return { value: lines.filter((line) => line !== "") };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: reason("not_json") };
  }
}

const scopeFormats: readonly unknown[] = ["scope", "default_scope", "resource_default_scope"];

function isListOfScopes({ name, format }: FormField): boolean {
  return name === "scopes" || scopeFormats.includes(format);
}

/** The fields as a page asks for them. */
export function askedFields(
  fields: readonly FormField[],
  typed: Typed,
  errors: ErrorsByField = {},
): AskedField[] {
  return fields.map(({ nullable: _, initial: __, ...field }) => ({
    ...field,
    value: typed[field.name] ?? "",
    ...shownErrors(errors[field.name] ?? [], field, typed[field.name]),
  }));
}

/** The faults at a field; those of a grid are about words of its list, and no lines. */
function shownErrors(
  errors: readonly FieldError[],
  { name, grid }: Pick<FormField, "name" | "grid">,
  typed: Typed[string] = [],
): Pick<AskedField, "error" | "further_errors"> {
  const said = errors.map((error) => {
    const index = /^\/[^/]+\/(\d+)$/.exec(error.path)?.[1];
    const word = grid === undefined || typeof typed !== "object" ? undefined : typed[Number(index)];
    return word === undefined || word.includes("/") ? error : { ...error, path: `/${name}/${word}` };
  });
  return { error: said[0], further_errors: said.slice(1) };
}

/** The errors of a refusal: those of a field of the form at that field, and the rest. */
export function placedErrors(
  { detail, errors }: Pick<Problem, "detail" | "errors">,
  fields: readonly { readonly name: string }[],
): { at: ErrorsByField; rest: readonly FormError[] } {
  const at: Record<string, readonly FieldError[]> = {};
  const rest: FormError[] = [];
  for (const error of errors) {
    const [, name = ""] = error.path.split("/");
    if (!fields.some((field) => field.name === name)) rest.push(error);
    else at[name] = [...(at[name] ?? []), error];
  }
  return { at, rest: errors.length === 0 ? [detail] : rest };
}

/** The errors with those of `further` faults of the form's fields that have none yet. */
export function withFurther(
  at: ErrorsByField,
  further: readonly FieldError[],
  fields: readonly { readonly name: string }[],
): ErrorsByField {
  const others: Record<string, readonly FieldError[]> = {};
  for (const error of further) {
    const [, name = ""] = error.path.split("/");
    if (fields.some((field) => field.name === name)) others[name] = [...(others[name] ?? []), error];
  }
  return { ...others, ...at };
}

/** The record's values under the names of the form's fields. */
export function valuesOf(view: PublicView): (field: FormField) => unknown {
  return ({ name }) => (Object.hasOwn(view, name) ? view[name] : undefined);
}
