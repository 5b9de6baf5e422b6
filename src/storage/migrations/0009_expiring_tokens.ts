export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
