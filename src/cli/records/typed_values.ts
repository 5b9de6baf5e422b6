/** Options for members of a record, and the parsing of their values. */
import { memberOf } from "../../admin/manifest/members/entry.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import { WrongUsage } from "../core/terminal.ts";

/**
 * Returns the option of a member: `--redirect-uris` for `redirect_uris`, `--owner` for the reference
 * `owner_id`.
 */
export function optionName(table: TableName, name: string): string {
  return `--${memberOf(table, name).replaceAll("_", "-")}`;
}

/** Returns the name under which the parser stores the value of an option. */
export function attributeOf(option: string): string {
  return option.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Splits a text into the values of a list. Display names stay whole; other values are split at spaces,
 * which neither scopes nor redirect URIs contain, and scopes are often typed as one text. Only types of
 * events are also split at commas: scopes and URIs may contain them.
 */
export function valuesIn({ plain, format }: Pick<Field, "plain" | "format">, text: string): string[] {
  if (plain !== undefined) return [text];
  return text.split(format === "event_type" ? /[\s,]+/ : /\s+/).filter(Boolean);
}

/**
 * Returns the typed text as a value of the field's kind. A text that does not match is left to the
 * validation of the record.
 */
export function typed(field: Field, value: unknown, option: string): unknown {
  const { kind, shape } = field;
  if (kind === "bool") return value === true || value === "true" ? true : value === "false" ? false : value;
  if (kind === "int" || kind === "long")
    return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (shape === "strings") return (value as string[]).flatMap((text) => valuesIn(field, text));
  return kind === "json" ? parsed(String(value), option) : value;
}

function parsed(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUsage(`${option} expects JSON, such as '{"key": "value"}'`);
  }
}
