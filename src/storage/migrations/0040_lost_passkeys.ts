import type { Kind } from "../../records/definition/field.ts";

/** A recovery may be of lost passkeys alone (docs/decisions/account-recovery.md). */
export const lostPasskeys = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE recoveries ADD COLUMN passkeys_only ${t.bool} NOT NULL DEFAULT FALSE;
`;
