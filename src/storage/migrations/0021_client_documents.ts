import type { Kind } from "../../records/definition/field.ts";

export const clientDocuments = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN document_hash ${t.string};
ALTER TABLE oauth_apps ADD COLUMN gone_at ${t.time};
ALTER TABLE oauth_consents ADD COLUMN document_hash ${t.string};
CREATE TABLE client_documents (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  app_id ${t.uuid} NOT NULL CONSTRAINT client_documents_app_id_key UNIQUE
    REFERENCES oauth_apps (id) ON DELETE CASCADE,
  fetched_at ${t.time} NOT NULL,
  expires_at ${t.time} NOT NULL,
  created_at ${t.time} NOT NULL
);
`;
