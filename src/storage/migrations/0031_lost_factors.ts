import type { Kind } from "../../records/definition/field.ts";

/**
 * The first migration during which processes of the previous version may keep running (docs/operations/upgrading.md).
 */
export const lostFactors = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN factors_reset_at ${t.time};
`;
