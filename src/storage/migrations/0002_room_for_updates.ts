import type { Dialect } from "../database/dialect.ts";

/**
 * PostgreSQL writes a changed row anew. With room left on its page that is all it writes; without, every
 * index gets an entry more. Tokens are changed at most a few times: when they are used, spent or revoked.
 */
export const roomForUpdates = (_columnType: unknown, database: Dialect["name"]): string =>
  database === "postgres" ? "ALTER TABLE oauth_tokens SET (fillfactor = 90);\n" : "";
