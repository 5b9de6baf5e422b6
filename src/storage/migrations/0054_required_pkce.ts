import type { Kind } from "../../records/definition/field.ts";

export const requiredPkce = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN require_pkce ${t.bool} NOT NULL DEFAULT FALSE;
`;
