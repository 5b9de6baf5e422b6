import { isCommonPassword } from "./common_passwords.ts";

const fewestCharacters = 8;
/** Bytes of UTF-8: what the hasher takes (requirements L-12). */
const mostBytes = 1024;

/** Why a text cannot become a password; undefined when it can. Any composition is fine (requirements L-13). */
export function passwordFault(password: string): string | undefined {
  if ([...password].length < fewestCharacters) return `must be ${fewestCharacters} characters or more`;
  if (!password.isWellFormed() || Buffer.byteLength(password) > mostBytes) {
    return `must be at most ${mostBytes} bytes of UTF-8`;
  }
  return isCommonPassword(password) ? "is one of those that are guessed first" : undefined;
}
