import type { Kind } from "../../records/definition/field.ts";

/** The algorithm with which a key signs; existing keys use RS256. */
export const signingAlgorithmOfKeys = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE signing_keys ADD COLUMN algorithm ${t.string} NOT NULL DEFAULT 'RS256';
`;
