/** Which rows are a person's own, for the file that they may have of themselves (SS-11). */
import type { TableName } from "./definition.ts";
import { ownershipOf } from "./ownership.ts";

/** The column with the person's id, and the condition under which a row is theirs. */
export interface OwnRows {
  readonly column: string;
  readonly where: Readonly<Record<string, string | null>>;
}

/** Tables with rows of a person that no mark of an owner names. */
const besides: { readonly [T in TableName]?: OwnRows } = {
  users: { column: "id", where: {} },
  audit_events: { column: "actor_id", where: { actor_kind: "user" } },
  refusals: { column: "user_id", where: {} },
};

/** Tables that refer to a person and are somebody else's, each with the reason why they are left out. */
export const notOwn: { readonly [T in TableName]?: string } = {
  invitations: "it is the organization's, and tells the address of another person",
  service_accounts: "it is the organization's; the person made it",
};

/** How a person's rows of this table are found; undefined where it has none. */
export function ownRowsOf(table: TableName): OwnRows | undefined {
  const { user } = ownershipOf(table);
  if (besides[table] !== undefined) return besides[table];
  if (user === undefined || notOwn[table] !== undefined) return undefined;
  return { column: user.column, where: (user.where ?? {}) as OwnRows["where"] };
}
