import type { Kind } from "../../records/field.ts";
import type { Dialect } from "../dialect.ts";

/** APIs that tokens are for, and which of them an app may ask for. */
export const resourceRecords = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
CREATE TABLE resources (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  identifier ${t.string} NOT NULL CONSTRAINT resources_identifier_key UNIQUE,
  name ${t.string} NOT NULL,
  description ${t.string},
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  scopes ${t.json} NOT NULL DEFAULT '{}',
  default_scopes ${t.json} NOT NULL DEFAULT '[]',
  who_may_ask ${t.string} NOT NULL DEFAULT 'registered',
  app_ids ${t.json} NOT NULL DEFAULT '[]',
  access_token_signing_alg ${t.string},
  dpop_bound_access_tokens_required ${t.bool} NOT NULL DEFAULT FALSE,
  trailing_slash_alias ${t.bool} NOT NULL DEFAULT FALSE,
  active ${t.bool} NOT NULL DEFAULT TRUE,
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  identifier_key ${t.string} CONSTRAINT resources_identifier_key_key UNIQUE
);
CREATE INDEX resources_organization_id ON resources (organization_id, id);
CREATE INDEX resources_who_may_ask ON resources (who_may_ask) WHERE active;
CREATE TABLE resources_words (
  word ${t.string}${database === "postgres" ? ' COLLATE "C"' : ""} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX resources_words_record_id ON resources_words (record_id, word);
ALTER TABLE oauth_apps ADD COLUMN resources ${t.json} NOT NULL DEFAULT '[]';
`;
