/** Options of the commands that make and change records, derived from the definition of the record. */
import { type Command, Option } from "commander";
import { fieldsOf, type TableName } from "../records/definition.ts";
import type { Field } from "../records/field.ts";
import { type Options, WrongUsage } from "./terminal.ts";

/** An option that names another record, by its e-mail or slug. */
export interface ReferenceOption {
  /** Without dashes, such as `owner`. */
  readonly name: string;
  readonly column: string;
  readonly to: "users" | "organizations";
}

/** Columns that are no option: the server's own, and those that a reference stands for. */
const never = ["id", "created_at", "last_login_at", "last_used_at", "revoked_at", "key_prefix"];

function columnsOf(table: TableName): [string, Field][] {
  return Object.entries(fieldsOf(table)).filter(
    ([name, field]) =>
      !(field.sensitive || field.internal || field.auto_update || field.references) && !never.includes(name),
  );
}

/** The option of a member: `--redirect-uris` for `redirect_uris`. */
export const optionName = (name: string) => `--${name.replaceAll("_", "-")}`;

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function flagOf(name: string, field: Field): string {
  const flag = optionName(name);
  if (field.kind === "bool") return `${flag} [true|false]`;
  if (field.kind === "int") return `${flag} <number>`;
  if (field.kind === "time") return `${flag} <time>`;
  if (field.shape === "strings") return `${flag} <text...>`;
  return field.kind === "json" ? `${flag} <json>` : `${flag} <text>`;
}

/** Adds an option for every column a manager may give; with `change`, only those that can change, and `--clear`. */
export function addColumnOptions(command: Command, table: TableName, { change = false } = {}): void {
  if (!change) command.option("--id <uuid>", "identifier; made when absent");
  for (const [name, field] of columnsOf(table)) {
    if (change && field.immutable) continue;
    const choices = field.values === undefined ? "" : `: ${field.values.join(", ")}`;
    const shown = field.default ?? undefined;
    const otherwise = shown === undefined || change ? "" : ` (default ${JSON.stringify(shown)})`;
    command.addOption(new Option(flagOf(name, field), `${field.meaning}${choices}${otherwise}`));
  }
  if (change) command.option("--clear <field...>", "fields to set to null");
}

export function addReferenceOptions(command: Command, references: readonly ReferenceOption[]): void {
  for (const { name, to } of references) {
    const [value, meaning] =
      to === "users" ? ["<email>", "e-mail or id of a user"] : ["<slug>", "slug or id of an organization"];
    command.option(`${optionName(name)} ${value}`, meaning);
  }
}

/** The members that the options give, under the names of the columns; references are given as ids already. */
export function inputOf(
  table: TableName,
  options: Options,
  references: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const input: Record<string, unknown> = { ...references };
  if (typeof options.id === "string") input.id = options.id;
  for (const [name, field] of columnsOf(table)) {
    const value = options[camel(name)];
    if (value !== undefined) input[name] = typed(field, value, optionName(name));
  }
  for (const name of Array.isArray(options.clear) ? options.clear : []) input[String(name)] = null;
  return input;
}

/** What was typed, as the record's kind; what does not fit is passed on for the record's own check to name. */
function typed(field: Field, value: unknown, flag: string): unknown {
  if (field.kind === "bool")
    return value === true || value === "true" ? true : value === "false" ? false : value;
  if (field.kind === "int")
    return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  // Neither a scope nor a redirect URI has a space in it, and people write scopes as one text.
  if (field.shape === "strings")
    return (value as string[]).flatMap((item) => item.split(/\s+/).filter(Boolean));
  if (field.kind === "json") {
    try {
      return JSON.parse(String(value));
    } catch {
      throw new WrongUsage(`${flag} takes JSON, such as '{"key": "value"}'`);
    }
  }
  return value;
}

/** The value of a reference option, if it was given. */
export function referenceValue(options: Options, { name }: ReferenceOption): string | undefined {
  const value = options[camel(name)];
  return typeof value === "string" ? value : undefined;
}
