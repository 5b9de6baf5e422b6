import type { Row, TableName } from "../../records/definition/definition.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import { hasPermission } from "../access/access.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { notFound } from "../access/faults.ts";
import { ownerOfRow } from "../access/owners.ts";
import type { GuardedTransaction } from "./rules.ts";

/**
 * Checks the permission again on the locked row: its owner may have changed since `requirePermission`. Throws
 * 404 `not_found`.
 */
export async function recheckPermission<T extends TableName>(
  tx: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  table: T,
  row: Row<T>,
): Promise<void> {
  const resourceType = resourceTypeOfTable[table];
  if (actorPermissions.platform) return;
  const owner = await ownerOfRow(tx, table, row as object);
  if (resourceType === undefined || !hasPermission(actorPermissions, `${resourceType}:write`, owner))
    throw notFound(table, (row as { id: string }).id);
}
