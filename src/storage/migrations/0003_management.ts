import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

/** Words are compared by bytes (`search_words.ts`), for which PostgreSQL needs an explicit collation. */
const byBytes = (database: Dialect["name"]) => (database === "postgres" ? ' COLLATE "C"' : "");

/** The searchable tables at the time of this migration. */
export const searchedTables = [
  "users",
  "organizations",
  "oauth_apps",
  "service_accounts",
  "api_keys",
] as const;

/** Deleting a record deletes its words. */
export const wordTable = (
  table: string,
  t: Readonly<Record<Kind, string>>,
  database: Dialect["name"],
): string => `
CREATE TABLE ${table}_words (
  word ${t.string}${byBytes(database)} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES ${table} (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX ${table}_words_record_id ON ${table}_words (record_id, word);
`;

/** The index of users' tokens is not in the order of IDs, because that would slow down issuing tokens. */
export const management = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
DROP INDEX memberships_organization_id;
CREATE INDEX memberships_organization_id ON memberships (organization_id, id);
CREATE INDEX memberships_users_of_organization ON memberships (organization_id, user_id);
CREATE INDEX memberships_user_id ON memberships (user_id, id);
DROP INDEX oauth_accounts_user_id;
CREATE INDEX oauth_accounts_user_id ON oauth_accounts (user_id, id);
DROP INDEX api_keys_user_id;
CREATE INDEX api_keys_user_id ON api_keys (user_id, id);
DROP INDEX api_keys_organization_id;
CREATE INDEX api_keys_organization_id ON api_keys (organization_id, id);
DROP INDEX oauth_apps_owner_id;
CREATE INDEX oauth_apps_owner_id ON oauth_apps (owner_id, id);
DROP INDEX oauth_apps_organization_id;
CREATE INDEX oauth_apps_organization_id ON oauth_apps (organization_id, id);
DROP INDEX oauth_app_secrets_app_id;
CREATE INDEX oauth_app_secrets_app_id ON oauth_app_secrets (app_id, id);
DROP INDEX service_accounts_organization_id;
CREATE INDEX service_accounts_organization_id ON service_accounts (organization_id, id);
DROP INDEX service_accounts_created_by;
CREATE INDEX service_accounts_created_by ON service_accounts (created_by, id);
CREATE INDEX service_account_key_pairs_service_account_id ON service_account_key_pairs (service_account_id, id);
DROP INDEX sessions_user_id;
CREATE INDEX sessions_user_id ON sessions (user_id, id);
DROP INDEX oauth_tokens_app_id;
CREATE INDEX oauth_tokens_app_id ON oauth_tokens (app_id, id);
DROP INDEX oauth_tokens_service_account_id;
CREATE INDEX oauth_tokens_service_account_id ON oauth_tokens (service_account_id, id) WHERE service_account_id IS NOT NULL;
CREATE INDEX oauth_consents_user_id ON oauth_consents (user_id, id);
DROP INDEX oauth_consents_app_id;
CREATE INDEX oauth_consents_app_id ON oauth_consents (app_id, id);
CREATE INDEX users_active ON users (active, id);
CREATE INDEX users_administrators ON users (active, id) WHERE is_platform_admin = true;

ALTER TABLE audit_events ADD COLUMN organization_id ${t.uuid};
CREATE INDEX audit_events_organization_id ON audit_events (organization_id, id) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_events_actor_id ON audit_events (actor_id, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_events_target_id ON audit_events (target_id, id) WHERE target_id IS NOT NULL;
CREATE INDEX audit_events_type ON audit_events (type, id);
CREATE INDEX audit_events_created_at ON audit_events (created_at);

CREATE TABLE manifest_records (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  table_name ${t.string} NOT NULL,
  record_id ${t.uuid} NOT NULL,
  created_at ${t.time} NOT NULL,
  CONSTRAINT manifest_records_table_name__record_id_key UNIQUE (table_name, record_id)
);
${searchedTables.map((table) => wordTable(table, t, database)).join("")}`;
