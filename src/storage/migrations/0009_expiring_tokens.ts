/**
 * Lets the sweep find expired tokens without reading active ones. Tokens with a refresh half live for days.
 * They are not in the index: the sweep's walk finds them, and an index entry for each would cost more than
 * the walk.
 */
export const expiringTokens = (): string => `
CREATE INDEX oauth_tokens_access_expires_at ON oauth_tokens (access_expires_at) WHERE refresh_expires_at IS NULL;
`;
