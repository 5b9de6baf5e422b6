/** The owner of each row, as the definition of its table declares (H-22). */
import { fieldsOf, type TableName, tables } from "./definition.ts";
import type { Ownership } from "./table.ts";

export interface Owner {
  readonly organization_ids: readonly string[];
  readonly user_id: string | null;
}

/** The owner of the server's own records, which only platform administrators may access. */
export const unowned: Owner = { organization_ids: [], user_id: null };

export function ownershipOf(table: TableName): Ownership {
  return tables[table].owner;
}

/** Returns the table that a column refers to; throws if it refers to none. */
export function referencedBy(table: TableName, column: string): TableName {
  const { references } = fieldsOf(table)[column] ?? {};
  if (references === undefined) throw new TypeError(`${table}.${column} refers to no record`);
  return references.table as TableName;
}

/** Returns the owner that the row itself names; the owners of the records that it refers to are not read. */
export function ownerOnRow(table: TableName, row: Readonly<Record<string, unknown>>): Owner {
  const { user, organization } = ownershipOf(table);
  const idIn = (column: string | undefined) => (column === undefined ? null : (row[column] ?? null));
  const counts = Object.entries(user?.where ?? {}).every(([name, value]) => (row[name] ?? null) === value);
  const organization_id = idIn(organization) as string | null;
  return {
    organization_ids: organization_id === null ? [] : [organization_id],
    user_id: counts ? (idIn(user?.column) as string | null) : null,
  };
}

/** Returns whether organizations can own or read rows of the table. */
export function belongsToOrganizations(table: TableName): boolean {
  const { organization, through, readers } = ownershipOf(table);
  return organization !== undefined || through !== undefined || readers !== undefined;
}

export function sharesOwner(one: Owner, other: Owner): boolean {
  if (one.user_id !== null && one.user_id === other.user_id) return true;
  return one.organization_ids.some((id) => other.organization_ids.includes(id));
}
