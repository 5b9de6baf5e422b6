/**
 * Passkey challenges that need no database row, so showing a sign-in page writes nothing. A challenge
 * contains its expiry and a MAC of its purpose. The caller ensures single use by storing the `once_key` of
 * each answered challenge.
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
  /** A secret of this browser, such as its CSRF token. */
  readonly holder: string;
}

export interface ReadChallenge {
  readonly once_key: Buffer;
  /** Until this time, the caller must keep `once_key` in order to reject a second answer. */
  readonly expires_at: Date;
}

const randomLength = 32;
const timeBytes = 6;
const macBytes = 32;
/** In milliseconds (PK-2). */
export const challengeLifetime = 5 * 60_000;

/**
 * Returns a new challenge for this use: base64url(32 random bytes ‖ 6 bytes of Unix milliseconds at which
 * it expires, big-endian ‖ 32 bytes of HMAC-SHA-256). It is valid for 5 minutes (PK-2).
 */
export function newChallenge(use: ChallengeUse, sealer: Sealer, now: Date): string {
  const head = Buffer.alloc(randomLength + timeBytes);
  randomBytes(randomLength).copy(head);
  head.writeUIntBE(now.getTime() + challengeLifetime, randomLength, timeBytes);
  const mac = sealer.mac("passkey_challenge", textOf(use, head));
  return Buffer.concat([head, Buffer.from(mac, "base64url")]).toString("base64url");
}

/**
 * Verifies the challenge of an answer. Returns `expired` if this server created the challenge for this use
 * but it is no longer valid, so the page can be shown again with a new challenge. Undefined for a string that
 * is not a challenge for this use.
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
  // A clock that is set back must not extend a challenge.
  if (left_ms <= 0 || left_ms > challengeLifetime) return "expired";
  return { once_key: sha256(challenge), expires_at };
}

/** As JSON, so no two pairs of purpose and holder have the same encoding. */
function textOf({ purpose, holder }: ChallengeUse, head: Buffer): string {
  return JSON.stringify([purpose, holder, head.toString("base64url")]);
}
