import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

export const searchedAttributes = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
ALTER TABLE attribute_definitions ADD COLUMN searchable ${t.bool} NOT NULL DEFAULT FALSE;
CREATE TABLE users_values (
  word ${t.string}${database === "postgres" ? ' COLLATE "C"' : ""} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX users_values_record_id ON users_values (record_id, word);
`;
