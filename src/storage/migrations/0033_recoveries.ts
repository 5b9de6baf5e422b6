import type { Kind } from "../../records/definition/field.ts";

export const recoveries = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE recoveries (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_signature ${t.signature} NOT NULL,
  email_key ${t.string} NOT NULL,
  language ${t.string} NOT NULL,
  mails ${t.int} NOT NULL,
  halfway_at ${t.time} NOT NULL,
  due_at ${t.time} NOT NULL,
  expires_at ${t.time} NOT NULL,
  client_ip ${t.string},
  user_agent ${t.string},
  created_at ${t.time} NOT NULL,
  CONSTRAINT recoveries_user_id_key UNIQUE (user_id)
);
`;
