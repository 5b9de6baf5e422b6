/** Decides which existing records an entry of a manifest may change without naming their ids (H-66). */
import { type Reason, reason } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { nilUuid } from "../../records/names/ids.ts";
import type { AdminContext, ManagementStore } from "../access/actor.ts";
import { type Input, nounOf } from "../access/errors.ts";
import type { Values } from "../manage/planned_record.ts";
import { nameOfId, whereKey } from "./identity.ts";
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

interface Trust {
  readonly column: string;
  readonly member: string;
  readonly to: "oauth_apps" | "providers";
  readonly by: "id" | "slug";
  readonly gains: string;
}

/** References that give the app or provider access to what the record protects. */
const trusts: Partial<Record<TableName, Trust>> = {
  resources: {
    ...{ column: "app_ids", member: "apps", to: "oauth_apps", by: "id" },
    gains: "can now introspect tokens",
  },
  oauth_consents: {
    ...{ column: "app_id", member: "app", to: "oauth_apps", by: "id" },
    gains: "now has the user's consent",
  },
  oauth_accounts: {
    ...{ column: "provider", member: "provider", to: "providers", by: "slug" },
    gains: "can now sign the user in",
  },
};

/**
 * Warns of each app or provider that this record is about to trust although another organization created it
 * and no entry has meant it. A user could have created it under the name in the file (H-66).
 */
export async function warnOfForeign(
  { store, warn }: Pick<AdminContext, "store" | "warn">,
  {
    table,
    before,
    after,
  }: { readonly table: TableName; readonly before: Values | undefined; readonly after: Values },
  {
    hasEntry,
    meant,
  }: Pick<ReturnType<typeof meanings>, "meant"> & {
    hasEntry(table: TableName, id: string): boolean;
  },
): Promise<void> {
  const trust = trusts[table];
  if (trust === undefined) return;
  const { column, member, to, by, gains } = trust;
  const had = [before?.[column]].flat();
  for (const each of [after[column]].flat()) {
    if (typeof each !== "string" || had.includes(each)) continue;
    const row = (await store.find(to, { [by]: each } as never)) as Values | undefined;
    if (row === undefined || hasEntry(to, String(row.id))) continue;
    const { organization_id: owner } = row;
    if (owner === null || owner === after.organization_id) continue;
    const where = whereKey(to, row);
    if (await isKnownAs({ table: to, where, was: await meant(to, nameIn(to, where)) }, row, store)) continue;
    const [name] = Object.values(where ?? {});
    const organization = await nameOfId(store, "organizations", String(owner));
    warn?.(
      `/${member}: no entry has meant the ${nounOf(to)} ${name} of organization ${organization}, which ${gains}`,
    );
  }
}
