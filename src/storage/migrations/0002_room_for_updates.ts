import type { Dialect } from "../database/dialect.ts";

/**
 * Leaves a tenth of each page of the tokens free on PostgreSQL. An updated row then stays on its page, and no
 * index changes.
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
