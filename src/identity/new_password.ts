export { shortestPassword } from "../crypto/password_rules.ts";

import { type PasswordWeakness, passwordWeakness } from "../crypto/password_rules.ts";

/** Why a password that was typed twice cannot be taken; undefined when it can (L-13). */
export function newPasswordFault(password: string, again: string): PasswordWeakness | "differs" | undefined {
  return password === again ? passwordWeakness(password) : "differs";
}
