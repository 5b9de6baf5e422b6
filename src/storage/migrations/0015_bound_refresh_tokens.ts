import type { Kind } from "../../records/definition/field.ts";

/**
 * Stores whether a confidential app's refresh tokens stay bound to the key of the first proof (RFC 9449 5).
 */
export const boundRefreshTokens = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN dpop_bound_refresh_tokens ${t.bool} NOT NULL DEFAULT FALSE;
`;
