export { shortestBy } from "../../../crypto/password_rules.ts";

import { composedPassword } from "../../../crypto/hashing/composed_password.ts";
import { type PasswordWeakness, passwordWeakness } from "../../../crypto/password_rules.ts";

/** Whether both are the same password, however keyboards compose accented letters. */
export const isSamePassword = (password: string, again: string): boolean =>
  composedPassword(password) === composedPassword(again);

/** Why a password that was typed twice cannot be taken; undefined if it can (L-13). */
export function newPasswordError(
  password: string,
  again: string,
  shortest: number,
): PasswordWeakness | "differs" | undefined {
  return isSamePassword(password, again) ? passwordWeakness(password, shortest) : "differs";
}
