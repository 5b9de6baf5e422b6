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
import { readingOnce } from "../guards/reading_once.ts";
import type { GuardedTransaction } from "../guards/rules.ts";
import type { Values } from "../manage/planned_record.ts";

export type Exporting = Pick<AdminContext, "store" | "warn">;

/**
 * Returns a function that removes from a row the values that a new record could not have. It returns
 * undefined if the record could not exist without them.
 */
export function fitting({ store, warn }: Exporting) {
  const reads = readingOnce(store);
  // Checks with all permissions, because the user who applies the export may have more than the user who
  // exports.
  const permissions = permissionsOfActor({ actor: { kind: "system", label: "export" }, store });

  return async (table: TableName, row: Values): Promise<Values | undefined> => {
    for (let left: Values = row; ; ) {
      const paths = await refusedPaths(reads, await permissions, table, left);
      const [path] = paths;
      if (path === undefined) return left;
      const fewer = without(table, left, paths);
      const of = `${nounOf(table)} ${String(row.id)}`;
      if (fewer === undefined)
        warn?.(
          `${of}: left out, because a new record could not ${path === "" ? "exist" : `have its ${path}`}`,
        );
      else for (const each of paths) warn?.(`${of}${each}: left out, because a new record could not have it`);
      if (fewer === undefined) return undefined;
      left = fewer;
    }
  };
}

const stepsOf = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(1)
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));

/**
 * Returns the paths of the errors in the first invalid field. The path is empty if the error concerns the
 * whole record.
 */
async function refusedPaths(
  reads: GuardedTransaction,
  permissions: Awaited<ReturnType<typeof permissionsOfActor>>,
  table: TableName,
  row: Values,
): Promise<readonly string[]> {
  try {
    await guardNew(reads, permissions, table, row as never);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first = "", ...others] = error.errors.map(({ path }) => path);
    const [name] = stepsOf(first);
    return [first, ...others.filter((path) => stepsOf(path)[0] === name)];
  }
}

function without(table: TableName, row: Values, paths: readonly string[]): Values | undefined {
  const [[name = "", step] = []] = paths.map(stepsOf);
  const steps = new Set(paths.map((path) => stepsOf(path)[1]));
  const value = row[name];
  const field = fieldsOf(table)[name];
  if (step !== undefined && Array.isArray(value))
    return { ...row, [name]: value.filter((_, index) => !steps.has(String(index))) };
  if (step !== undefined && isObject(value) && Object.hasOwn(value, step)) {
    const others = Object.entries(value).filter(([member]) => !steps.has(member));
    const fewer = others.length === 0 ? (field?.default ?? null) : Object.fromEntries(others);
    return { ...row, [name]: fewer };
  }
  if (field === undefined || mustBeGiven(field) || value === null || value === field.default)
    return undefined;
  return { ...row, [name]: field.default ?? null };
}
