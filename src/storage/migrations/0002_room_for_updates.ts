import type { Dialect } from "../database/dialect.ts";

/**
 * With a lower fill factor, PostgreSQL can keep an updated token on its page without new index entries (a HOT
 * update).
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
