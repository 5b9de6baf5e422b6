/**
 * Challenges for passkeys without a row, so that a public page writes nothing. A challenge carries its own
 * time and a MAC of its purpose. The caller ensures single use by storing `mark` of each answered challenge.
 */
import { randomBytes } from "node:crypto";
import { decodeBase64url, sha256 } from "./digest.ts";
import type { Sealer } from "./sealing.ts";

/** The purpose for which one challenge may be answered. */
export interface ChallengeUse {
  readonly purpose:
    | "register"
    | "register_key"
    | "new_account"
    | "upgrade"
    | "sign_in"
    | "second_factor"
    | "sudo";
  /** A secret of this browser, such as the token of its forms. */
  readonly holder: string;
}

/** A challenge that was made for this use and has not expired. */
export interface ReadChallenge {
  /** 32 bytes by which the caller sees to it that it is answered once. */
  readonly once_key: Buffer;
  /** Until then a second answer must be refused. */
  readonly expires_at: Date;
}

const randomLength = 32;
const timeBytes = 6;
const macBytes = 32;
/** Lifetime of a challenge in milliseconds. */
export const challengeLifetime = 5 * 60_000;

/**
 * A new challenge for this use: base64url(32 random bytes ‖ 6 bytes of Unix milliseconds at which it expires,
 * big-endian ‖ 32 bytes of HMAC-SHA-256). It is valid for 5 minutes (PK-2).
 */
export function newChallenge(use: ChallengeUse, sealer: Sealer, now: Date): string {
  const head = Buffer.alloc(randomLength + timeBytes);
  randomBytes(randomLength).copy(head);
  head.writeUIntBE(now.getTime() + challengeLifetime, randomLength, timeBytes);
  const mac = sealer.mac("passkey_challenge", textOf(use, head));
  return Buffer.concat([head, Buffer.from(mac, "base64url")]).toString("base64url");
}

/**
 * Reads a challenge that came back. `expired` where it was made for this use more than 5 minutes ago, so that
 * the page can be shown again with a new one; undefined for any other text.
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
  // A clock that went back must not lengthen a challenge.
  if (left_ms <= 0 || left_ms > challengeLifetime) return "expired";
  return { once_key: sha256(challenge), expires_at };
}

/** JSON, so that no purpose and holder read like another pair. */
function textOf({ purpose, holder }: ChallengeUse, head: Buffer): string {
  return JSON.stringify([purpose, holder, head.toString("base64url")]);
}
