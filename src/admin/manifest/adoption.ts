/** Decides which existing records an entry of a manifest may change without naming their ids (H-66). */
import { type Reason, reason } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { nilUuid } from "../../records/names/ids.ts";
import type { ManagementStore } from "../access/actor.ts";
import { type Input, nounOf } from "../access/errors.ts";
import type { Values } from "../manage/planned_record.ts";
import { isFixedName, type Meant } from "./meaning.ts";

/** An entry's table, its identifying values, and the record that its name meant in the last manifest. */
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
 * Returns the error if an entry may not change the existing record that has its name. A user could create a
 * record with a name from the file in advance, and get the permissions that the file grants. The entry must
 * therefore contain the record's id, or the name must have meant this record in the last manifest (H-66).
 * This applies to `keepers` and to records of another organization than the entry names, but not to records
 * of the server. If the name meant another record before, returns an error for every table. `known` is that
 * other record; undefined if it was deleted or has its own entry.
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
 * Returns whether the entry's name meant this record when a manifest was last applied. Without a remembered
 * name, returns whether a manifest created the record and users cannot rename it.
 */
export async function isKnownAs(
  { table, where, was }: NamedEntry,
  { id }: Values,
  store: Pick<ManagementStore, "isApplied">,
): Promise<boolean> {
  if (was !== undefined) return was.id === id;
  return isFixedName(table, where) && store.isApplied(table, String(id));
}
