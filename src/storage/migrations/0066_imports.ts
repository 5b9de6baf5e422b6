import type { Kind } from "../../records/definition/field.ts";

/**
 * Adds the values that an import wrote, so that another import does not overwrite later changes. Also adds
 * the import and the name by which it recognizes a record.
 */
export const imports = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE imported_people ADD COLUMN carried ${t.json};
ALTER TABLE manifest_records ADD COLUMN source ${t.string};
ALTER TABLE manifest_records ADD COLUMN name ${t.string};
CREATE UNIQUE INDEX manifest_records_table_name__source__name_key ON manifest_records (table_name, source, name);
`;
