import { emailKey } from "../../records/names/email.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { mayHaveOtherKey } from "../people/email_keys.ts";

/**
 * This migration changes no table. It only normalizes the stored keys of email addresses further
 * (`foldEmailKeys`).
 */
export const emailKeysStay = (): string => "";

/**
 * Gives email addresses with non-ASCII characters or A-labels the key that look-alikes share. If that key is
 * taken, the account keeps its old key and still signs in with it. `postern doctor` reports such accounts.
 */
export async function foldEmailKeys(connection: Connection, dialect: Dialect): Promise<void> {
  const [first, second, third] = dialect.name === "postgres" ? ["$1", "$2", "$3"] : ["?", "?", "?"];
  for (const [table, within] of [
    ["users", ""],
    ["service_accounts", ""],
    ["invitations", "organization_id, "],
  ] as const) {
    const rows = await connection.all(
      `SELECT id, ${within}email, email_key FROM ${table} WHERE ${mayHaveOtherKey(dialect)} ORDER BY id`,
      [],
    );
    for (const { id, organization_id, email, email_key } of rows) {
      const key = emailKey(String(email));
      if (key === email_key) continue;
      const place = within === "" ? "" : ` AND organization_id = ${second}`;
      const taken = await connection.all(
        `SELECT 1 AS one FROM ${table} WHERE email_key = ${first}${place}`,
        within === "" ? [key] : [key, organization_id],
      );
      if (taken.length > 0) continue;
      // Another process may have changed the row's email address, and so its key, in the meantime.
      await connection.run(
        `UPDATE ${table} SET email_key = ${first} WHERE id = ${second} AND email_key = ${third}`,
        [key, id, email_key],
      );
    }
  }
}
