import { createRequire } from "node:module";
import { type Reason, reason } from "../errors/field_errors.ts";
import { once } from "../lazily.ts";
import { composedPassword, longestPassword } from "./hashing/composed_password.ts";

/** Characters, without a setting. */
export const shortestPassword = 8;

/** The least number of characters of a new password (L-13). */
export const shortestBy = (settings: { readonly password_length?: number } = {}): number =>
  settings.password_length ?? shortestPassword;

export type PasswordWeakness = "too_short" | "too_long" | "too_common";

/** Why a text cannot become a password; undefined if it can. Any composition is fine (L-13). */
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

/** The same for a field. */
export function passwordError(password: string, shortest: number = shortestPassword): Reason | undefined {
  const weakness = passwordWeakness(password, shortest);
  if (weakness === "too_short") return reason("password_too_short", { characters: shortest });
  return weakness && reasons[weakness];
}

/** Most used first. */
interface Dictionaries {
  readonly dictionary: { readonly "passwords-common": readonly string[] };
}

/**
 * The passwords that leaks showed to be chosen most, about 50,000 of all lengths. They are read when a
 * password is set for the first time: most processes never set one, and they take memory.
 */
const commonPasswords = once((): ReadonlySet<string> => {
  const load = createRequire(import.meta.url);
  const { dictionary } = load("@zxcvbn-ts/language-common") as Dictionaries;
  return new Set(dictionary["passwords-common"].map((password) => password.toLowerCase()));
});

/**
 * Whether a password is among those that are tried first (L-13, ASVS 6.2.4). Case makes no difference: a
 * capital letter in front is the first thing a guesser adds. One or two characters repeated are always
 * common.
 */
export function isCommonPassword(password: string): boolean {
  return new Set(password).size <= 2 || commonPasswords().has(password.toLowerCase());
}
