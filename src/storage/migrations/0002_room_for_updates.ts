import type { Dialect } from "../database/dialect.ts";

/**
 * PostgreSQL writes a new version of a changed row. If the row's page has free space, nothing else is
 * written; otherwise every index gets another entry. A free tenth of each page is enough for tokens, because
 * they change only a few times: when they are used, redeemed or revoked.
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
