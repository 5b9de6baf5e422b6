import { memberOf } from "../../admin/manifest/members/entry.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import { WrongUsage } from "../core/terminal.ts";

/**
 * Returns the option of a field: `--redirect-uris` for `redirect_uris`, `--owner` for the reference
 * `owner_id`.
 */
export function optionName(table: TableName, name: string): string {
  return `--${memberOf(table, name).replaceAll("_", "-")}`;
}

export function attributeOf(option: string): string {
  return option.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Splits the typed value of a list option at spaces, because scopes and redirect URIs may contain commas.
 * Event types may also be separated by commas. Text for users is not split.
 */
export function valuesIn({ plain, format }: Pick<Field, "plain" | "format">, text: string): string[] {
  if (plain !== undefined) return [text];
  return text.split(format === "event_type" ? /[\s,]+/ : /\s+/).filter(Boolean);
}

/**
 * Converts a typed value to the kind of the field, and leaves one that does not match for the server to
 * refuse. Throws `WrongUsage` for invalid JSON.
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
