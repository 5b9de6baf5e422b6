import type { Kind } from "../../records/definition/field.ts";

export const foreignPasswords = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE foreign_passwords (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  scheme ${t.string} NOT NULL,
  hash ${t.text} NOT NULL,
  source ${t.string},
  imported_at ${t.time} NOT NULL,
  CONSTRAINT foreign_passwords_user_id_key UNIQUE (user_id)
);
CREATE INDEX foreign_passwords_scheme ON foreign_passwords (scheme);
CREATE TABLE imported_people (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source ${t.string} NOT NULL,
  external_id ${t.string} NOT NULL,
  created_at ${t.time} NOT NULL,
  CONSTRAINT imported_people_source__external_id_key UNIQUE (source, external_id)
);
CREATE INDEX imported_people_user_id ON imported_people (user_id, id);
`;
