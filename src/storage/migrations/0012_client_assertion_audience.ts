import type { Kind } from "../../records/definition/field.ts";

export const clientAssertionAudience = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN client_assertion_audience ${t.string} NOT NULL DEFAULT 'issuer';
`;
