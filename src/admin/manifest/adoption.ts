/** Decides which existing records an entry of a manifest may change without naming their ids (H-66). */
import { type Reason, reason } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { nilUuid } from "../../records/names/ids.ts";
import type { AdminContext, ManagementStore } from "../access/actor.ts";
import { type Input, nounOf } from "../access/errors.ts";
import type { Values } from "../manage/planned_record.ts";
import { nameOfId } from "./identity.ts";
import { isFixedName, type Meant, type meanings, nameIn } from "./meaning.ts";

/** `was` is the record that the entry's name meant in the last manifest. */
interface NamedEntry {
  readonly table: TableName;
  readonly where: Values | undefined;
  readonly was: Meant | undefined;
}

/** Records in these tables can keep the credentials or settings of the user who created them. */
const keepers: readonly TableName[] = [
  "organizations",
  "api_keys",
  "oauth_apps",
  "service_accounts",
  "providers",
  "attribute_definitions",
];

/** The id used for an unresolved reference, so that the rest of the record can still be checked. */
export const unresolved = nilUuid;

/**
 * Returns the error if an entry may not change the existing record that has its name. A user could otherwise
 * create a record with a name from the file and get the permissions that the file grants (H-66).
 */
export async function adoptionError(
  { table, where, was }: NamedEntry,
  { id: given, organization_id }: Input,
  row: Values,
  known: Values | undefined,
  store: Pick<ManagementStore, "isApplied">,
): Promise<Reason | undefined> {
  const { id, organization_id: owner = null } = row;
  // An unresolved reference has already been reported.
  if (given === id || organization_id === unresolved) return undefined;
  const record = nounOf(table);
  if (known !== undefined && known.id !== id)
    return reason("name_moved", { record, id: String(id), was: String(known.id) });
  const isOfServer = owner === null && table !== "organizations" && table !== "api_keys";
  if (isOfServer || (owner === (organization_id ?? null) && !keepers.includes(table))) return undefined;
  const isMoved = organization_id !== undefined && organization_id !== owner;
  const isKnown = !isMoved && (await isKnownAs({ table, where, was }, row, store));
  return isKnown ? undefined : reason("not_of_manifest", { record, id: String(id) });
}

/**
 * Returns whether an entry with this name meant this record when a manifest was last applied. A reference is
 * not enough, because its author may not know who created the record. Without an earlier entry, returns
 * whether a manifest created the record and users cannot rename it.
 */
export async function isKnownAs(
  { table, where, was }: NamedEntry,
  { id }: Values,
  store: Pick<ManagementStore, "isApplied">,
): Promise<boolean> {
  if (was !== undefined && (was.id !== id || was.by_entry)) return was.id === id;
  return isFixedName(table, where) && store.isApplied(table, String(id));
}

/**
 * Warns of each app that an API of the server is about to list in `app_ids` although an organization created
 * the app and no entry has meant it. A user could have created it under the client_id in the file, and could
 * then introspect the API's tokens (H-66).
 */
export async function warnOfForeignApps(
  { store, warn }: Pick<AdminContext, "store" | "warn">,
  { before, after }: { readonly before: Values | undefined; readonly after: Values },
  { hasEntry, meant }: Pick<ReturnType<typeof meanings>, "meant"> & { hasEntry(app: string): boolean },
): Promise<void> {
  const had = (before?.app_ids ?? []) as readonly string[];
  for (const id of (after.app_ids ?? []) as readonly string[]) {
    const app = had.includes(id) || hasEntry(id) ? undefined : await store.find("oauth_apps", { id });
    if (app === undefined || app.organization_id === null || app.organization_id === after.organization_id)
      continue;
    const table = "oauth_apps";
    const where = { client_id: app.client_id };
    if (await isKnownAs({ table, where, was: await meant(table, nameIn(table, where)) }, app, store))
      continue;
    const owner = await nameOfId(store, "organizations", app.organization_id);
    warn?.(
      `/apps: no entry has meant the app ${app.client_id} of organization ${owner}, which can now introspect tokens`,
    );
  }
}
