/** The condition of the first index occurs only in the sweep, so that other queries do not use the index. */
const bothExpireAt =
  "(CASE WHEN access_expires_at > refresh_expires_at THEN access_expires_at ELSE refresh_expires_at END)";

export const endedFamilies = (): string => `
CREATE INDEX oauth_tokens_both_expire_at ON oauth_tokens (${bothExpireAt}) WHERE ${bothExpireAt} IS NOT NULL;
DROP INDEX oauth_tokens_family_id;
CREATE INDEX oauth_tokens_family_id ON oauth_tokens (family_id, id) WHERE user_id IS NOT NULL;
`;
