import type { Kind } from "../../records/definition/field.ts";

export const boundRefreshTokens = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN dpop_bound_refresh_tokens ${t.bool} NOT NULL DEFAULT FALSE;
`;
