import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { searchedColumnsOf } from "../../records/definition/searched_columns.ts";
import { nounOf } from "../access/errors.ts";
import type { Filter } from "../manage/resource.ts";

/** Returns a filter for each column, which matches the exact value. */
export function equal<T extends TableName>(table: T, ...columns: readonly string[]): Filter[] {
  return columns.map((name): Filter => {
    const field = fieldsOf(table)[name];
    if (field === undefined) throw new TypeError(`${table} has no column ${name}`);
    const { values } = field;
    // The parts of a field's meaning about null and about single values do not apply to its filter.
    const [meaning = ""] = field.meaning.split(/;|\. |: `/);
    const base = { name, meaning, to: name };
    if (field.kind === "uuid") return { ...base, kind: "id" };
    if (field.kind === "bool") return { ...base, kind: "bool" };
    return values === undefined ? { ...base, kind: "text" } : { ...base, kind: "word", values };
  });
}

/**
 * Returns the filter for event types. An unknown type is an error, because an empty list would hide a
 * spelling mistake.
 */
export function typeFilter(values: readonly string[]): Filter {
  return { name: "type", kind: "word", meaning: "type of the event", values, to: "type" };
}

export const email: Filter = {
  name: "email",
  kind: "text",
  meaning: "the complete email address, regardless of case; characters that look alike count as equal",
  to: "email_key",
};

/** Returns the search filter; `fields` names the searched columns for the documentation. */
export function search(fields: string): Filter {
  return {
    name: "q",
    kind: "text",
    meaning: `words that the ${fields} must contain, separated by spaces`,
    to: "search",
  };
}

/** Joins words in English, such as `a, b or c`. `Intl.ListFormat` would load 6 MB of data at startup. */
export function eitherOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

export function searchAmong(table: TableName): Filter {
  const { named_by = {}, texts = [] } = searchedColumnsOf(table) ?? {};
  const tables = [...new Set(Object.values(named_by).filter((of) => of !== undefined))];
  const nouns = eitherOf(tables.map(nounOf));
  const parts = eitherOf(texts);
  const meaning = [
    ...(nouns === "" ? [] : [`search text: if any ${nouns} matches, returns its records`]),
    ...(parts === ""
      ? []
      : [
          nouns === ""
            ? `text to find in ${parts}`
            : `otherwise, returns records whose ${parts} contains the text`,
        ]),
  ].join("; ");
  return { name: "q", kind: "text", meaning, to: "search" };
}

export const created: readonly Filter[] = [
  { name: "created_from", kind: "time", meaning: "created at or after this time", to: "created_from" },
  { name: "created_before", kind: "time", meaning: "created before this time", to: "created_before" },
];
