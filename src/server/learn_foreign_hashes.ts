import type { PasswordHasher } from "../crypto/passwords.ts";
import type { Sessions } from "../storage/ports.ts";

/**
 * Measures how long imported hashes take to verify. Until then, response times could reveal which accounts
 * have imported hashes (MG-3).
 */
export async function learnForeignHashes({
  store,
  passwords,
}: {
  readonly store: Pick<Sessions, "foreignSamples">;
  readonly passwords: Pick<PasswordHasher, "learn">;
}): Promise<void> {
  const samples = await store.foreignSamples();
  await passwords.learn(samples.passwords, "sign_in");
  await passwords.learn(samples.secrets, "client_authentication");
}
