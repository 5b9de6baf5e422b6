import type { User } from "../records/definition.ts";
import { findByEmail } from "../records/email.ts";
import type { Verbs } from "../storage/verbs.ts";

/** The user with this address, as it is written or, failing that, with one that people take for it. */
export async function findAccount(store: Pick<Verbs, "find">, email: string): Promise<User | undefined> {
  return findByEmail(email, (email_key) => store.find("users", { email_key }));
}
