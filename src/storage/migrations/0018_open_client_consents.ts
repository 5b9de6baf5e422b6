import type { Kind } from "../../records/field.ts";

/**
 * Which native apps may name any port of localhost, and for which state of a client that nobody registered a
 * consent was given.
 */
export const openClientConsents = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN localhost_any_port ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE oauth_consents ADD COLUMN client_hash ${t.string};
`;
