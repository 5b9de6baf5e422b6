import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

export const searchedValues = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string =>
  searchedValueTables
    .map(
      (table) => `
CREATE TABLE ${table}_values (
  word ${t.string}${database === "postgres" ? ' COLLATE "C"' : ""} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES ${table} (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX ${table}_values_record_id ON ${table}_values (record_id, word);
`,
    )
    .join("");

export const searchedValueTables = ["memberships", "organizations", "oauth_apps"] as const;
