/**
 * Tokens of an ended record are marked and removed in the order of an index, each batch behind the last one;
 * what waits to be marked is found as other waiting work is.
 */
export const endedTokens = (): string => `
DROP INDEX oauth_tokens_user_id;
CREATE INDEX oauth_tokens_user_id ON oauth_tokens (user_id, app_id, id) WHERE user_id IS NOT NULL;
DROP INDEX ephemera_waiting;
CREATE INDEX ephemera_waiting ON ephemera (kind, id) WHERE kind = 'mail' OR kind = 'upstream_revocation' OR kind = 'ended';
`;
