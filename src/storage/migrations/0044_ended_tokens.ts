import type { Dialect } from "../database/dialect.ts";

/**
 * On PostgreSQL, the index on `user_id` and `app_id` omits the token's ID, because PostgreSQL stores equal
 * keys of an index only once.
 */
export const endedTokens = (database: Dialect["name"]): string => `
${
  database === "sqlite"
    ? `DROP INDEX oauth_tokens_user_id;
CREATE INDEX oauth_tokens_user_id ON oauth_tokens (user_id, app_id, id) WHERE user_id IS NOT NULL;`
    : ""
}
DROP INDEX ephemera_waiting;
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation' OR kind = 'ended';
`;
