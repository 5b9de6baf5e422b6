import type { Dialect } from "../database/dialect.ts";

/**
 * Leaves a tenth of each page of the tokens free on PostgreSQL. An updated row then stays on its page, and no
 * index changes. Tokens change only when they are used, redeemed or revoked.
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
