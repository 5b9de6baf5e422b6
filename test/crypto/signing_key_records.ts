import { randomBytes, randomUUID } from "node:crypto";
import { type Sealer, sealer } from "../../src/crypto/sealing.ts";
import { generateSigningKey, type SigningKeyRecord } from "../../src/crypto/signing_keys.ts";

export const testSealer: Sealer = sealer([randomBytes(32)]);

/** Returns a signing key record that is active from the year 2020 on; `changes` override its values. */
export async function signingKeyRecord(changes: Partial<SigningKeyRecord> = {}): Promise<SigningKeyRecord> {
  const id = randomUUID();
  const created_at = changes.activates_at ?? new Date("2020-01-01T00:00:00Z");
  const made = await generateSigningKey(testSealer, id);
  return {
    id,
    ...made,
    activates_at: created_at,
    retires_at: null,
    expires_at: null,
    created_at,
    ...changes,
  };
}
