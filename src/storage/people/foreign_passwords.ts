/**
 * Password hashes of other programs, each stored until its user has a new one (MG-4,
 * docs/decisions/passwords.md).
 */
import type { User } from "../../records/definition/definition.ts";
import { foreignIdOf } from "../../records/names/foreign_marker.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/** The hash that a password of a user is verified against. */
export interface StoredPassword {
  readonly text: string;
  /** For an imported hash. */
  readonly scheme?: string;
}

const mostSecretSamples = 100;

export function foreignPasswordRules(database: Database) {
  /** Removes another program's hash when the stored password that refers to it is replaced. */
  async function forgetForeignPassword(
    tx: Pick<Verbs, "remove">,
    password_hash: string | null,
  ): Promise<void> {
    const id = foreignIdOf(password_hash);
    if (id !== undefined) await tx.remove("foreign_passwords", { id });
  }

  return {
    /** Undefined for a user without a password. */
    async storedPassword(
      { id: user_id, password_hash }: Pick<User, "id" | "password_hash">,
      reads: Pick<Verbs, "find"> = database,
    ): Promise<StoredPassword | undefined> {
      const id = foreignIdOf(password_hash);
      if (id === undefined) return password_hash === null ? undefined : { text: password_hash };
      const row = await reads.find("foreign_passwords", { id, user_id });
      // None: it was replaced since the user was read, and no password matches the old state.
      return row && { text: row.hash, scheme: row.scheme };
    },
    forgetForeignPassword,
    /** A hash of each scheme there is, and the client secrets that another program hashed. */
    async foreignSamples(): Promise<{ readonly passwords: string[]; readonly secrets: string[] }> {
      const passwords: string[] = [];
      let after: string | undefined;
      do {
        const [row] = await database.list("foreign_passwords", {}, { order_by: "scheme", after, limit: 1 });
        if (row !== undefined) passwords.push(row.hash);
        after = row?.scheme;
      } while (after !== undefined);
      // The secret has no known prefix.
      const secrets = await database.list(
        "oauth_app_secrets",
        { secret_prefix: "", revoked: false },
        { limit: mostSecretSamples },
      );
      return { passwords, secrets: secrets.map(({ secret_hash }) => secret_hash) };
    },
  };
}
