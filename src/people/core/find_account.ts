import type { User } from "../../records/definition/definition.ts";
import { findByEmail, trimEmail } from "../../records/names/email.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

/**
 * Returns the user with this email address or an equivalent spelling. Earlier versions stored addresses
 * untrimmed, so `typed` is also looked up as it is.
 */
export async function findAccount(store: Pick<Verbs, "find">, typed: string): Promise<User | undefined> {
  const find = (email: string) => findByEmail(email, (email_key) => store.find("users", { email_key }));
  const email = trimEmail(typed);
  return (await find(typed)) ?? (email === typed ? undefined : find(email));
}
