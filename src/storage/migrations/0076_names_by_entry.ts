import type { Kind } from "../../records/definition/field.ts";

/**
 * Of the names that earlier versions stored, only those of records that a manifest created get `by_entry`
 * (H-66). The others may come from references.
 */
export const namesByEntry = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE manifest_names ADD COLUMN by_entry ${t.bool} NOT NULL DEFAULT FALSE;
UPDATE manifest_names SET by_entry = TRUE WHERE EXISTS (
  SELECT 1 FROM manifest_records made
  WHERE made.table_name = manifest_names.table_name AND made.record_id = manifest_names.record_id AND made.source IS NULL
);
`;
