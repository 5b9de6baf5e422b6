/**
 * Finds users and service accounts whose `email_key` is still that of an earlier version
 * (docs/decisions/registration-and-invitations.md). Another record already has the new key.
 */
import { emailKey } from "../../records/names/email.ts";
import type { Database } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";

export interface LookAlike {
  readonly table: "users" | "service_accounts";
  readonly id: string;
  readonly email: string;
}

/**
 * Returns the SQL condition for keys with non-ASCII characters or A-labels. Other keys are the same in every
 * version.
 */
export const mayHaveOtherKey = (dialect: Dialect) =>
  dialect.name === "postgres"
    ? "email_key ~ '[^ -~]|xn--'"
    : "(email_key GLOB '*[^ -~]*' OR email_key GLOB '*xn--*')";

export function emailKeyRules({ dialect, driver }: Database) {
  return {
    async lookAlikes(limit: number): Promise<LookAlike[]> {
      const found: LookAlike[] = [];
      for (const table of ["users", "service_accounts"] as const) {
        const rows = await driver.all(
          `SELECT id, email, email_key FROM ${table} WHERE ${mayHaveOtherKey(dialect)} ORDER BY id`,
          [],
        );
        const kept = rows.filter(({ email, email_key }) => emailKey(String(email)) !== email_key);
        found.push(
          ...kept.slice(0, limit).map(({ id, email }) => ({
            table,
            id: dialect.decode("uuid", id) as string,
            email: String(email),
          })),
        );
      }
      return found;
    },
  };
}
