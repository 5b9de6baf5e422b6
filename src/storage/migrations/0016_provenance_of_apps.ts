import type { Kind } from "../../records/definition/field.ts";

/**
 * How an app came to be. Of those that brought themselves along the database itself refuses what would let
 * them act beyond a person's consent, beside the rules of `records/rules/open_clients.ts`.
 */
export const provenanceOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN provenance ${t.string} NOT NULL DEFAULT 'registered' CHECK (
  provenance = 'registered' OR (
    NOT first_party AND organization_id IS NULL AND metadata IS NULL
  )
);
`;
