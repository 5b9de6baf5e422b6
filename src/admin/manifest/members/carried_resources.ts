import type { ApiResource } from "../../../records/definition/definition.ts";
import { resourcesInMetadata } from "../../../records/formats/metadata.ts";
import type { AdminContext } from "../../access/actor.ts";
import { kindOf } from "../../access/errors.ts";
import type { PlannedRecord, Values } from "../../manage/planned_record.ts";
import { type CarriedResource, carriedResources, type Naming } from "../../records/carried_resources.ts";
import { keyText } from "./entry.ts";

/**
 * Returns API records to create or change because apps name the APIs in their `metadata`. Also returns
 * existing records of such APIs without changes, so that pruning does not delete them.
 */
export async function resourcesOfApps(
  records: readonly PlannedRecord[],
  { store, now }: AdminContext,
): Promise<PlannedRecord[]> {
  const at = now();
  const planned = new Map<string, ApiResource>();
  const inFile = new Set<string>();
  const input = new Set<string>();
  for (const { table, name, current, values } of records) {
    if (table !== "resources") continue;
    const whole = { ...blank, ...current, ...values } as unknown as ApiResource;
    planned.set(name, whole);
    inFile.add(name);
    // If the API in the file already has `app_ids`, apps that name it in their `metadata` are not added.
    if (whole.app_ids.length > 0) input.add(name);
  }
  const carried = new Map<string, CarriedResource>();
  const stored = new Map<string, ApiResource>();

  const reads = {
    async find(_: "resources", where: { identifier?: string; identifier_key?: string | null }) {
      const fits = (resource: ApiResource) =>
        where.identifier === undefined
          ? resource.identifier_key === where.identifier_key
          : resource.identifier === where.identifier;
      return [...planned.values()].find(fits) ?? (await store.find("resources", where as never));
    },
  };

  for (const { table, current, values } of records) {
    if (table !== "oauth_apps") continue;
    const after = { resources: [], metadata: null, organization_id: null, ...current, ...values };
    const app = after as unknown as Naming;
    const options = { id: () => store.newId(at), at };
    const found = await carriedResources(reads as never, current as Naming | undefined, app, options);
    for (const each of found) {
      if (input.has(each.identifier)) continue;
      const { current: known, values: changes } = carried.get(each.identifier) ?? each;
      const whole = { ...blank, ...known, ...changes, ...each.values } as ApiResource;
      planned.set(each.identifier, whole);
      carried.set(each.identifier, { ...each, current: known, values: { ...changes, ...each.values } });
    }
    const { own, requested } = resourcesInMetadata(app.metadata);
    for (const identifier of [...own, ...requested]) {
      const row = await store.find("resources", { identifier });
      if (row !== undefined) stored.set(identifier, row);
    }
  }

  const unchanged = [...stored.values()].filter(
    ({ identifier }) => !inFile.has(identifier) && !carried.has(identifier),
  );
  return [
    ...[...carried.values()].map(({ identifier, current, values }) =>
      record(identifier, current, values as PlannedRecord["values"]),
    ),
    ...unchanged.map((row) => record(row.identifier, row, {})),
  ];
}

const blank = { app_ids: [] };

function record(
  identifier: string,
  current: ApiResource | undefined,
  values: PlannedRecord["values"],
): PlannedRecord {
  const table = "resources";
  const id = String(current?.id ?? values.id);
  const label = `${kindOf(table)} ${identifier}`;
  const key = keyText(table, { identifier });
  const revise = async (row: Values) => (values.app_ids === undefined ? {} : { app_ids: appsNow(row) });
  const revision = current === undefined ? {} : { revise };
  return { id, table, current, values, ...revision, name: identifier, key, label, path: label, members: [] };

  /** Keeps what requests have added or removed meanwhile. */
  function appsNow(row: Values): string[] {
    const [before, after, now] = [current, values, row].map((each) => (each as ApiResource).app_ids) as [
      string[],
      string[],
      string[],
    ];
    const kept = now.filter((app) => after.includes(app) || !before.includes(app));
    return [...new Set([...kept, ...after.filter((app) => !before.includes(app))])];
  }
}
