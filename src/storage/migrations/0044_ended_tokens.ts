import type { Dialect } from "../database/dialect.ts";

/**
 * Tokens of an ended record are marked and removed in the order of an index, each batch after the last one;
 * pending marks are found like other waiting work. On PostgreSQL an index with the id in it would take 60
 * bytes of each token, because it holds equal keys once.
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
