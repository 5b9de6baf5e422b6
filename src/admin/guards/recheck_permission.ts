import type { Row, TableName } from "../../records/definition.ts";
import { resourceTypeOfTable } from "../../records/permissions.ts";
import type { Owner } from "../../storage/ownership.ts";
import { hasPermission } from "../access/access.ts";
import { notFound } from "../faults.ts";
import type { Change, GuardedTransaction } from "./rules.ts";

/** Columns that say what a row belongs to, itself or by way of another row. */
interface Belonging {
  readonly id?: string;
  readonly user_id?: string | null;
  readonly organization_id?: string | null;
  readonly owner_id?: string;
  readonly app_id?: string;
  readonly service_account_id?: string | null;
}

/**
 * What a row that somebody writes belongs to as the transaction sees it, by the rules of
 * `src/storage/ownership.ts`, to which a test holds it. A user counts as their own alone, because no grant of
 * an organization changes a user.
 */
export async function ownerOfRow(tx: GuardedTransaction, table: TableName, row: Belonging): Promise<Owner> {
  if (table === "users") return { organization_ids: [], user_id: row.id ?? null };
  const { user_id = null, organization_id = (table === "organizations" && row.id) || null } = row;
  if (table === "oauth_apps") {
    return organization_id === null
      ? { organization_ids: [], user_id: row.owner_id ?? null }
      : { organization_ids: [organization_id], user_id: null };
  }
  const organization_ids = organization_id === null ? [] : [organization_id];
  let parents_user: string | null = null;
  if (row.app_id !== undefined) {
    const app = await tx.find("oauth_apps", { id: row.app_id });
    if (app?.organization_id != null) organization_ids.push(app.organization_id);
    else if (table !== "oauth_consents") parents_user = app?.owner_id ?? null;
  }
  if (row.service_account_id != null) {
    const account = await tx.find("service_accounts", { id: row.service_account_id });
    if (account !== undefined) organization_ids.push(account.organization_id);
  }
  return { organization_ids, user_id: user_id ?? parents_user };
}

/**
 * Asks once more, on the row as it stands under its lock, whether the actor may write it: it may have moved
 * since `demand` was asked, or be another row than the one that was asked about. Throws 404 `not_found`.
 */
export async function recheckPermission<T extends TableName>(
  { tx, authority }: Change,
  table: T,
  row: Row<T>,
): Promise<void> {
  const resourceType = resourceTypeOfTable[table];
  if (resourceType === undefined || authority.platform) return;
  const place = await ownerOfRow(tx, table, row as Belonging);
  if (!hasPermission(authority, `${resourceType}:write`, place))
    throw notFound(table, (row as { id: string }).id);
}
