import type { Kind } from "../../records/definition/field.ts";

export const lostPasskeys = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE recoveries ADD COLUMN passkeys_only ${t.bool} NOT NULL DEFAULT FALSE;
`;
