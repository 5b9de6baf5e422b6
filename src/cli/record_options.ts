/**
 * Options of the commands of records, derived from the definition of the record and from what management says
 * of it.
 */
import { type Command, Option } from "commander";
import type { AdminContext } from "../admin/access/actor.ts";
import { memberOf } from "../admin/manifest/entry.ts";
import { type Filter, type GivingVerb, givenFields, type Resource } from "../admin/resources/resource.ts";
import { fieldsOf, type TableName } from "../records/definition.ts";
import type { Field } from "../records/field.ts";
import { argumentOf, idOf } from "./record_names.ts";
import { type Options, type Terminal, WrongUsage } from "./terminal.ts";
import { typedSecret } from "./typed_text.ts";

type Input = Record<string, unknown>;

/** The option of a member: `--redirect-uris` for `redirect_uris`, `--owner` for the reference `owner_id`. */
export function optionName(table: TableName, name: string): string {
  return `--${memberOf(table, name).replaceAll("_", "-")}`;
}

const attribute = (option: string) =>
  option.slice(2).replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Whether the value may be typed as `@file`: what is long, secret, or no column of the record. */
function isFromFile(table: TableName, name: string, { kind, shape, sensitive }: Field): boolean {
  const isText = (kind === "string" || kind === "text") && !Object.hasOwn(fieldsOf(table), name);
  return isText || kind === "text" || shape === "object" || sensitive === true;
}

function flagOf(table: TableName, name: string, field: Field): string {
  const flag = optionName(table, name);
  if (field.references !== undefined) return `${flag} <${argumentOf(field.references.table as TableName)}>`;
  if (field.kind === "bool") return `${flag} [true|false]`;
  if (field.kind === "int") return `${flag} <number>`;
  if (field.kind === "time") return `${flag} <time>`;
  if (field.kind === "uuid") return `${flag} <uuid>`;
  if (field.shape === "strings") return `${flag} <text...>`;
  return field.kind === "json" ? `${flag} <json>` : `${flag} <text>`;
}

function meaningOf(table: TableName, name: string, field: Field, verb: GivingVerb): string {
  if (name === "id") return "identifier; made when absent";
  const choices = field.values === undefined ? "" : `: ${field.values.join(", ")}`;
  const shown = field.default ?? undefined;
  const otherwise = shown === undefined || verb !== "create" ? "" : ` (default ${JSON.stringify(shown)})`;
  const fromFile = isFromFile(table, name, field) ? "; @file reads it from a file" : "";
  return `${field.meaning}${choices}${otherwise}${fromFile}`;
}

/**
 * Adds an option for every member that may be given; with `update` also `--clear`. Members of `own` have
 * options of the command's own.
 */
export function addInputOptions(
  command: Command,
  resource: Resource,
  verb: GivingVerb,
  own: readonly string[] = [],
): void {
  const { table } = resource;
  for (const [name, field] of givenFields(resource, verb)) {
    if (own.includes(name)) continue;
    command.addOption(new Option(flagOf(table, name, field), meaningOf(table, name, field, verb)));
  }
  if (verb === "update") command.option("--clear <field...>", "fields to set to null");
}

/**
 * The members that the options give; records that they name are given by their ids. Throws 404 `not_found`.
 */
export async function inputOf(
  context: AdminContext,
  resource: Resource,
  options: Options,
  terminal: Terminal,
  verb: GivingVerb,
  own: readonly string[] = [],
): Promise<Input> {
  const { table } = resource;
  const input: Input = {};
  for (const [name, field] of givenFields(resource, verb)) {
    const option = optionName(table, name);
    const value = options[attribute(option)];
    if (value === undefined || own.includes(name)) continue;
    if (field.references !== undefined) {
      input[name] = await idOf(context, field.references.table as TableName, String(value));
    } else {
      const text = isFromFile(table, name, field) ? await typedSecret(value, terminal) : value;
      input[name] = typed(field, text, option);
    }
  }
  for (const name of verb === "update" && Array.isArray(options.clear) ? options.clear : []) {
    input[String(name)] = null;
  }
  return input;
}

/**
 * What was typed, as the field's kind; what does not fit is passed on for the record's own check to name.
 */
function typed({ kind, shape }: Field, value: unknown, option: string): unknown {
  if (kind === "bool") return value === true || value === "true" ? true : value === "false" ? false : value;
  if (kind === "int") return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  // Neither a scope nor a redirect URI has a space in it, and people write scopes as one text.
  if (shape === "strings") return (value as string[]).flatMap((item) => item.split(/\s+/).filter(Boolean));
  return kind === "json" ? parsed(String(value), option) : value;
}

function parsed(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongUsage(`${option} takes JSON, such as '{"key": "value"}'`);
  }
}

/** Adds an option for every filter of the list, and those of its pages. */
export function addFilterOptions(
  command: Command,
  { table, filters }: Resource,
  { pages = true }: { pages?: boolean } = {},
): void {
  if (pages) {
    command
      .option("--limit <number>", "how many at most, 1 to 200", "50")
      .option("--cursor <cursor>", "next_cursor of the page before");
  }
  for (const filter of filters) {
    const { meaning, values } = filter;
    const choices = values === undefined ? "" : `: ${values.join(", ")}`;
    command.addOption(new Option(filterFlag(table, filter), `${meaning}${choices}`));
  }
}

function filterFlag(table: TableName, { name, kind }: Filter): string {
  const flag = optionName(table, name);
  const reference = fieldsOf(table)[name]?.references;
  if (reference !== undefined) return `${flag} <${argumentOf(reference.table as TableName)}>`;
  const value = {
    id: "<uuid>",
    text: "<text>",
    bool: "[true|false]",
    time: "<time>",
    word: "<text>",
  } as const;
  return `${flag} ${value[kind]}`;
}

/**
 * The query that the options of a list give. Throws 404 `not_found` for a record that is named and not there.
 */
export async function queryOf(
  context: AdminContext,
  { table, filters }: Resource,
  options: Options,
): Promise<Record<string, string>> {
  const query: Record<string, string> = { limit: String(options.limit) };
  if (typeof options.cursor === "string") query.cursor = options.cursor;
  for (const { name } of filters) {
    const value = options[attribute(optionName(table, name))];
    if (value === undefined) continue;
    const reference = fieldsOf(table)[name]?.references;
    query[name] =
      reference === undefined
        ? String(value)
        : await idOf(context, reference.table as TableName, String(value));
  }
  return query;
}
