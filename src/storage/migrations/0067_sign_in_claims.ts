import type { Kind } from "../../records/definition/field.ts";

/** Existing APIs request no claims about the sign-in. */
export const signInClaims = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE resources ADD COLUMN sign_in_claims ${t.bool} NOT NULL DEFAULT FALSE;
`;
