import type { Kind } from "../../records/definition/field.ts";

/** Whom an app's own assertions may be meant for: the issuer alone, until the app is said to need more. */
export const clientAssertionAudience = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN client_assertion_audience ${t.string} NOT NULL DEFAULT 'issuer';
`;
