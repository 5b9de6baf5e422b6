import type { Dialect } from "../database/dialect.ts";

/** The tables with words when this migration was written. */
const searched = [
  "users",
  "organizations",
  "api_keys",
  "oauth_apps",
  "service_accounts",
  "resources",
  "providers",
] as const;

/**
 * An index of the apps that are a person's own and no organization's, among all that the person owns. On
 * PostgreSQL statistics of words are fine enough to tell a frequent part of a word from a rare one.
 */
export const ownApps = (database: Dialect["name"]): string =>
  [
    "CREATE INDEX oauth_apps_own ON oauth_apps (owner_id, id) WHERE organization_id IS NULL;\n",
    ...(database === "postgres"
      ? searched.map((table) => `ALTER TABLE ${table}_words ALTER COLUMN word SET STATISTICS 1000;\n`)
      : []),
  ].join("");
