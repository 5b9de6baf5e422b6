import { type Command, Option } from "commander";
import {
  type Filter,
  type GivingVerb,
  givenFields,
  isRequired,
  type Resource,
} from "../../admin/manage/resource.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { type Field, type Format, mustBeGiven } from "../../records/definition/field.ts";
import { knownValuesOf } from "../../records/definition/known_values.ts";
import { listDirections, sortableColumnsOf } from "../../records/definition/list_orders.ts";
import { grantNames, responseTypes } from "../../records/names/names.ts";
import { countedSteps } from "../../web/error_sentence.ts";
import { OpenOption } from "../core/open_option.ts";
import type { Options, Terminal } from "../core/terminal.ts";
import { typedSecret } from "../core/typed_text.ts";
import type { Server } from "../server/server.ts";
import { argumentOf } from "./record_names.ts";
import { attributeOf, optionName, typed } from "./typed_values.ts";

type Input = Record<string, unknown>;

/** Whether the option accepts `@file`. */
function isFromFile(
  table: TableName,
  name: string,
  { kind, shape, sensitive, format, values }: Field,
): boolean {
  const isWord = format === "email" || values !== undefined;
  const isText = (kind === "string" || kind === "text") && !isWord && !Object.hasOwn(fieldsOf(table), name);
  return isText || kind === "text" || shape === "object" || sensitive === true;
}

function flagOf(table: TableName, name: string, field: Field): string {
  const flag = optionName(table, name);
  if (field.references !== undefined) return `${flag} <${argumentOf(field.references.table as TableName)}>`;
  if (field.kind === "bool") return `${flag} [true|false]`;
  if (field.kind === "int" || field.kind === "long") return `${flag} <number>`;
  if (field.kind === "time") return `${flag} <time>`;
  if (field.kind === "uuid") return `${flag} <uuid>`;
  if (field.shape === "strings") return `${flag} <text...>`;
  return field.kind === "json" ? `${flag} <json>` : `${flag} <text>`;
}

const wordsOfFormat: { readonly [F in Format]?: readonly string[] } = {
  grant: Object.keys(grantNames),
  response_type: responseTypes,
};

function knowing(option: Option, values: readonly string[]): void {
  if (values.length > 0) option.argChoices = [...values];
}

function optionOf(table: TableName, name: string, field: Field, meaning: string): Option {
  const flag = flagOf(table, name, field);
  const usual = field.kind === "json" ? undefined : knownValuesOf(table, name);
  const option = usual === undefined ? new Option(flag, meaning) : new OpenOption(flag, meaning);
  knowing(option, usual ?? field.values ?? wordsOfFormat[field.format ?? "prose"] ?? []);
  return option;
}

function meaningOf(table: TableName, name: string, field: Field, verb: GivingVerb): string {
  if (name === "id") return "identifier (default: generated)";
  const shown = field.default ?? undefined;
  const otherwise = shown === undefined || verb !== "create" ? "" : ` (default ${JSON.stringify(shown)})`;
  const isMerged = verb === "update" && field.shape === "object" && Object.hasOwn(fieldsOf(table), name);
  const merged = isMerged ? "; merged with the existing value, and null removes a field" : "";
  const fromFile = isFromFile(table, name, field) ? "; use @file to read it from a file" : "";
  const meaning = field.meaning.replaceAll(/`(\w+)`/g, (spelled, member: string) =>
    Object.hasOwn(fieldsOf(table), member) ? optionName(table, member) : spelled,
  );
  return `${meaning}${otherwise}${merged}${fromFile}`;
}

/**
 * Whether the field names a user that, over HTTP, defaults to the caller. The operator at the command line
 * has no user record.
 */
function isSelfElsewhere({ input }: Resource, name: string, field: Field): boolean {
  const isUser = name !== "id" && mustBeGiven(field) && field.references?.table === "users";
  return isUser && input?.create?.email === undefined;
}

