import type { TableName } from "./definition.ts";

/**
 * Tables of the records whose ids appear as `sub`: in tokens, and in introspection responses for API keys.
 */
export const tokenSubjects = [
  "users",
  "service_accounts",
  "oauth_apps",
  "organizations",
] as const satisfies readonly TableName[];

export const isSubject = (table: TableName): boolean =>
  (tokenSubjects as readonly TableName[]).includes(table);
