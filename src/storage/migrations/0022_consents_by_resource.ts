import type { Kind } from "../../records/definition/field.ts";

/** Existing consents apply to every API, as before. */
export const consentsByResource = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_consents ADD COLUMN scopes_by_resource ${t.json};
`;
