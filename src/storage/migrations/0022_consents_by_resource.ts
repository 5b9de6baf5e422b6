import type { Kind } from "../../records/definition/field.ts";

/** What was allowed before counts for every API, as it did. */
export const consentsByResource = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_consents ADD COLUMN scopes_by_resource ${t.json};
`;
