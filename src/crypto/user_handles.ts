/**
 * Handles by which authenticators identify a user: 32 bytes that reveal nothing (WebAuthn, section 14.6.1).
 */
import { randomBytes } from "node:crypto";
import type { Sealer } from "./sealing.ts";

export function newUserHandle(): Buffer {
  return randomBytes(32);
}

/**
 * Returns the handle for an account that a one-time link is about to create. Each attempt with the link has
 * the same handle, so an authenticator replaces the passkey of an earlier attempt.
 */
export function userHandleOfLink(token: string, sealer: Sealer): Buffer {
  return Buffer.from(sealer.mac("user_handle", token), "base64url");
}
