import type { Kind } from "../../records/definition/field.ts";

/**
 * Stores whether an app's tokens are bound, and the key to which a token or a code is bound (RFC 9449 5.2,
 * 6, 10).
 */
export const boundTokens = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN dpop_bound_access_tokens ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE oauth_tokens ADD COLUMN cnf ${t.json};
ALTER TABLE oauth_auth_codes ADD COLUMN dpop_jkt ${t.string};
`;
