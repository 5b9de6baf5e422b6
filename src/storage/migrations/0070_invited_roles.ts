import type { Kind } from "../../records/definition/field.ts";

export const invitedRoles = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE invitations ADD COLUMN role_ids ${t.json} NOT NULL DEFAULT '[]';
ALTER TABLE invitations ADD COLUMN app_role_ids ${t.json} NOT NULL DEFAULT '[]';
`;
