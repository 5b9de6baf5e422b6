/**
 * Stores under which name `postern apply` knows the records whose name others can change, so that a record
 * renamed later is not taken for another one (H-66).
 */
export const appliedNames = (): string =>
  Object.entries({ organizations: "slug", service_accounts: "email", providers: "slug" })
    .map(
      ([table, column]) => `
UPDATE manifest_records SET name = '${table} {"${column}":"' || (SELECT ${column} FROM ${table} WHERE ${table}.id = record_id) || '"}'
WHERE table_name = '${table}' AND source IS NULL AND name IS NULL;
`,
    )
    .join("");
