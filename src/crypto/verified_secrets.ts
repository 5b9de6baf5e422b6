import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Creates an empty cache of at most `max` secrets, each kept for `ttl_seconds` after its verification; the
 * oldest is evicted. Instead of the presented secret, it stores the SHA-256 of `key`, the stored hash and the
 * secret. A plain hash is sufficient, because it never leaves the process; an HMAC would cost three times as
 * much per request.
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
  /**
   * A prefix of the hash input. Its length must be fixed, so no other combination of key, hash and secret
   * gives the same input.
   */
  key?: string;
}) {
  const entries = new Map<string, { proof: Uint8Array; expires_at_ms: number }>();

  // A PHC string contains no NUL, so no other pair of stored hash and secret gives the same input.
  const proofOf = (secret_hash: string, presented: string) =>
    Buffer.from(hash("sha256", `${key}${secret_hash}\0${presented}`, "latin1"), "latin1");

  return {
    has(secret_hash: string, presented: string): boolean {
      const entry = entries.get(secret_hash);
      // An ill-formed string would be hashed as if it contained U+FFFD, and would match one that does.
      if (!entry || !presented.isWellFormed()) return false;
      if (entry.expires_at_ms <= now().getTime()) {
        entries.delete(secret_hash);
        return false;
      }
      return timingSafeEqual(entry.proof, proofOf(secret_hash, presented));
    },
    /**
     * Caches a secret. Call this only after `presented` was verified against `secret_hash`, and only while
     * that secret is active.
     */
    remember(secret_hash: string, presented: string): void {
      if (!presented.isWellFormed()) return;
      // The entry is deleted first, so the map stays in the order of verification.
      entries.delete(secret_hash);
      entries.set(secret_hash, {
        // A copy, because the buffer is a view into several kilobytes, which it would keep in memory.
        proof: Uint8Array.from(proofOf(secret_hash, presented)),
        expires_at_ms: now().getTime() + ttl_seconds * 1000,
      });
      for (const oldest of entries.keys()) {
        if (entries.size <= max) break;
        entries.delete(oldest);
      }
    },
    /** Removes a secret from the cache. Call this after the secret was revoked or replaced. */
    forget(secret_hash: string): void {
      entries.delete(secret_hash);
    },
    clear(): void {
      entries.clear();
    },
  };
}

/**
 * A cache of recently verified client secrets, so only the first use of each costs an Argon2id hash (C-10).
 */
export type VerifiedSecrets = ReturnType<typeof verifiedSecrets>;
