import type { Kind } from "../../records/definition/field.ts";

/** By which algorithm a key signs; those there are sign by RS256. */
export const signingAlgorithmOfKeys = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE signing_keys ADD COLUMN algorithm ${t.string} NOT NULL DEFAULT 'RS256';
`;
