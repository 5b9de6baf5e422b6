import { isCommonPassword } from "./common_passwords.ts";

const fewestCharacters = 8;
/** Bytes of UTF-8, the limit of the hasher (L-12). */
const mostBytes = 1024;

export type PasswordWeakness = "too_short" | "too_long" | "too_common";

/** Why a text cannot become a password; undefined when it can. Any composition is fine (L-13). */
export function passwordWeakness(password: string): PasswordWeakness | undefined {
  if ([...password].length < fewestCharacters) return "too_short";
  if (!password.isWellFormed() || Buffer.byteLength(password) > mostBytes) return "too_long";
  return isCommonPassword(password) ? "too_common" : undefined;
}

const sentences: Readonly<Record<PasswordWeakness, string>> = {
  too_short: `must be ${fewestCharacters} characters or more`,
  too_long: `must be at most ${mostBytes} bytes of UTF-8`,
  too_common: "is one of those that are guessed first",
};

/** The same in English, as a sentence without its subject. */
export function passwordFault(password: string): string | undefined {
  const weakness = passwordWeakness(password);
  return weakness && sentences[weakness];
}
