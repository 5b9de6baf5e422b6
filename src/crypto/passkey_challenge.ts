/**
 * Creates and verifies passkey challenges. They are not stored, so that a sign-in page need not write to the
 * database.
 */
import { randomBytes } from "node:crypto";
import { decodeBase64url, sha256 } from "./digest.ts";
import type { Sealer } from "./sealing.ts";

export interface ChallengeUse {
  readonly purpose:
    | "register"
    | "register_key"
    | "new_account"
    | "upgrade"
    | "sign_in"
    | "second_factor"
    | "sudo";
  /** A secret of the browser that requested the challenge, such as its CSRF token. */
  readonly holder: string;
}

export interface ReadChallenge {
  readonly once_key: Buffer;
  /** When the challenge expires. Until then, the caller must store `once_key`, in order to reject reuse. */
  readonly expires_at: Date;
}

const randomLength = 32;
const timeBytes = 6;
const macBytes = 32;
/** Lifetime of a challenge in milliseconds (PK-2). */
export const challengeLifetime = 5 * 60_000;

/** Returns a challenge for this use: base64url of 32 random bytes, the expiry and an HMAC-SHA-256. */
export function newChallenge(use: ChallengeUse, sealer: Sealer, now: Date): string {
  const head = Buffer.alloc(randomLength + timeBytes);
  randomBytes(randomLength).copy(head);
  head.writeUIntBE(now.getTime() + challengeLifetime, randomLength, timeBytes);
  const mac = sealer.mac("passkey_challenge", textOf(use, head));
  return Buffer.concat([head, Buffer.from(mac, "base64url")]).toString("base64url");
}

/**
 * Verifies a challenge. Returns `expired` if its time is over, and undefined if this server did not create it
 * for this use.
 */
export function readChallenge(
  challenge: string,
  use: ChallengeUse,
  sealer: Sealer,
  now: Date,
): ReadChallenge | "expired" | undefined {
  const bytes = challenge.length > 100 ? undefined : decodeBase64url(challenge);
  if (bytes?.length !== randomLength + timeBytes + macBytes) return undefined;
  const head = bytes.subarray(0, -macBytes);
  const mac = bytes.subarray(-macBytes).toString("base64url");
  if (!sealer.macIs("passkey_challenge", textOf(use, head), mac)) return undefined;
  const expires_at = new Date(head.readUIntBE(randomLength, timeBytes));
  const left_ms = expires_at.getTime() - now.getTime();
  // Setting the clock back must not extend the life of a challenge.
  if (left_ms <= 0 || left_ms > challengeLifetime) return "expired";
  return { once_key: sha256(challenge), expires_at };
}

/** JSON is unambiguous: two different pairs of purpose and holder never give the same text. */
function textOf({ purpose, holder }: ChallengeUse, head: Buffer): string {
  return JSON.stringify([purpose, holder, head.toString("base64url")]);
}
