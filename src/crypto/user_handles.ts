/**
 * User IDs that authenticators store (WebAuthn user handles): 32 random bytes, which reveal nothing about the
 * user (WebAuthn, section 14.6.1).
 */
import { randomBytes } from "node:crypto";
import type { Sealer } from "./sealing.ts";

export function newUserHandle(): Buffer {
  return randomBytes(32);
}

/**
 * Returns the user handle for the account that a person will create through a one-time link. It is the same
 * for every attempt, so an authenticator replaces the passkey of an earlier attempt.
 */
export function userHandleOfLink(token: string, sealer: Sealer): Buffer {
  return Buffer.from(sealer.mac("user_handle", token), "base64url");
}
