/** Which index finds the rows of each table by which column, and in which order. */
import type { TableName } from "../../records/definition.ts";

/**
 * The columns by which a table is found in the order of ids, the most telling first; `few` have an index of
 * their own.
 */
export interface Indexes {
  readonly few?: readonly string[];
  /** An index finds them, not in the order of ids: used where it finds few. */
  readonly counted?: string;
  readonly ordered?: readonly string[];
  /** Two columns that an index finds together, not in the order of ids: used where they find few. */
  readonly pair?: readonly [string, string];
  /** Columns that do not say whose a row is, though most of their rows are the same people's. */
  readonly probed?: readonly string[];
  /** Worth using only where nothing tells more. */
  readonly wide?: readonly string[];
}

export const indexes: Readonly<Record<TableName, Indexes>> = {
  users: { few: ["email", "email_key"], wide: ["active"] },
  organizations: { few: ["slug"] },
  memberships: { ordered: ["user_id", "organization_id"], pair: ["user_id", "organization_id"] },
  oauth_accounts: { ordered: ["user_id"] },
  api_keys: { few: ["key_hash"], ordered: ["user_id", "organization_id"] },
  oauth_apps: { few: ["client_id"], ordered: ["owner_id", "organization_id"] },
  oauth_app_secrets: { ordered: ["app_id"] },
  oauth_tokens: {
    few: ["access_token_signature", "session_id"],
    // Every index in the order of ids costs each token that is issued 50 bytes on disk; one user has few of
    // them.
    counted: "user_id",
    ordered: ["service_account_id", "app_id"],
    pair: ["user_id", "app_id"],
  },
  oauth_auth_codes: { few: ["code_signature"], ordered: ["user_id", "app_id"] },
  oauth_consents: { ordered: ["user_id", "app_id"], pair: ["user_id", "app_id"] },
  service_accounts: { few: ["email", "email_key"], ordered: ["organization_id", "created_by"] },
  service_account_key_pairs: { ordered: ["service_account_id"] },
  sessions: { ordered: ["user_id"] },
  signing_keys: { few: ["kid"] },
  audit_events: {
    ordered: ["target_id", "actor_id", "organization_id"],
    probed: ["target_id", "actor_id"],
    wide: ["type"],
  },
  refusals: { few: ["short_id"], ordered: ["app_id"], wide: ["error"] },
  invitations: {},
  statistics: {},
  ephemera: {},
  manifest_records: {},
};

/** Whether an index finds the rows of one value of this column in the order of their ids. */
export function isInOrder(table: TableName, column: string): boolean {
  return indexes[table].ordered?.includes(column) === true;
}
