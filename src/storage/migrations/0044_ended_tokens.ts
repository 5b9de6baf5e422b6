import type { Dialect } from "../database/dialect.ts";

/**
 * Lets the tokens of an ended record be marked as revoked, or removed, in index order, each batch after the
 * previous one. The index of pending work now includes the records whose tokens still have to be marked. On
 * PostgreSQL, the index on `user_id` and `app_id` does not include the token's id. PostgreSQL stores equal
 * keys only once, but keys that include an id are never equal, so each token would take 60 bytes.
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
