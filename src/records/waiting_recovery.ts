import type { Row, User } from "./definition.ts";
import { hasPassed, stateSince } from "./liveness.ts";

/**
 * Whether lost second factors still wait to be recovered (MF-10). Everything that ends the user's tokens, or
 * gives another address, ends it, and no platform administrator has one.
 */
export function isRecoveryWaiting(
  { created_at, expires_at, email_key }: Row<"recoveries">,
  user: User,
  now: Date,
): boolean {
  if (user.is_platform_admin || user.email_key !== email_key) return false;
  return !hasPassed(expires_at, now) && stateSince(user, created_at) === "active";
}
