import type { TableName } from "../../records/definition/definition.ts";
import { publicView } from "../../records/definition/view.ts";
import type { AdminContext } from "../access/actor.ts";
import type { PreparedRow } from "../manage/planned_record.ts";
import { nameOfId } from "./identity.ts";
import { memberOf, referenceIn } from "./members/entry.ts";
import type { Prepared } from "./prepare.ts";

export interface Difference {
  readonly change: "create" | "update" | "remove";
  readonly record: string;
  /**
   * Changes by field name in the manifest. A field of a nested row has a path such as
   * `key_pairs[one].active`.
   */
  readonly fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  readonly hidden: readonly string[];
}

const unspoken = ["id", "created_at", "updated_at"];

/** Returns the differences of the changed records, in the order in which they are written. */
export async function differencesOf(
  prepared: readonly Prepared[],
  { store }: Pick<AdminContext, "store">,
): Promise<Difference[]> {
  const names = new Map(prepared.map(({ record }) => [`${record.table} ${record.id}`, record.name]));

  async function called(table: TableName, id: string): Promise<string> {
    const key = `${table} ${id}`;
    const name = names.get(key) ?? (await nameOfId(store, table, id)) ?? id;
    names.set(key, name);
    return name;
  }

  async function fieldsOf({
    table,
    current,
    values,
    part,
  }: PreparedRow): Promise<[string, { before: unknown; after: unknown }][]> {
    const before = current === undefined ? {} : publicView(table, current as never);
    const after = publicView(table, { ...current, ...values } as never);
    const fields: [string, { before: unknown; after: unknown }][] = [];
    for (const name of Object.keys(after)) {
      const reference = referenceIn(table, name);
      // A nested row's path already names the record that contains it, so its reference to the record is not
      // shown.
      const isSilent = unspoken.includes(name) || (part !== undefined && reference !== undefined);
      if (isSilent || !Object.hasOwn(values, name)) continue;
      const shown = async (value: unknown): Promise<unknown> => {
        if (reference === undefined) return value ?? null;
        if (Array.isArray(value)) return Promise.all(value.map(shown));
        return typeof value === "string" ? called(reference.to, value) : (value ?? null);
      };
      const change = { before: await shown(before[name]), after: await shown(after[name]) };
      if (current === undefined && change.after === null) continue;
      fields.push([part === undefined ? memberOf(table, name) : `${part}.${name}`, change]);
    }
    return fields;
  }

  const differences: Difference[] = [];
  for (const each of prepared) {
    if (each.state === "unchanged") continue;
    const fields: [string, { before: unknown; after: unknown }][] = [];
    for (const row of each.rows) {
      if (row.unshown !== true) fields.push(...(await fieldsOf(row)));
    }
    differences.push({
      change: each.state === "created" ? "create" : "update",
      record: each.record.label,
      fields: Object.fromEntries(fields),
      hidden: each.hidden,
    });
  }
  return differences;
}
