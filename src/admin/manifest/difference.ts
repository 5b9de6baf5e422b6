/** What applying a manifest would change, field by field, as people may see it. */
import type { TableName } from "../../records/definition.ts";
import { publicView } from "../../records/view.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Prepared, PreparedRow } from "./prepare.ts";

export interface Difference {
  readonly change: "create" | "update" | "remove";
  /** Kind and name of the record, such as `app web-app`. */
  readonly record: string;
  /**
   * By the member's name in the manifest; members of a part of it are below the part, such as
   * `key_pairs[one].active`.
   */
  readonly fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  /** Members that change and hold secrets, which are never shown. */
  readonly hidden: readonly string[];
}

/** Columns that are no member of a manifest. */
const unspoken = ["id", "created_at", "updated_at", "app_id", "service_account_id"];

/** The differences of records that change, in the order in which they are written. */
export async function differencesOf(
  prepared: readonly Prepared[],
  { store }: Pick<AdminContext, "store">,
): Promise<Difference[]> {
  const names = new Map(prepared.map(({ record }) => [`${record.table} ${record.id}`, record.name]));

  /** What people call the record of this id. */
  async function called(table: "users" | "organizations" | "oauth_apps", id: string): Promise<string> {
    const key = `${table} ${id}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const row: { slug?: string; email?: string; client_id?: string } | undefined = await store.find(table, {
      id,
    });
    const name = row?.slug ?? row?.email ?? row?.client_id ?? id;
    names.set(key, name);
    return name;
  }

  async function fieldsOf(
    { record }: Prepared,
    row: PreparedRow,
  ): Promise<[string, { before: unknown; after: unknown }][]> {
    const before = row.current === undefined ? {} : publicView(row.table as TableName, row.current as never);
    const after = publicView(row.table as TableName, { ...row.current, ...row.values } as never);
    const fields: [string, { before: unknown; after: unknown }][] = [];
    for (const name of Object.keys(after)) {
      const isSilent = unspoken.includes(name) && !(name in record.referring);
      if (isSilent || !Object.hasOwn(row.values, name)) continue;
      const reference = row.part === undefined ? record.referring[name] : undefined;
      const shown = async (value: unknown) =>
        typeof value === "string" && reference !== undefined ? called(reference.to, value) : (value ?? null);
      const change = { before: await shown(before[name]), after: await shown(after[name]) };
      if (row.current === undefined && change.after === null) continue;
      fields.push([row.part === undefined ? (reference?.name ?? name) : `${row.part}.${name}`, change]);
    }
    return fields;
  }

  const differences: Difference[] = [];
  for (const each of prepared) {
    if (each.state === "unchanged") continue;
    const { kind, name } = each.record;
    const fields: [string, { before: unknown; after: unknown }][] = [];
    for (const row of each.rows) {
      // A new secret shows nothing that would tell it from another.
      if (row.table === "oauth_app_secrets" && row.current === undefined) continue;
      fields.push(...(await fieldsOf(each, row)));
    }
    differences.push({
      change: each.state === "created" ? "create" : "update",
      record: `${kind} ${name}`,
      fields: Object.fromEntries(fields),
      hidden: each.hidden,
    });
  }
  return differences;
}
