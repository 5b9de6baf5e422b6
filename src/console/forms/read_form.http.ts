import type { AdminContext } from "../../admin/access/actor.ts";
import type { Input } from "../../admin/access/errors.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { chosenPermissions, separateWords } from "../../http/chosen_permissions.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { hasMember, putTogether, takenApart } from "../../records/formats/known_members.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { valueOfText } from "../../records/rules/attributes.ts";
import { durationSeconds, durationUnits } from "../../web/html/duration.ts";
import type { FieldControl } from "../fields/fields.view.ts";
import type { FormField } from "./form_spec.http.ts";
import { jsonErrorAt } from "./json_error_at.http.ts";
import { idMeant } from "./natural_names.http.ts";
import {
  columnsWithMembers,
  type ErrorsByField,
  hasMany,
  hasScopeLines,
  membersAmong,
  type Typed,
  type Values,
} from "./record_form.http.ts";
import { readScopeLines } from "./scope_lines.http.ts";

interface ReadForm {
  readonly input: Input;
  readonly typed: Typed;
  readonly errors: ErrorsByField;
}

export interface StoredForm {
  readonly view: PublicView;
  readonly values: Values;
  readonly shown: Typed;
}

/**
 * Reads a submitted form. For a change of `stored`, `input` contains only changed fields; emptied ones are
 * null or an empty list.
 */
export async function readForm(
  admin: AdminContext,
  fields: readonly FormField[],
  params: Params,
  language: () => string,
  stored?: StoredForm,
): Promise<ReadForm> {
  const input: Record<string, unknown> = {};
  const typed: Record<string, FieldControl["value"]> = {};
  const errors: Record<string, readonly FieldError[]> = {};
  const sent = new Map<string, string[]>();
  for (const [name, text] of params.pairs) {
    const earlier = sent.get(name);
    if (earlier === undefined) sent.set(name, [text]);
    else earlier.push(text);
  }
  for (const field of fields) {
    const { name } = field;
    const texts = sent.get(name) ?? [];
    const was = stored?.values[name];
    const shown = stored?.shown[name];
    const raw =
      field.grid === undefined
        ? withUnit(field, rawOf(field, texts), params)
        : chosenPermissions(params, name, isStrings(was) ? was : []);
    typed[name] = field.sensitive ? "" : (raw ?? shown ?? "");
    if (texts.length > 1 && !hasMany(field)) {
      errors[name] = [fieldError(`/${name}`, "repeated")];
      continue;
    }
    if (raw === undefined || (stored !== undefined && isAsShown(field, raw, shown))) continue;
    const read =
      hasScopeLines(field) && typeof raw === "string" && !raw.trim().startsWith("{")
        ? readDescribed(field, raw, isObject(was) ? was : {}, language())
        : await readValue(admin, field, raw, { isChange: stored !== undefined, was });
    if (read === undefined) continue;
    if ("errors" in read) errors[name] = read.errors;
    else input[name] = read.value;
  }
  for (const { name, grid, required } of fields)
    if (grid !== undefined && required && !Object.hasOwn(input, name))
      errors[name] ??= [fieldError(`/${name}`, "required")];
  putMembersIn(input, fields, stored?.view);
  return { input, typed, errors };
}

function readDescribed(
  field: FormField,
  raw: string,
  was: Readonly<Record<string, unknown>>,
  language: string,
): Read {
  const scopes = readScopeLines(raw, was, language);
  if (field.format !== "scope_descriptions") return { value: scopes };
  const described = Object.entries(scopes).filter(([, description]) => description !== null);
  return { value: described.length === 0 ? null : Object.fromEntries(described) };
}

/**
 * Writes fields that a JSON column contains into that column. If the user also changed the column's JSON
 * text, fields without a change of their own get their values from it.
 */
function putMembersIn(
  input: Record<string, unknown>,
  fields: readonly FormField[],
  stored: PublicView | undefined,
): void {
  for (const column of columnsWithMembers(fields)) {
    const known = membersAmong(fields, column);
    const isTyped = Object.hasOwn(input, column);
    const values = Object.keys(known).filter((name) => Object.hasOwn(input, name));
    if (!isTyped && values.length === 0) continue;
    const { members, rest } = takenApart(stored?.[column], known);
    const written = { ...members };
    for (const name of values) {
      // A default value is not stored if the column does not contain the field yet.
      if (input[name] !== known[name]?.absent || Object.hasOwn(members, name)) written[name] = input[name];
      delete input[name];
    }
    const beside = isTyped ? input[column] : rest;
    if (beside !== null && beside !== undefined && !isObject(beside)) continue;
    const own = Object.entries(written).filter(
      ([name]) => values.includes(name) || !isTyped || !hasMember(beside, name),
    );
    const whole = putTogether(beside ?? {}, Object.fromEntries(own));
    const isEmpty = isObject(whole) && Object.keys(whole).length === 0;
    const isNullable = fields.some(({ name, nullable }) => name === column && nullable);
    if (!isEmpty || stored !== undefined) input[column] = isEmpty && isNullable ? null : whole;
    else delete input[column];
  }
}

