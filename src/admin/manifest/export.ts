import type { TableName } from "../../records/definition/definition.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import { publicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow, configuredValues } from "../../records/rules/attributes.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Values } from "../manage/planned_record.ts";
import { columnsOf, pick, referencesOf } from "./members/entry.ts";
import { isNamedWithin, roleName } from "./members/role_names.ts";
import { type Section, sections } from "./sections.ts";

type ExportedManifest = Record<string, Record<string, unknown>[]>;

/** Bounds how long other requests wait on SQLite. */
const pageSize = 200;

/**
 * Returns a manifest of the configuration. Applied to an empty server, it creates the same records with the
 * same ids. Leaves out passwords, secrets, API key texts, provider tokens, signing keys, sessions, codes,
 * tokens and withdrawn consents. Leaves out attribute values that providers set at sign-in, and the server's
 * own apps and users. Leaves out clients that registered themselves, even if an administrator took them over.
 */
export async function exportManifest({ store }: Pick<AdminContext, "store">): Promise<ExportedManifest> {
  const names: Record<string, Map<unknown, unknown>> = {};
  const manifest: ExportedManifest = {};
  const left = new Set<unknown>();
  const definitions = await store.list("attribute_definitions");
  for (const section of sections) {
    const { resourceType, table, manifest: rules } = section;
    const known = new Map<unknown, unknown>();
    names[table] = known;
    const references = [...referencesOf(table).values()];
    const exported: Record<string, unknown>[] = [];
    for await (const row of everyRow(store, table)) {
      const hangsOnLeft = references.some(({ column }) => left.has(row[column]));
      if (hangsOnLeft || rules.isExported?.(row as never) === false) {
        left.add(row.id);
        continue;
      }
      const api = names.resources?.get(row.resource_id);
      known.set(row.id, isNamedWithin(table) ? roleName(table, row, api) : row[nameColumnOf(table) ?? "id"]);
      const entry = entryOf(section, row, names);
      if (isObject(entry.attributes)) {
        const values = configuredValues(entry.attributes, attributesOfRow(table, row, definitions));
        if (Object.keys(values).length > 0) entry.attributes = values;
        else delete entry.attributes;
      }
      for (const {
        names: [name = ""],
        exported: exportedOf,
      } of rules.members ?? []) {
        const value = await exportedOf?.(store, row);
        if (value !== undefined) entry[name] = value;
      }
      exported.push(entry);
    }
    if (exported.length > 0) manifest[resourceType] = exported;
  }
  return manifest;
}

async function* everyRow(store: AdminContext["store"], table: TableName): AsyncGenerator<Values> {
  let after: unknown;
  for (;;) {
    const rows = (await store.list(table, {}, { limit: pageSize, after })) as Values[];
    yield* rows;
    after = rows.at(-1)?.id;
    if (rows.length < pageSize) return;
  }
}

function entryOf(
  section: Section,
  row: Values,
  names: Record<string, Map<unknown, unknown>>,
): Record<string, unknown> {
  const entry = pick(publicView(section.table, row as never), columnsOf(section));
  for (const [name, { column, to, is_list }] of referencesOf(section.table)) {
    const id = row[column];
    const nameOf = (one: unknown) => names[to]?.get(one);
    if (is_list && Array.isArray(id)) entry[name] = id.map(nameOf).filter((known) => known !== undefined);
    else if (id !== null) entry[name] = nameOf(id);
  }
  return entry;
}
