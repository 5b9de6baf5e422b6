import type { Kind } from "../../records/definition/field.ts";

/** The columns that DPoP needs (RFC 9449, sections 5.2, 6 and 10). */
export const boundTokens = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN dpop_bound_access_tokens ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE oauth_tokens ADD COLUMN cnf ${t.json};
ALTER TABLE oauth_auth_codes ADD COLUMN dpop_jkt ${t.string};
`;
