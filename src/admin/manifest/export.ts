import { setImmediate as giveWay } from "node:timers/promises";
import type { TableName } from "../../records/definition/definition.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import { publicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow, configuredValues } from "../../records/rules/attributes.ts";
import type { AdminContext } from "../access/actor.ts";
import { nounOf } from "../access/errors.ts";
import type { Values } from "../manage/planned_record.ts";
import { type Exporting, fitting } from "./fitting.ts";
import { columnsOf, pick, referencesOf } from "./members/entry.ts";
import { isNamedWithin, roleName } from "./members/role_names.ts";
import { type Section, sections } from "./sections.ts";

type ExportedManifest = Record<string, Record<string, unknown>[]>;

/** The export lets other requests run after each page, because reads from SQLite block the process. */
const pageSize = 100;

/**
 * Returns a manifest of the configuration. Applied to an empty server, it creates the same records with the
 * same ids. Leaves out passwords, secrets, API key texts, provider tokens and signing keys.
 */
export async function exportManifest(context: Exporting): Promise<ExportedManifest> {
  const { store, warn } = context;
  const fittingOf = fitting(context);
  const names: Record<string, Map<unknown, unknown>> = {};
  const manifest: ExportedManifest = {};
  const left = new Set<unknown>();
  /** The organizations of APIs and roles; null if they belong to the server. */
  const owners = new Map<unknown, unknown>();
  const definitions = await store.list("attribute_definitions");
  for (const section of sections) {
    const { resourceType, table, manifest: rules } = section;
    const known = new Map<unknown, unknown>();
    names[table] = known;
    const references = [...referencesOf(table).values()];
    const exported: Record<string, unknown>[] = [];
    for await (const stored of everyRow(store, table)) {
      const hangsOnLeft = references.some(({ column }) => left.has(stored[column]));
      const isLeft = hangsOnLeft || rules.isExported?.(stored as never) === false;
      const row = isLeft ? undefined : await fittingOf(table, configured(table, stored));
      if (row === undefined) {
        left.add(stored.id);
        continue;
      }
      owners.set(row.id, row.organization_id ?? owners.get(row.resource_id) ?? null);
      const api = names.resources?.get(row.resource_id);
      known.set(row.id, isNamedWithin(table) ? roleName(table, row, api) : row[nameColumnOf(table) ?? "id"]);
      const entry = entryOf(section, row, names);
      for (const {
        names: [name = ""],
        exported: exportedOf,
      } of rules.members ?? []) {
        const value = await exportedOf?.(store, row);
        if (value !== undefined) entry[name] = value;
      }
      exported.push(entry);
      if (table === "providers" && stored.client_secret !== "")
        warn?.(
          `${nounOf(table)} ${row.slug}/client_secret: left out; set it where you apply the manifest, so that users can sign in through the provider`,
        );
    }
    if (exported.length > 0) manifest[resourceType] = exported;
  }
  return manifest;

  function configured(table: TableName, row: Values): Values {
    const changes: Record<string, unknown> = {};
    for (const { column, to, is_list } of referencesOf(table).values()) {
      const ids = row[column];
      if (!is_list || !Array.isArray(ids)) continue;
      changes[column] = ids.filter((id, index) => {
        if (!names[to]?.has(id)) return false;
        const isFitting = !isNamedWithin(to) || [null, row.organization_id].includes(owners.get(id));
        if (!isFitting)
          warn?.(
            `${nounOf(table)} ${row.id}/${column}/${index}: left out, because a new record could not have it`,
          );
        return isFitting;
      });
    }
    if (isObject(row.attributes)) {
      const values = configuredValues(row.attributes, attributesOfRow(table, row, definitions));
      changes.attributes = Object.keys(values).length > 0 ? values : null;
    }
    return { ...row, ...changes };
  }
}

async function* everyRow(store: AdminContext["store"], table: TableName): AsyncGenerator<Values> {
  let after: unknown;
  for (;;) {
    const rows = (await store.list(table, {}, { limit: pageSize, after })) as Values[];
    yield* rows;
    await giveWay();
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
    if (is_list && Array.isArray(id)) entry[name] = id.map(nameOf);
    else if (id !== null) entry[name] = nameOf(id);
  }
  return entry;
}