function withUnit(
  { name, unit }: FormField,
  raw: FieldControl["value"] | undefined,
  params: Params,
): FieldControl["value"] | undefined {
  if (unit !== "seconds" || typeof raw !== "string") return raw;
  const chosen = params.get(`${name}.unit`) ?? "";
  if (!Object.hasOwn(durationUnits, chosen)) return raw;
  return raw.trim() === "" ? "" : `${raw.trim()} ${chosen}`;
}

/**
 * Check boxes that are not checked send nothing, which means false or an empty list. For other fields,
 * nothing means that the form had no such field.
 */
function rawOf(field: FormField, texts: readonly string[]): FieldControl["value"] | undefined {
  if (field.kind === "bool") return texts[0] !== undefined && texts[0] !== "false";
  if (field.many_of !== undefined) return texts.filter((text) => text !== "");
  // Browsers send line breaks as CR LF.
  return texts[0]?.replaceAll("\r\n", "\n");
}

function isAsShown(field: FormField, raw: FieldControl["value"], shown: FieldControl["value"] = ""): boolean {
  if (field.sensitive) return raw === "";
  if (field.kind === "time" && typeof raw === "string" && typeof shown === "string") {
    // The control may show a time with less precision than is stored, so the beginning is compared.
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

type Read = { readonly value: unknown } | { readonly errors: readonly FieldError[] } | undefined;

const wrong = ({ name }: FormField, why: Reason): Read => ({ errors: [{ path: `/${name}`, ...why }] });

async function readValue(
  admin: AdminContext,
  field: FormField,
  raw: FieldControl["value"],
  { isChange, was }: { readonly isChange: boolean; readonly was: unknown },
): Promise<Read> {
  if (field.grid !== undefined && typeof raw === "object" && raw.length === 0) {
    return isChange ? emptied(field) : undefined;
  }
  if (typeof raw !== "string") return { value: raw };
  // Every character of a secret is significant, even a space at the end (L-13).
  if (field.sensitive) return raw === "" ? undefined : { value: raw };
  const text = raw.trim();
  if (text === "") return isChange || isBegun(field) ? emptied(field) : undefined;
  if (field.value_type !== undefined) return { value: valueOfText({ value_type: field.value_type }, text) };
  if (field.refers_to !== undefined) return readNames(admin, field.refers_to, field, text);
  switch (field.kind) {
    case "int": {
      const seconds = field.unit === "seconds" ? durationSeconds(text) : undefined;
      if (seconds !== undefined) return { value: seconds };
      return /^[+-]?\d{1,15}$/.test(text) ? { value: Number(text) } : wrong(field, reason("not_integer"));
    }
    case "time": {
      const read = readTime(text);
      return "error" in read ? wrong(field, read.error) : read;
    }
    case "json":
      return readJson(field, text, was);
    default:
      return { value: field.format === "email" ? text : raw };
  }
}

/** If the form proposed items, an empty field means that the user removed them. */
function isBegun({ shape, initial }: FormField): boolean {
  return shape === "strings" && Array.isArray(initial) && initial.length > 0;
}

function emptied({ shape, nullable }: FormField): Read {
  return { value: shape === "strings" && !nullable ? [] : null };
}

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Reads a time from a form. Without a time zone, it is in UTC. */
export function readTime(text: string): { value: string } | { error: Reason } {
  const whole = localTime.test(text) ? `${text}Z` : text;
  return Number.isNaN(new Date(whole).getTime()) ? { error: reason("not_time") } : { value: whole };
}

function readJson(field: FormField, text: string, was: unknown): Read {
  if (field.shape === "strings") {
    if (isListOfScopes(field)) return { value: separateWords(text, isStrings(was) ? was : []) };
    return { value: linesOf(text) };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return wrong(field, reason("not_json", jsonErrorAt(text)));
  }
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

async function readNames(admin: AdminContext, table: string, field: FormField, text: string): Promise<Read> {
  const { name, shape } = field;
  const isList = shape === "strings";
  const ids: string[] = [];
  const errors: FieldError[] = [];
  // One after another, to limit the load on the database.
  for (const [index, line] of (isList ? linesOf(text) : [text]).entries()) {
    const meant = await idMeant(admin, table, line);
    if ("id" in meant) ids.push(meant.id);
    else errors.push({ path: isList ? `/${name}/${index}` : `/${name}`, ...meant.error });
  }
  if (errors.length > 0) return { errors };
  return { value: isList ? ids : ids[0] };
}

const scopeFormats: readonly unknown[] = ["scope", "default_scope", "resource_default_scope"];

function isListOfScopes({ name, format }: FormField): boolean {
  return name === "scopes" || scopeFormats.includes(format);
}
