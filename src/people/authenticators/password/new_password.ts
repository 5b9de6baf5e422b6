export { shortestBy } from "../../../crypto/password_rules.ts";

import { composedPassword } from "../../../crypto/hashing/composed_password.ts";
import { type PasswordWeakness, passwordWeakness } from "../../../crypto/password_rules.ts";

/**
 * Compares two passwords in Unicode normalization form NFC, because keyboards encode accented letters
 * differently.
 */
export const isSamePassword = (password: string, again: string): boolean =>
  composedPassword(password) === composedPassword(again);

/** Returns why a password that was typed twice is rejected; undefined if it is accepted (L-13). */
export function newPasswordError(
  password: string,
  again: string,
  shortest: number,
): PasswordWeakness | "differs" | undefined {
  return isSamePassword(password, again) ? passwordWeakness(password, shortest) : "differs";
}
