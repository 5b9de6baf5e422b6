import type { PasswordHasher } from "../crypto/passwords.ts";
import type { Sessions } from "../storage/ports.ts";

/**
 * Lets the hasher measure the cost of imported hashes. Until it has, anonymous callers could detect by timing
 * which accounts have such a hash (MG-3).
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
