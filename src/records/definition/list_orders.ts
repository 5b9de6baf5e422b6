/**
 * The orders in which lists can be read: the values of `sort`, and their indexes
 * (`storage/migrations/0037_list_orders.ts`).
 */
import type { ColumnOf, TableName } from "./definition.ts";

export interface ListOrders<Column extends string = string> {
  /** Columns with an index that returns any number of rows in order; ids break ties. */
  readonly indexed: readonly Column[];
  /** Columns by which only lists of few rows can be sorted (`storage/listing/arrangement.ts`). */
  readonly of_few?: readonly Column[];
  /**
   * Ids are created together with `created_at` and begin with it (RFC 9562 5.7), so their order is the
   * order of creation.
   */
  readonly ids_hold_time?: true;
}

type OrdersOfTables = { readonly [T in TableName]?: ListOrders<ColumnOf<T>> };

/** The order of text ignores the case of the letters A to Z. Null counts as the earliest time. */
const listOrders = {
  users: { indexed: ["created_at", "name", "email", "last_login_at"] },
  organizations: { indexed: ["created_at", "name", "slug"] },
  memberships: { indexed: ["created_at"], of_few: ["role"] },
  roles: { indexed: ["created_at", "name"] },
  groups: { indexed: ["created_at", "display_name"] },
  group_members: { indexed: ["created_at"] },
  app_roles: { indexed: ["created_at", "name"] },
  providers: { indexed: ["created_at", "label", "slug"] },
  oauth_accounts: { indexed: ["created_at"], of_few: ["provider"] },
  api_keys: { indexed: ["created_at", "name", "last_used_at"], of_few: ["expires_at"] },
  oauth_apps: { indexed: ["created_at", "name", "client_id"] },
  oauth_app_secrets: { indexed: ["created_at"], of_few: ["last_used_at", "expires_at"] },
  // An index on the last use would be written at every use of a token.
  oauth_tokens: {
    indexed: ["created_at"],
    of_few: ["last_used_at", "access_expires_at"],
    ids_hold_time: true,
  },
  oauth_auth_codes: { indexed: ["created_at"], of_few: ["expires_at"], ids_hold_time: true },
  sessions: { indexed: ["created_at"], of_few: ["last_seen_at", "expires_at"], ids_hold_time: true },
  resources: { indexed: ["created_at", "name", "identifier"] },
  service_accounts: { indexed: ["created_at", "name", "email", "last_used_at"] },
  service_account_key_pairs: { indexed: ["created_at"], of_few: ["key_id", "last_used_at", "expires_at"] },
  oauth_consents: { indexed: ["created_at"], of_few: ["granted_at", "last_used_at"] },
  attribute_definitions: { indexed: [], of_few: ["created_at", "name"] },
  signing_keys: { indexed: [], of_few: ["created_at", "activates_at"] },
  audit_events: { indexed: ["created_at"], ids_hold_time: true },
  refusals: { indexed: ["created_at"], ids_hold_time: true },
  webhook_endpoints: { indexed: ["created_at"] },
  events: { indexed: ["created_at"], ids_hold_time: true },
  deliveries: { indexed: ["created_at"], of_few: ["due_at"], ids_hold_time: true },
} as const satisfies OrdersOfTables;

export function listOrdersOf(table: TableName): ListOrders {
  return (listOrders as OrdersOfTables)[table] ?? { indexed: [] };
}

/** Returns the columns by which lists of a table can be sorted, `created_at` first. */
export function sortableColumnsOf(table: TableName): readonly string[] {
  const { indexed, of_few = [] } = listOrdersOf(table);
  return [...indexed, ...of_few];
}

export const listDirections = ["asc", "desc"] as const;

/** Counting stops at this total, which bounds the rows that a count reads. */
export const highestTotal = 10_000;
