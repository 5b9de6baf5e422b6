/**
 * Stores the name under which `postern apply` created a record, so that it recognizes the record after a user
 * renamed it (H-66).
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
