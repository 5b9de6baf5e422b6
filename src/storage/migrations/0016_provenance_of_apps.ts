import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the origin of an app. A self-registered app must not act without a user's consent. The database
 * itself refuses values that would allow it, in addition to the rules of `records/rules/open_clients.ts`.
 */
export const provenanceOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN provenance ${t.string} NOT NULL DEFAULT 'registered' CHECK (
  provenance = 'registered' OR (
    NOT first_party AND organization_id IS NULL AND metadata IS NULL
  )
);
`;
