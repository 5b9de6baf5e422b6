import type { Kind } from "../../records/definition/field.ts";

/**
 * The accepted audiences of an app's own assertions: only the issuer, unless the app is configured otherwise.
 */
export const clientAssertionAudience = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN client_assertion_audience ${t.string} NOT NULL DEFAULT 'issuer';
`;
