import type { Kind } from "../../records/definition/field.ts";

export const signInClaims = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE resources ADD COLUMN sign_in_claims ${t.bool} NOT NULL DEFAULT FALSE;
`;
