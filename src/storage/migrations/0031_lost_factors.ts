import type { Kind } from "../../records/definition/field.ts";

/**
 * `factors_reset_at` is null once the user has proved control of the mailbox
 * (docs/decisions/account-recovery.md).
 */
export const lostFactors = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN factors_reset_at ${t.time};
`;
