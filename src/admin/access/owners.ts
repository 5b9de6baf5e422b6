import type { TableName } from "../../records/definition/definition.ts";
import {
  type Owner,
  ownerOnRow,
  ownershipOf,
  referencedBy,
  unowned,
} from "../../records/definition/ownership.ts";
import { isUuid } from "../../records/formats/check.ts";
import { nilUuid } from "../../records/names/ids.ts";
import type { OwnershipRules } from "../../storage/database/ownership.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { Input } from "./errors.ts";

/**
 * Represents the owner of a record that does not exist. Only platform administrators have permissions for
 * this owner's records.
 */
export const unknownOwner: Owner = { organization_ids: [nilUuid], user_id: null };

/**
 * Returns the owner of a record that is about to be created. Returns "undetermined" if the draft lacks a
 * valid id of the record that determines the owner.
 */
export async function ownerOfNew(
  store: OwnershipRules,
  table: TableName,
  draft: Input,
): Promise<Owner | "undetermined"> {
  const { user, organization, added_to } = ownershipOf(table);
  const column = added_to.find((each) => each === "platform" || draft[each] != null) ?? added_to.at(-1);
  if (column === undefined || column === "platform") return unowned;
  const input = draft[column];
  if (!isUuid(input)) return "undetermined";
  const id = input.toLowerCase();
  if (column === organization) return { organization_ids: [id], user_id: null };
  if (column === user?.column) return { organization_ids: [], user_id: id };
  return (await store.ownerOf(referencedBy(table, column), id)) ?? unknownOwner;
}

/**
 * Returns the owner of a row. It combines the owners of the row itself and of the records to which the
 * columns `through` refer.
 */
export async function ownerOfRow(reads: Pick<Verbs, "find">, table: TableName, row: object): Promise<Owner> {
  const columns = row as Readonly<Record<string, unknown>>;
  let { organization_ids, user_id } = ownerOnRow(table, columns);
  for (const column of ownershipOf(table).through ?? []) {
    const id = columns[column];
    if (typeof id !== "string") continue;
    const parent = referencedBy(table, column);
    const found = await reads.find(parent, { id } as never);
    const owner = found === undefined ? unowned : ownerOnRow(parent, found as never);
    organization_ids = [...new Set([...organization_ids, ...owner.organization_ids])];
    user_id ??= owner.user_id;
  }
  return { organization_ids, user_id };
}

/**
 * Returns the id of the first organization whose administrators may read the audit events of this row; null
 * if there is none.
 */
export async function organizationIdOf(
  reads: Pick<Verbs, "find">,
  table: TableName,
  row: object,
): Promise<string | null> {
  return (await ownerOfRow(reads, table, row)).organization_ids[0] ?? null;
}
