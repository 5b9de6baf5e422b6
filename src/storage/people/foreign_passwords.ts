/**
 * Password hashes of other programs. Each is stored until its user sets a new password (MG-4,
 * docs/decisions/passwords.md).
 */
import type { User } from "../../records/definition/definition.ts";
import { foreignIdOf } from "../../records/names/foreign_marker.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/** The hash against which a user's password is verified. */
export interface StoredPassword {
  readonly text: string;
  /** The hash scheme of an imported hash; absent for a hash of this server. */
  readonly scheme?: string;
}

const mostSecretSamples = 100;

export function foreignPasswordRules(database: Database) {
  /** Removes another program's hash when the stored password that references it is replaced. */
  async function forgetForeignPassword(
    tx: Pick<Verbs, "remove">,
    password_hash: string | null,
  ): Promise<void> {
    const id = foreignIdOf(password_hash);
    if (id !== undefined) await tx.remove("foreign_passwords", { id });
  }

  return {
    /** Returns the stored hash; undefined if the user has no password. */
    async storedPassword(
      { id: user_id, password_hash }: Pick<User, "id" | "password_hash">,
      reads: Pick<Verbs, "find"> = database,
    ): Promise<StoredPassword | undefined> {
      const id = foreignIdOf(password_hash);
      if (id === undefined) return password_hash === null ? undefined : { text: password_hash };
      const row = await reads.find("foreign_passwords", { id, user_id });
      // A missing row was replaced after the user was read, so no password matches the old state.
      return row && { text: row.hash, scheme: row.scheme };
    },
    forgetForeignPassword,
    /** Returns one hash of each stored scheme, and the client secrets that another program hashed. */
    async foreignSamples(): Promise<{ readonly passwords: string[]; readonly secrets: string[] }> {
      const passwords: string[] = [];
      let after: string | undefined;
      do {
        const [row] = await database.list("foreign_passwords", {}, { order_by: "scheme", after, limit: 1 });
        if (row !== undefined) passwords.push(row.hash);
        after = row?.scheme;
      } while (after !== undefined);
      // Imported secrets have no recognizable prefix.
      const secrets = await database.list(
        "oauth_app_secrets",
        { secret_prefix: "", revoked: false },
        { limit: mostSecretSamples },
      );
      return { passwords, secrets: secrets.map(({ secret_hash }) => secret_hash) };
    },
  };
}
