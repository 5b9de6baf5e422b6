import type { Row, TableName } from "../../records/definition.ts";
import { familyOfTable } from "../../records/permissions.ts";
import type { Place } from "../../storage/places.ts";
import { holds } from "../access.ts";
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
 * What a row that somebody writes belongs to as the transaction sees it, by the rules of `src/storage/places.ts`, to which a
 * test holds it. A user counts as their own alone, because no grant of an organization changes a user.
 */
export async function placeOfRow(tx: GuardedTransaction, table: TableName, row: Belonging): Promise<Place> {
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
 * Asks once more, on the row as it stands under its lock, whether the actor may write it: it may have moved since
 * `demand` was asked, or be another row than the one that was asked about. Throws 404 `not_found`.
 */
export async function demandStanding<T extends TableName>(
  { tx, authority }: Change,
  table: T,
  row: Row<T>,
): Promise<void> {
  const family = familyOfTable[table];
  if (family === undefined || authority.platform) return;
  const place = await placeOfRow(tx, table, row as Belonging);
  if (!holds(authority, `${family}:write`, place)) throw notFound(table, (row as { id: string }).id);
}
