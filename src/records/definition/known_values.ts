/** The usual values of columns that accept others too, for documentation and menus. */

import { roles } from "../names/names.ts";
import type { ColumnOf, TableName } from "./definition.ts";
import { eventTypes } from "./event_types.ts";
import { permissions, tableOfResourceType } from "./permissions.ts";

type Known = { readonly [T in TableName]?: { readonly [C in ColumnOf<T>]?: readonly string[] } };

const known: Known = {
  memberships: { role: roles, permissions },
  invitations: { role: roles },
  audit_events: { type: eventTypes, target_table: Object.values(tableOfResourceType) },
};

/** Returns the usual values of the column, or of each entry of its list; undefined for other columns. */
export function knownValuesOf(table: TableName, column: string): readonly string[] | undefined {
  const columns: Readonly<Record<string, readonly string[] | undefined>> | undefined = known[table];
  return columns?.[column];
}
