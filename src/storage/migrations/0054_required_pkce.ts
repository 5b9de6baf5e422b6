import type { Kind } from "../../records/definition/field.ts";

/** Adds whether a confidential app must use PKCE. */
export const requiredPkce = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN require_pkce ${t.bool} NOT NULL DEFAULT FALSE;
`;
