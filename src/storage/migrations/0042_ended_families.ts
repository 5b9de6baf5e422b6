/**
 * Adds an index that finds a row with both tokens once the access token and the refresh token have expired,
 * and an index that finds the newest token of a family first. For each expired token, the sweep must know
 * whether another token of its family is active. Only the sweep uses the first index, because no other query
 * contains its condition. If the condition were `refresh_expires_at IS NOT NULL`, PostgreSQL would look up a
 * refresh token by reading the whole index as long as its statistics do not include any refresh tokens.
 */
const bothExpireAt =
  "(CASE WHEN access_expires_at > refresh_expires_at THEN access_expires_at ELSE refresh_expires_at END)";

export const endedFamilies = (): string => `
CREATE INDEX oauth_tokens_both_expire_at ON oauth_tokens (${bothExpireAt}) WHERE ${bothExpireAt} IS NOT NULL;
DROP INDEX oauth_tokens_family_id;
CREATE INDEX oauth_tokens_family_id ON oauth_tokens (family_id, id) WHERE user_id IS NOT NULL;
`;
