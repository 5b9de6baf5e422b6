/** The filters that several lists have. */
import { fieldsOf, type TableName } from "../../records/definition.ts";
import type { Filter } from "./resource.ts";

/** A filter for each of these columns: what must be equal is of the column's own kind. */
export function equal<T extends TableName>(table: T, ...columns: readonly string[]): Filter[] {
  return columns.map((name): Filter => {
    const field = fieldsOf(table)[name];
    if (field === undefined) throw new TypeError(`${table} has no column ${name}`);
    const { meaning, values } = field;
    const base = { name, meaning, to: name };
    if (field.kind === "uuid") return { ...base, kind: "id" };
    if (field.kind === "bool") return { ...base, kind: "bool" };
    return values === undefined ? { ...base, kind: "text" } : { ...base, kind: "word", values };
  });
}

/** A filter on an e-mail, whatever its case. */
export const email: Filter = {
  name: "email",
  kind: "text",
  meaning: "the whole e-mail, whatever its case",
  to: "email_key",
};

/** Words of which each must begin a word of the fields that are searched. */
export function search(fields: string): Filter {
  return {
    name: "q",
    kind: "text",
    meaning: `words, each of which begins a word of ${fields}`,
    to: "search",
  };
}

/** When a record was made; every list has these. */
export const created: readonly Filter[] = [
  { name: "created_from", kind: "time", meaning: "made at this moment or later", to: "created_from" },
  { name: "created_before", kind: "time", meaning: "made before this moment", to: "created_before" },
];
