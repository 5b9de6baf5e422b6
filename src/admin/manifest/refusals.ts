/** Checks that concern a manifest as a whole, such as whether an administrator remains. */
import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem, type ProblemCode } from "../../errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import { type LockName, recordLock } from "../../records/names/lock_names.ts";
import type { Outcome, Passage } from "../manage/manifest_passage.ts";
import type { ManifestRules } from "../manage/manifest_rules.ts";
import type { Values } from "../manage/planned_record.ts";
import type { Prepared } from "./prepare.ts";
import type { PrunedRecord } from "./prune.ts";
import { sections } from "./sections.ts";

const rulesOf: ReadonlyMap<string, ManifestRules> = new Map(
  sections.map(({ table, manifest }) => [table, manifest]),
);

function passagesOf(prepared: readonly Prepared[], pruned: readonly PrunedRecord[]): Passage[] {
  const written = prepared.flatMap(({ record: { id, label }, rows }) =>
    rows
      .filter(({ part }) => part === undefined)
      .map(({ table, current, values }) => {
        const after = { ...current, ...values } as Row<TableName>;
        return { table, id, label, before: current as Row<TableName> | undefined, after };
      }),
  );
  const gone = pruned.map(({ table, id, label, row }) => {
    return { table, id, label, before: row as Row<TableName>, after: undefined };
  });
  return [...written, ...gone];
}

/**
 * Throws 409 naming every record that the manifest may not change. The code is that of the first refusal:
 * `last_administrator`, `last_owner`, `successor_required`, `links_exist` or `conflict`.
 */
export async function refuseManifest(
  stored: Outcome["stored"],
  prepared: readonly Prepared[],
  pruned: readonly PrunedRecord[],
): Promise<void> {
  const outcome = outcomeOf(stored, prepared, pruned);
  const refusals: { readonly code: ProblemCode; readonly error: FieldError }[] = [];
  for (const passage of passagesOf(prepared, pruned)) {
    const refused = (await rulesOf.get(passage.table)?.refusals?.(passage, outcome)) ?? [];
    refusals.push(...refused.map(([code, why]) => ({ code, error: { path: passage.label, ...why } })));
  }
  const [first] = refusals;
  if (first === undefined) return;
  const errors = refusals.map(({ error }) => error);
  throw new Problem(first.code, detail("manifest_refused"), errors);
}

function outcomeOf(
  stored: Outcome["stored"],
  prepared: readonly Prepared[],
  pruned: readonly PrunedRecord[],
): Outcome {
  const going = new Set(pruned.map(({ table, id }) => `${table} ${id}`));
  const written = new Map<TableName, Map<unknown, Values>>();
  for (const { table, current, values } of prepared.flatMap(({ rows }) => rows)) {
    const rows = written.get(table) ?? new Map<unknown, Values>();
    written.set(table, rows.set((current ?? values).id, { ...current, ...values }));
  }
  return {
    stored,
    async list<T extends TableName>(table: T, where: Partial<Row<T>>): Promise<Row<T>[]> {
      const rows = new Map<unknown, Values>();
      for (const row of (await stored.list(table, where as never)) as Values[]) rows.set(row.id, row);
      for (const [id, row] of written.get(table) ?? []) rows.set(id, { ...rows.get(id), ...row });
      const holds = (row: Values) =>
        Object.entries(where).every(([name, value]) => isDeepStrictEqual(row[name], value));
      return [...rows.values()].filter((row) => holds(row) && !going.has(`${table} ${row.id}`)) as Row<T>[];
    },
    goes: (table, id) => going.has(`${table} ${id}`),
  };
}

/**
 * Returns the locks of the rows to change or delete. Also returns the locks under which the result of
 * `refuseManifest` stays true until the commit.
 */
export async function locksOf(
  stored: Outcome["stored"],
  prepared: readonly Prepared[],
  pruned: readonly PrunedRecord[],
): Promise<LockName[]> {
  const changed = prepared.flatMap(({ rows }) => rows.filter(({ current }) => current !== undefined));
  const names = [
    ...changed.map(({ table, current }) => recordLock(table, String(current?.id))),
    ...pruned.map(({ table, id }) => recordLock(table, id)),
  ];
  for (const passage of passagesOf(prepared, pruned)) {
    names.push(...((await rulesOf.get(passage.table)?.locks?.(passage, stored)) ?? []));
  }
  return [...new Map(names.map((name) => [name.text, name])).values()];
}
