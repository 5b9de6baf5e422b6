import { emailKey } from "../../records/names/email.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { mayHaveOtherKey } from "../people/email_keys.ts";

/** This migration only changes stored email keys (`foldEmailKeys`). */
export const emailKeysStay = (): string => "";

/**
 * Recomputes the keys of email addresses with non-ASCII characters or A-labels. If another record already has
 * the new key, the email address keeps its old one, and the user can still sign in.
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
      // Another process may have changed the email address in the meantime.
      await connection.run(
        `UPDATE ${table} SET email_key = ${first} WHERE id = ${second} AND email_key = ${third}`,
        [key, id, email_key],
      );
    }
  }
}
