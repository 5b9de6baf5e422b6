import { type Reason, reason } from "../errors/field_errors.ts";
import { isCommonPassword } from "./common_passwords.ts";

/** Characters. */
export const shortestPassword = 8;
/** Bytes of UTF-8, the limit of the hasher (L-12). */
const mostBytes = 1024;

export type PasswordWeakness = "too_short" | "too_long" | "too_common";

/** Why a text cannot become a password; undefined when it can. Any composition is fine (L-13). */
export function passwordWeakness(password: string): PasswordWeakness | undefined {
  if ([...password].length < shortestPassword) return "too_short";
  if (!password.isWellFormed() || Buffer.byteLength(password) > mostBytes) return "too_long";
  return isCommonPassword(password) ? "too_common" : undefined;
}

const reasons: Readonly<Record<PasswordWeakness, Reason>> = {
  too_short: reason("password_too_short", { characters: shortestPassword }),
  too_long: reason("password_too_long", { bytes: mostBytes }),
  too_common: reason("password_too_common"),
};

/** The same for a field. */
export function passwordError(password: string): Reason | undefined {
  const weakness = passwordWeakness(password);
  return weakness && reasons[weakness];
}
