/**
 * Leaves out of an export what a new record could not have, because applying the export would fail. Earlier
 * versions allowed changes after which a stored record refers to something that no longer fits it.
 */
import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { mustBeGiven } from "../../records/definition/field.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { nounOf } from "../access/errors.ts";
import { guardNew } from "../guards/guards.ts";
import type { GuardedTransaction } from "../guards/rules.ts";
import type { Values } from "../manage/planned_record.ts";

export type Exporting = Pick<AdminContext, "store" | "warn">;

/**
 * Returns a function that removes from a row the values that a new record could not have. It returns
 * undefined if the record could not exist without them. Calls `warn` for each value or row that is left out.
 */
export function fitting({ store, warn }: Exporting) {
  const lists = new Map<string, Promise<unknown>>();
  const reads: GuardedTransaction = {
    find: store.find,
    // Caches attribute definitions, because every record with attributes needs them.
    list(table, where, options) {
      const key = table === "attribute_definitions" ? JSON.stringify(where) : undefined;
      const found = (key && lists.get(key)) || store.list(table, where, options);
      if (key !== undefined) lists.set(key, found);
      return found as never;
    },
    lock: async () => {},
  };
  // Checks with all permissions, because the user who applies the export may have more than the user who
  // exports.
  const permissions = permissionsOfActor({ actor: { kind: "system", label: "export" }, store });

  return async (table: TableName, row: Values): Promise<Values | undefined> => {
    for (let left: Values = row; ; ) {
      const path = await refusedPath(reads, await permissions, table, left);
      if (path === undefined) return left;
      const fewer = without(table, left, path);
      const of = `${nounOf(table)} ${String(row.id)}`;
      warn?.(
        fewer === undefined
          ? `${of}: left out, because a new record could not ${path === "" ? "exist" : `have its ${path}`}`
          : `${of}${path}: left out, because a new record could not have it`,
      );
      if (fewer === undefined) return undefined;
      left = fewer;
    }
  };
}

/**
 * Returns the path of the first error that a new record with these values would have; undefined without an
 * error. The path is empty if the error concerns the whole record.
 */
async function refusedPath(
  reads: GuardedTransaction,
  permissions: Awaited<ReturnType<typeof permissionsOfActor>>,
  table: TableName,
  row: Values,
): Promise<string | undefined> {
  try {
    await guardNew(reads, permissions, table, row as never);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.errors[0]?.path ?? "";
    throw error;
  }
}

/** Returns the row without the value at this path; undefined if the value cannot be left out. */
function without(table: TableName, row: Values, path: string): Values | undefined {
  const [name = "", step] = path
    .split("/")
    .slice(1)
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
  const value = row[name];
  const field = fieldsOf(table)[name];
  if (step !== undefined && Array.isArray(value))
    return { ...row, [name]: value.filter((_, index) => index !== Number(step)) };
  if (step !== undefined && isObject(value) && Object.hasOwn(value, step)) {
    const { [step]: _, ...others } = value;
    return { ...row, [name]: Object.keys(others).length === 0 ? (field?.default ?? null) : others };
  }
  if (field === undefined || mustBeGiven(field) || value === null || value === field.default)
    return undefined;
  return { ...row, [name]: field.default ?? null };
}
