import type { Kind } from "../../records/definition/field.ts";

/** Nobody knows how the invitations of before were handed over: they prove no mailbox. */
export const mailedInvitations = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE invitations ADD COLUMN mailed ${t.bool} NOT NULL DEFAULT FALSE;
`;
