/**
 * Adds an index that finds expired access tokens without a refresh token. Migration 42 adds one for rows with
 * both tokens.
 */
export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
