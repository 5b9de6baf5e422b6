/**
 * Lets the sweep find expired tokens without reading active ones. Rows that also hold a refresh token live
 * for days and are not in this index. The sweep finds them by walking through the table, which costs less
 * than an index entry for each of them.
 */
export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
