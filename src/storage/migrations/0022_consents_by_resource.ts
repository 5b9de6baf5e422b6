import type { Kind } from "../../records/definition/field.ts";

/** In existing consents, `scopes_by_resource` is null, so they still apply to every API. */
export const consentsByResource = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_consents ADD COLUMN scopes_by_resource ${t.json};
`;
