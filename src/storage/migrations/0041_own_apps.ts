import type { Dialect } from "../database/dialect.ts";

/** The tables with search words at the time of this migration. */
const searched = [
  "users",
  "organizations",
  "api_keys",
  "oauth_apps",
  "service_accounts",
  "resources",
  "providers",
] as const;

/** On PostgreSQL, more detailed statistics of words distinguish frequent and rare parts of words. */
export const ownApps = (database: Dialect["name"]): string =>
  [
    "CREATE INDEX oauth_apps_own ON oauth_apps (owner_id, id) WHERE organization_id IS NULL;\n",
    ...(database === "postgres"
      ? searched.map((table) => `ALTER TABLE ${table}_words ALTER COLUMN word SET STATISTICS 1000;\n`)
      : []),
  ].join("");
