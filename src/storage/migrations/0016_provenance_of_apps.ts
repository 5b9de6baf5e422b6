import type { Kind } from "../../records/definition/field.ts";

/** Apps that no administrator created are not first-party, and have neither an organization nor metadata. */
export const provenanceOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN provenance ${t.string} NOT NULL DEFAULT 'registered' CHECK (
  provenance = 'registered' OR (
    NOT first_party AND organization_id IS NULL AND metadata IS NULL
  )
);
`;
