import { randomBytes } from "node:crypto";

/** A handle by which authenticators know a user: 32 random bytes that tell nothing (WebAuthn 14.6.1). */
export function newUserHandle(): Buffer {
  return randomBytes(32);
}
