/** The rows that belong to a user, for the export of the user's data (SS-11). */
import type { TableName } from "./definition.ts";
import { ownershipOf } from "./ownership.ts";

/** The column with the user's id, and the condition under which a row belongs to the user. */
export interface OwnRows {
  readonly column: string;
  readonly where: Readonly<Record<string, string | null>>;
}

/** Tables with rows of a user that are not marked as owned by the user. */
const besides: { readonly [T in TableName]?: OwnRows } = {
  users: { column: "id", where: {} },
  audit_events: { column: "actor_id", where: { actor_kind: "user" } },
  refusals: { column: "user_id", where: {} },
};

/** Tables that refer to a user but belong to another owner, each with the reason for excluding it. */
export const notOwn: { readonly [T in TableName]?: string } = {
  invitations: "belongs to the organization, and contains the address of another person",
  service_accounts: "belongs to the organization; the person created it",
};

/** Returns which rows of this table belong to a user; undefined if none do. */
export function ownRowsOf(table: TableName): OwnRows | undefined {
  const { user } = ownershipOf(table);
  if (besides[table] !== undefined) return besides[table];
  if (user === undefined || notOwn[table] !== undefined) return undefined;
  return { column: user.column, where: (user.where ?? {}) as OwnRows["where"] };
}
