import type { Kind } from "../../records/definition/field.ts";

/**
 * `carried` contains the values that an import wrote, so that another import does not overwrite later
 * changes.
 */
export const imports = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE imported_people ADD COLUMN carried ${t.json};
ALTER TABLE manifest_records ADD COLUMN source ${t.string};
ALTER TABLE manifest_records ADD COLUMN name ${t.string};
CREATE UNIQUE INDEX manifest_records_table_name__source__name_key ON manifest_records (table_name, source, name);
`;
