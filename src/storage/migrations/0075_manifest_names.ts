import type { Kind } from "../../records/definition/field.ts";

/**
 * Stores which record a name in a manifest means, so that another record that gets the name later is not
 * changed (H-66). The new table begins with the names that migration 74 stored.
 */
export const manifestNames = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE manifest_names (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  table_name ${t.string} NOT NULL,
  name ${t.string} NOT NULL,
  record_id ${t.uuid} NOT NULL,
  created_at ${t.time} NOT NULL,
  CONSTRAINT manifest_names_table_name__name_key UNIQUE (table_name, name)
);
CREATE INDEX manifest_names_record_id ON manifest_names (record_id);
INSERT INTO manifest_names (id, table_name, name, record_id, created_at)
SELECT id, table_name, name, record_id, created_at FROM manifest_records
WHERE source IS NULL AND name IS NOT NULL
ORDER BY created_at DESC
ON CONFLICT DO NOTHING;
UPDATE manifest_records SET name = NULL WHERE source IS NULL;
`;
