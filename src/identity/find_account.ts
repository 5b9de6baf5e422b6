import type { User } from "../records/definition.ts";
import { emailKeys } from "../records/email.ts";
import type { Verbs } from "../storage/verbs.ts";

/** The user with this address, as it is written or, failing that, with one that people take for it. */
export async function findAccount(store: Pick<Verbs, "find">, email: string): Promise<User | undefined> {
  for (const email_key of emailKeys(email)) {
    const user = await store.find("users", { email_key });
    if (user !== undefined) return user;
  }
  return undefined;
}
