import { createRequire } from "node:module";
import { once } from "../lazily.ts";

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
