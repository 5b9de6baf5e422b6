import { createRequire } from "node:module";
import { type Reason, reason } from "../errors/field_errors.ts";
import { once } from "../lazily.ts";
import { composedPassword, longestPassword } from "./hashing/composed_password.ts";

export const shortestPassword = 8;

export const shortestBy = (settings: { readonly password_length?: number } = {}): number =>
  settings.password_length ?? shortestPassword;

export type PasswordWeakness = "too_short" | "too_long" | "too_common";

/**
 * Returns why a string is not allowed as a new password; undefined if it is allowed. There are no rules about
 * kinds of characters (L-13).
 */
export function passwordWeakness(
  password: string,
  shortest: number = shortestPassword,
): PasswordWeakness | undefined {
  const composed = composedPassword(password);
  if ([...composed].length < shortest) return "too_short";
  if (!password.isWellFormed() || Buffer.byteLength(composed) > longestPassword) return "too_long";
  return isCommonPassword(composed) ? "too_common" : undefined;
}

const reasons: Readonly<Record<Exclude<PasswordWeakness, "too_short">, Reason>> = {
  too_long: reason("password_too_long", { bytes: longestPassword }),
  too_common: reason("password_too_common"),
};

export function passwordError(password: string, shortest: number = shortestPassword): Reason | undefined {
  const weakness = passwordWeakness(password, shortest);
  if (weakness === "too_short") return reason("password_too_short", { characters: shortest });
  return weakness && reasons[weakness];
}

interface Dictionaries {
  readonly dictionary: { readonly "passwords-common": readonly string[] };
}

/** Loaded on first use, because the list needs memory and most processes never set a password. */
const commonPasswords = once((): ReadonlySet<string> => {
  const load = createRequire(import.meta.url);
  const { dictionary } = load("@zxcvbn-ts/language-common") as Dictionaries;
  return new Set(dictionary["passwords-common"].map((password) => password.toLowerCase()));
});

/**
 * Returns whether a password has at most two distinct characters or, ignoring case, is among the most common
 * ones (L-13, ASVS 6.2.4).
 */
export function isCommonPassword(password: string): boolean {
  return new Set(password).size <= 2 || commonPasswords().has(password.toLowerCase());
}
