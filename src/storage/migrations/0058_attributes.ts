import type { Kind } from "../../records/definition/field.ts";

export const attributes = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE users ADD COLUMN attributes ${t.json};
ALTER TABLE users ADD COLUMN username_key ${t.string};
CREATE UNIQUE INDEX users_username_key_key ON users (username_key);
ALTER TABLE organizations ADD COLUMN attributes ${t.json};
ALTER TABLE memberships ADD COLUMN attributes ${t.json};
ALTER TABLE oauth_apps ADD COLUMN attributes ${t.json};
ALTER TABLE oauth_apps ADD COLUMN email_as_username ${t.bool} NOT NULL DEFAULT FALSE;
ALTER TABLE oauth_apps ADD COLUMN claims_dialect ${t.string} NOT NULL DEFAULT 'none';
CREATE INDEX oauth_apps_claims ON oauth_apps (id) WHERE claims IS NOT NULL;
CREATE TABLE attribute_definitions (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  name ${t.string} NOT NULL,
  record_type ${t.string} NOT NULL,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  value_type ${t.string} NOT NULL DEFAULT 'string',
  label ${t.string},
  writers ${t.json} NOT NULL DEFAULT '["admin"]',
  readers ${t.json} NOT NULL DEFAULT '["user","admin"]',
  pattern ${t.string},
  max ${t.int},
  claim ${t.string},
  scopes ${t.json} NOT NULL DEFAULT '[]',
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  name_key ${t.string} CONSTRAINT attribute_definitions_name_key_key UNIQUE,
  claim_key ${t.string} CONSTRAINT attribute_definitions_claim_key_key UNIQUE
);
CREATE INDEX attribute_definitions_organization_id ON attribute_definitions (organization_id, id);
`;
