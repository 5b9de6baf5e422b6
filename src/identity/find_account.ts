import type { User } from "../records/definition.ts";
import { emailKeys } from "../records/email.ts";
import type { Verbs } from "../storage/verbs.ts";

/** Whoever has this address, as it is written or, if nobody, one that people take for it. */
export async function findAccount(store: Pick<Verbs, "find">, email: string): Promise<User | undefined> {
  for (const email_key of emailKeys(email)) {
    const user = await store.find("users", { email_key });
    if (user !== undefined) return user;
  }
  return undefined;
}
