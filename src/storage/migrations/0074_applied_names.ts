/** `postern apply` recognizes a record that a user has renamed (H-66). */
export const appliedNames = (): string =>
  Object.entries({ organizations: "slug", service_accounts: "email", providers: "slug" })
    .map(
      ([table, column]) => `
UPDATE manifest_records SET name = '${table} {"${column}":"' || (SELECT ${column} FROM ${table} WHERE ${table}.id = record_id) || '"}'
WHERE table_name = '${table}' AND source IS NULL AND name IS NULL;
`,
    )
    .join("");
