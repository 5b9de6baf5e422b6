/**
 * Stores password hashes of other programs, each until a sign-in or a new password replaces it (MG-4,
 * docs/decisions/passwords.md).
 */
import type { User } from "../../records/definition/definition.ts";
import { foreignIdOf } from "../../records/names/foreign_marker.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

export interface StoredPassword {
  readonly text: string;
  readonly scheme?: string;
}

const mostSecretSamples = 100;

export function foreignPasswordRules(database: Database) {
  async function forgetForeignPassword(
    tx: Pick<Verbs, "remove">,
    password_hash: string | null,
  ): Promise<void> {
    const id = foreignIdOf(password_hash);
    if (id !== undefined) await tx.remove("foreign_passwords", { id });
  }

  return {
    async storedPassword(
      { id: user_id, password_hash }: Pick<User, "id" | "password_hash">,
      reads: Pick<Verbs, "find"> = database,
    ): Promise<StoredPassword | undefined> {
      const id = foreignIdOf(password_hash);
      if (id === undefined) return password_hash === null ? undefined : { text: password_hash };
      const row = await reads.find("foreign_passwords", { id, user_id });
      // If the row does not exist, the password was replaced after the user was read, so no password matches.
      return row && { text: row.hash, scheme: row.scheme };
    },
    forgetForeignPassword,
    async foreignSamples(): Promise<{ readonly passwords: string[]; readonly secrets: string[] }> {
      const passwords: string[] = [];
      let after: string | undefined;
      do {
        const [row] = await database.list("foreign_passwords", {}, { order_by: "scheme", after, limit: 1 });
        if (row !== undefined) passwords.push(row.hash);
        after = row?.scheme;
      } while (after !== undefined);
      // Only imported secrets have an empty prefix.
      const secrets = await database.list(
        "oauth_app_secrets",
        { secret_prefix: "", revoked: false },
        { limit: mostSecretSamples },
      );
      return { passwords, secrets: secrets.map(({ secret_hash }) => secret_hash) };
    },
  };
}
