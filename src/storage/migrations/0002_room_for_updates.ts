import type { Dialect } from "../database/dialect.ts";

/** On PostgreSQL, an updated token can then stay on its page without new index entries (a HOT update). */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
