import type { Dialect } from "../database/dialect.ts";

/**
 * Leaves a tenth of each page of `oauth_tokens` free on PostgreSQL. An updated row can then stay on its page
 * without new index entries (a HOT update).
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
