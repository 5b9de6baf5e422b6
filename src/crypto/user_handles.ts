/** Handles by which authenticators know a user: 32 bytes that reveal nothing (WebAuthn 14.6.1). */
import { randomBytes } from "node:crypto";
import type { Sealer } from "./sealing.ts";

export function newUserHandle(): Buffer {
  return randomBytes(32);
}

/**
 * The handle for an account that a one-time link is about to make. Each try with the link has the same, so
 * that an authenticator replaces the passkey of a try before.
 */
export function userHandleOfLink(token: string, sealer: Sealer): Buffer {
  return Buffer.from(sealer.mac("user_handle", token), "base64url");
}
