import type { User } from "../../records/definition/definition.ts";
import { findByEmail, trimEmail } from "../../records/names/email.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

/**
 * The user with this address, as typed or, failing that, with one that people take for it. Marks at its ends
 * count where an account of an earlier version has them.
 */
export async function findAccount(store: Pick<Verbs, "find">, typed: string): Promise<User | undefined> {
  const find = (email: string) => findByEmail(email, (email_key) => store.find("users", { email_key }));
  const email = trimEmail(typed);
  return (await find(typed)) ?? (email === typed ? undefined : find(email));
}
