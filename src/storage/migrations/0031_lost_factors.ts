import type { Kind } from "../../records/definition/field.ts";

/**
 * Whose second factors an administrator took, until the user has proved the mailbox
 * (docs/decisions/account-recovery.md).
 */
export const lostFactors = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN factors_reset_at ${t.time};
`;
