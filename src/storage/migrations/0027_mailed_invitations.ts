import type { Kind } from "../../records/definition/field.ts";

/**
 * Accepting an invitation that was only sent by email proves control of the mailbox. For existing
 * invitations, the inviting user may have seen the link.
 */
export const mailedInvitations = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE invitations ADD COLUMN mailed ${t.bool} NOT NULL DEFAULT FALSE;
`;
