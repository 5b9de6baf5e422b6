import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds when an administrator removed a user's second factors. The column is null after the user has proved
 * control of the mailbox (docs/decisions/account-recovery.md).
 */
export const lostFactors = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN factors_reset_at ${t.time};
`;
