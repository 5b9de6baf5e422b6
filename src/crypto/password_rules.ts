import { type Reason, reason } from "../errors/field_errors.ts";
import { isCommonPassword } from "./common_passwords.ts";
import { composedPassword, longestPassword } from "./composed_password.ts";

/** Characters. */
export const shortestPassword = 8;

export type PasswordWeakness = "too_short" | "too_long" | "too_common";

/** Why a text cannot become a password; undefined when it can. Any composition is fine (L-13). */
export function passwordWeakness(password: string): PasswordWeakness | undefined {
  const composed = composedPassword(password);
  if ([...composed].length < shortestPassword) return "too_short";
  if (!password.isWellFormed() || Buffer.byteLength(composed) > longestPassword) return "too_long";
  return isCommonPassword(composed) ? "too_common" : undefined;
}

const reasons: Readonly<Record<PasswordWeakness, Reason>> = {
  too_short: reason("password_too_short", { characters: shortestPassword }),
  too_long: reason("password_too_long", { bytes: longestPassword }),
  too_common: reason("password_too_common"),
};

/** The same for a field. */
export function passwordError(password: string): Reason | undefined {
  const weakness = passwordWeakness(password);
  return weakness && reasons[weakness];
}
