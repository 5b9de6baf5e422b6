/**
 * Implements `postern apply --prune`: deletes records that an earlier run created and that the file no longer
 * contains. Records that users created are deleted only as dependents of such a record.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { AdminEvent } from "../changes/audit.ts";
import type { Transaction } from "../changes/changes.ts";
import { writeRemoval } from "../changes/removal.ts";
import type { ManifestPart, Values } from "../manage/planned_record.ts";
import type { Resource } from "../manage/resource.ts";
import { resources } from "../resources/resources.ts";
import { labelOf } from "./identity.ts";
import type { Prepared } from "./prepare.ts";
import { rulesOfRows, sections } from "./sections.ts";

export interface PrunedRecord {
  readonly resource: Resource;
  readonly table: TableName;
  readonly id: string;
  readonly row: Values;
  readonly label: string;
}

const parts: ReadonlyMap<string, ManifestPart & { readonly of: string }> = new Map(
  sections.flatMap(({ table, manifest }) =>
    (manifest.members ?? []).flatMap(({ part }) =>
      part === undefined ? [] : [[part.table, { ...part, of: table }] as const],
    ),
  ),
);

/** Reversed, so that a record is deleted before the records that it refers to. */
const prunable = resources
  .filter(({ table, manifest }) => manifest !== undefined || parts.has(table))
  .toReversed();

/** Returns the records that applying the file with `--prune` deletes, in the order of deletion. */
export async function planPruning(
  { store }: Pick<AdminContext, "store">,
  prepared: readonly Prepared[],
): Promise<PrunedRecord[]> {
  const named = namedIds(prepared);
  const pruned: PrunedRecord[] = [];
  for (const resource of prunable) {
    const { table } = resource;
    const part = parts.get(table);
    const going: PrunedRecord[] = [];
    for (const id of await store.appliedRecords(table)) {
      if (named.ids.has(`${table} ${id}`)) continue;
      const row = (await store.find(table, { id } as never)) as Values | undefined;
      if (row === undefined) continue;
      // Nested rows are kept if the file contains their record but omits their field, such as `secrets`.
      const whole = part === undefined ? undefined : String(row[part.column]);
      const isUnspoken =
        part !== undefined && named.ids.has(`${part.of} ${whole}`) && !named.spoken.has(`${table} ${whole}`);
      if (!isUnspoken) going.push({ resource, table, id, row, label: await labelOf(store, resource, row) });
    }
    pruned.push(...going.toSorted((one, other) => (one.label < other.label ? -1 : 1)));
  }
  return pruned;
}

function namedIds(prepared: readonly Prepared[]): { ids: Set<string>; spoken: Set<string> } {
  const ids = new Set<string>();
  const spoken = new Set<string>();
  for (const { record, named } of prepared) {
    ids.add(`${record.table} ${record.id}`);
    for (const { part, ids: partIds } of named) {
      spoken.add(`${part.table} ${record.id}`);
      for (const id of partIds) ids.add(`${part.table} ${id}`);
    }
  }
  return { ids, spoken };
}

/** Deletes the records with their dependents and returns the audit events, which it also writes. */
export async function writePruning(
  tx: Transaction,
  context: AdminContext,
  pruned: readonly PrunedRecord[],
  at: Date,
): Promise<AdminEvent[]> {
  const events: AdminEvent[] = [];
  for (const { table, id, row } of pruned) {
    const remove = rulesOfRows.get(table)?.remove;
    const removing = remove && (() => remove(tx, row as never, at, context));
    events.push(await writeRemoval(tx, context, table, row as never, removing));
    await context.store.forgetApplied(table, id, tx);
  }
  return events;
}
