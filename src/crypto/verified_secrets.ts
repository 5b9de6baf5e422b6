import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Returns a cache of at most `max` secrets, each for `ttl_seconds` after its verification. It stores a
 * SHA-256, never the secret itself.
 */
export function verifiedSecrets({
  max,
  ttl_seconds,
  now,
  key = randomBytes(32).toString("hex"),
}: {
  max: number;
  ttl_seconds: number;
  now: () => Date;
  key?: string;
}) {
  const entries = new Map<string, { proof: Uint8Array; expires_at_ms: number }>();

  // PHC strings contain no NUL, so different inputs cannot give the same text.
  const proofOf = (secret_hash: string, presented: string) =>
    Buffer.from(hash("sha256", `${key}${secret_hash}\0${presented}`, "latin1"), "latin1");

  return {
    has(secret_hash: string, presented: string): boolean {
      const entry = entries.get(secret_hash);
      // Hashing an ill-formed string replaces parts of it with U+FFFD, so it could match another secret.
      if (!entry || !presented.isWellFormed()) return false;
      if (entry.expires_at_ms <= now().getTime()) {
        entries.delete(secret_hash);
        return false;
      }
      return timingSafeEqual(entry.proof, proofOf(secret_hash, presented));
    },
    /** The caller has verified the secret against `secret_hash` and checked that it is active. */
    remember(secret_hash: string, presented: string): void {
      if (!presented.isWellFormed()) return;
      // Deletes an existing entry first, so that the map stays in the order of verification.
      entries.delete(secret_hash);
      entries.set(secret_hash, {
        // Copies the hash, because a small buffer is a view of a pool of several kilobytes, which would stay
        // in memory.
        proof: Uint8Array.from(proofOf(secret_hash, presented)),
        expires_at_ms: now().getTime() + ttl_seconds * 1000,
      });
      for (const oldest of entries.keys()) {
        if (entries.size <= max) break;
        entries.delete(oldest);
      }
    },
    /** Call this after the secret was revoked or replaced. */
    forget(secret_hash: string): void {
      entries.delete(secret_hash);
    },
    clear(): void {
      entries.clear();
    },
  };
}

/** A cache of verified client secrets: not every use of a secret costs an Argon2id hash (C-10). */
export type VerifiedSecrets = ReturnType<typeof verifiedSecrets>;
