import type { Kind } from "../../records/definition/field.ts";

export const providedAttributes = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE providers ADD COLUMN attribute_claims ${t.json};
`;
