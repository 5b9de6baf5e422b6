import type { Kind } from "../../records/definition/field.ts";

/**
 * Records users whose second factors an administrator removed, until they have proved their mailbox
 * (docs/decisions/account-recovery.md).
 */
export const lostFactors = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN factors_reset_at ${t.time};
`;
