import type { Kind } from "../../records/definition/field.ts";

/**
 * Stores whether the link of an invitation was sent only to the invited person by email and never shown to
 * the inviting user. For earlier invitations this is unknown, so accepting one does not prove control of the
 * mailbox.
 */
export const mailedInvitations = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE invitations ADD COLUMN mailed ${t.bool} NOT NULL DEFAULT FALSE;
`;
