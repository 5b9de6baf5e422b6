import type { PasswordHasher } from "../crypto/passwords.ts";
import type { Sessions } from "../storage/ports.ts";

/**
 * Measures how long imported hashes take to verify. Until then, response times could reveal which accounts
 * have imported hashes (MG-3).
 */
export async function learnForeignHashes(
  {
    store,
    passwords,
  }: {
    readonly store: Pick<Sessions, "foreignSamples">;
    readonly passwords: Pick<PasswordHasher, "learn">;
  },
  prepare = () => {},
): Promise<void> {
  const { passwords: hashes, secrets } = await store.foreignSamples();
  if (hashes.length + secrets.length > 0) prepare();
  await passwords.learn(hashes, "sign_in");
  await passwords.learn(secrets, "client_authentication");
}
