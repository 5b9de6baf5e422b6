import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * An empty memory of at most `max` secrets, each for `ttl_seconds` from its verification; the oldest is
 * evicted. The cache holds a SHA-256 that begins with `key`, which never leaves the process, and never the
 * presented text. A memory dump reveals no more than the stored hashes. (An HMAC would cost three times as
 * much at every request, and would only guard against extending a digest, which never leaves the process.)
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
  /** Of a fixed length. */
  key?: string;
}) {
  const entries = new Map<string, { proof: Buffer; expires_at_ms: number }>();

  // A PHC string has no NUL, so no other pair gives the same text.
  const proofOf = (secret_hash: string, presented: string) =>
    hash("sha256", `${key}${secret_hash}\0${presented}`, "buffer");

  return {
    /** Whether `presented` was remembered for this hash and the memory has not expired. */
    has(secret_hash: string, presented: string): boolean {
      const entry = entries.get(secret_hash);
      // Ill-formed text would be hashed as U+FFFD and so pass for text that holds one.
      if (!entry || !presented.isWellFormed()) return false;
      if (entry.expires_at_ms <= now().getTime()) {
        entries.delete(secret_hash);
        return false;
      }
      return timingSafeEqual(entry.proof, proofOf(secret_hash, presented));
    },
    /**
     * Call it only after `presented` was verified against `secret_hash`, and only while that secret is live.
     */
    remember(secret_hash: string, presented: string): void {
      if (!presented.isWellFormed()) return;
      // Deleted first, so that the map's order stays the order of verification.
      entries.delete(secret_hash);
      entries.set(secret_hash, {
        proof: proofOf(secret_hash, presented),
        expires_at_ms: now().getTime() + ttl_seconds * 1000,
      });
      for (const oldest of entries.keys()) {
        if (entries.size <= max) break;
        entries.delete(oldest);
      }
    },
    /** The secret was revoked or replaced. */
    forget(secret_hash: string): void {
      entries.delete(secret_hash);
    },
    clear(): void {
      entries.clear();
    },
  };
}

/** Which client secrets were verified lately, so that only the first use of one pays for Argon2id (C-10). */
export type VerifiedSecrets = ReturnType<typeof verifiedSecrets>;
