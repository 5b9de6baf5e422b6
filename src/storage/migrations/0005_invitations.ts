import type { Kind } from "../../records/definition/field.ts";

export const invitations = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE invitations (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  organization_id ${t.uuid} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email ${t.string} NOT NULL,
  role ${t.string} NOT NULL,
  invited_by ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_signature ${t.signature} NOT NULL CONSTRAINT invitations_token_signature_key UNIQUE,
  expires_at ${t.time} NOT NULL,
  created_at ${t.time} NOT NULL,
  email_key ${t.string} NOT NULL,
  CONSTRAINT invitations_organization_id__email_key_key UNIQUE (organization_id, email_key)
);
CREATE INDEX invitations_invited_by ON invitations (invited_by);
`;
