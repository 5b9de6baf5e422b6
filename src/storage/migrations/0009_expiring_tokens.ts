/**
 * The sweep finds tokens that have expired without meeting those that live. Tokens with a refresh half, which
 * live for days, are left to its walk: an entry for each of them would cost more than the walk does.
 */
export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
