/**
 * How records without names are searched: through the records that they refer to, and by comparing columns
 * row by row. Records with names have indexed words instead (fields marked `searchable`).
 */
import type { ColumnOf, TableName } from "./definition.ts";

export interface SearchedColumns<Column extends string = string> {
  readonly named_by: { readonly [C in Column]?: TableName };
  /**
   * Columns that are searched for the search text itself if no record of the tables in `named_by` has it as
   * its name.
   */
  readonly texts: readonly Column[];
}

type OfTables = { readonly [T in TableName]?: SearchedColumns<ColumnOf<T>> };

const searchedColumns = {
  memberships: { named_by: { user_id: "users", organization_id: "organizations" }, texts: ["role"] },
  group_members: { named_by: { user_id: "users", group_id: "groups" }, texts: [] },
  oauth_accounts: { named_by: { user_id: "users" }, texts: ["provider", "provider_user_id"] },
  oauth_app_secrets: { named_by: { app_id: "oauth_apps" }, texts: ["secret_prefix"] },
  oauth_tokens: {
    named_by: { user_id: "users", app_id: "oauth_apps", service_account_id: "service_accounts" },
    texts: ["client_ip"],
  },
  oauth_auth_codes: { named_by: { user_id: "users", app_id: "oauth_apps" }, texts: ["client_ip"] },
  oauth_consents: { named_by: { user_id: "users", app_id: "oauth_apps" }, texts: [] },
  sessions: { named_by: { user_id: "users" }, texts: ["client_ip", "user_agent"] },
  service_account_key_pairs: { named_by: { service_account_id: "service_accounts" }, texts: ["key_id"] },
  signing_keys: { named_by: {}, texts: ["kid", "algorithm"] },
  audit_events: {
    named_by: { actor_id: "users", target_id: "users" },
    texts: ["type", "client_ip", "request_id"],
  },
  webhook_endpoints: { named_by: { organization_id: "organizations" }, texts: ["url", "description"] },
  events: { named_by: { subject_id: "users" }, texts: ["type"] },
  attribute_definitions: { named_by: {}, texts: ["name", "label", "claim"] },
  deliveries: { named_by: { target_id: "oauth_apps" }, texts: ["subject_key", "last_fault"] },
  refusals: {
    named_by: { app_id: "oauth_apps", user_id: "users" },
    texts: ["short_id", "endpoint", "error", "client_ip", "request_id"],
  },
} as const satisfies OfTables;

/** Returns how this table is searched; undefined if its records have indexed words or cannot be searched. */
export function searchedColumnsOf(table: TableName): SearchedColumns | undefined {
  return (searchedColumns as OfTables)[table];
}
