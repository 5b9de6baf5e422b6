/**
 * Lets the sweep find expired tokens without reading active ones. Rows that also hold a refresh token live
 * for days and are not in this index. Migration 42 adds an index for them.
 */
export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
