import type { Row, User } from "../definition/definition.ts";
import { emailKeys } from "../names/email.ts";
import { hasPassed, isAhead, stateSince } from "../names/liveness.ts";

/** Returns whether a recovery of lost second factors is still pending (MF-10). */
export function isRecoveryWaiting(
  { created_at, halfway_at, due_at, expires_at, email_key }: Row<"recoveries">,
  user: User,
  now: Date,
): boolean {
  if (user.is_platform_admin || !emailKeys(user.email).includes(email_key)) return false;
  // Two mailboxes can have the same key, so a recovery that began before the last change of the email address
  // has ended too.
  const { reset_links_not_before: changed_at } = user;
  if (changed_at !== null && created_at <= changed_at) return false;
  // A recovery that began while the clock was ahead would wait longer than announced, so another may begin.
  const begun_at = new Date(2 * halfway_at.getTime() - due_at.getTime());
  if (hasPassed(expires_at, now) || isAhead(begun_at, now)) return false;
  return stateSince(user, created_at) === "active";
}