/** Adds an option for every writable field that is not in `own`, and `--clear` for `update`. */
export function addInputOptions(
  command: Command,
  resource: Resource,
  verb: GivingVerb,
  own: readonly string[] = [],
): void {
  const { table } = resource;
  const values = givenFields(resource, verb).filter(([name]) => !own.includes(name));
  const isNeeded = ([name, field]: (typeof values)[number]) =>
    verb !== "update" && (isRequired(resource, name, field) || isSelfElsewhere(resource, name, field));
  for (const each of [...values.filter(isNeeded), ...values.filter((of) => !isNeeded(of))]) {
    const [name, field] = each;
    const option = optionOf(table, name, field, meaningOf(table, name, field, verb));
    // Only a copy of a record that was revoked on another server needs these options.
    if (verb === "create" && (name === "revoked" || name === "revoked_at")) option.hideHelp();
    command.addOption(option.helpGroup(isNeeded(each) ? "Required:" : "Fields:"));
  }
  if (verb === "update") {
    command.addOption(new Option("--clear <field...>", "fields to set to null").helpGroup("Fields:"));
  }
}

export async function inputOf(
  records: Pick<Server, "idOf">,
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
    const value = options[attributeOf(option)];
    if (value === undefined || own.includes(name)) continue;
    if (field.references !== undefined) {
      input[name] = await records.idOf(field.references.table as TableName, String(value));
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
 * Returns a function that maps the path of a field or parameter in a request to the option, so that errors
 * name options.
 */
export function optionsOf({ table, filters }: Resource): (path: string) => string {
  return (path) => {
    const [member = "", ...deeper] = path.split("/").slice(1);
    const isSearch = filters.some(({ name, to }) => name === member && to === "search");
    return [isSearch ? "--search" : optionName(table, member), ...countedSteps(deeper)].join(" ");
  };
}

export function addFilterOptions(
  command: Command,
  { table, filters }: Resource,
  { pages = true }: { pages?: boolean } = {},
): void {
  if (pages) {
    command
      .addOption(
        new Option("--limit <number>", "the maximum number of records, 1 to 200")
          .default("50")
          .helpGroup("Page:"),
      )
      .addOption(
        new Option("--cursor <cursor>", "the next_cursor or previous_cursor of another page").helpGroup(
          "Page:",
        ),
      )
      .addOption(new Option("--total", "print the total").helpGroup("Page:"));
    const sort = new Option("--sort <column>", "the column to sort by");
    const order = new Option("--order <direction>", "asc or desc");
    knowing(sort, sortableColumnsOf(table));
    knowing(order, listDirections);
    for (const option of [sort, order]) command.addOption(option.helpGroup("Page:"));
  }
  for (const filter of filters) {
    const { meaning, values = [], name, to } = filter;
    if (to === "search") {
      command.addOption(new Option("--search <text>", meaning).helpGroup("Filters:"));
      command.addOption(new Option(`${optionName(table, name)} <text>`).hideHelp());
      continue;
    }
    const option = new Option(filterFlag(table, filter), meaning);
    knowing(option, values);
    command.addOption(option.helpGroup("Filters:"));
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
 * Returns the query that the options of a list specify. Throws 404 `not_found` if an option names a record
 * that does not exist.
 */
export async function queryOf(
  records: Pick<Server, "idOf">,
  { table, filters }: Resource,
  options: Options,
): Promise<Record<string, string>> {
  const query: Record<string, string> = { limit: String(options.limit) };
  for (const name of ["cursor", "sort", "order"]) {
    if (typeof options[name] === "string") query[name] = options[name];
  }
  if (options.total === true) query.total = "true";
  for (const { name, to } of filters) {
    const typed = options[attributeOf(optionName(table, name))];
    const value = to === "search" ? (options.search ?? typed) : typed;
    if (value === undefined) continue;
    const reference = fieldsOf(table)[name]?.references;
    query[name] =
      reference === undefined
        ? String(value)
        : await records.idOf(reference.table as TableName, String(value));
  }
  return query;
}
