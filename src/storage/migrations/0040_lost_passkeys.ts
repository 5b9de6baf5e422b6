import type { Kind } from "../../records/definition/field.ts";

/** A recovery may be of lost passkeys alone (decision 79). */
export const lostPasskeys = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE recoveries ADD COLUMN passkeys_only ${t.bool} NOT NULL DEFAULT FALSE;
`;
