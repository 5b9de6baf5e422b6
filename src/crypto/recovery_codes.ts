/**
 * Recovery codes, which replace a lost second factor, such as `7K2M-QX9D-4TRB-VN0H` (Crockford's base32). The
 * first group identifies the code; the rest is a 60-bit secret. The secret is hashed like a password, because
 * a fast hash would require 112 bits (ASVS 6.5.2, MF-6).
 */
import { randomBytes } from "node:crypto";
import { crockford, readCrockford } from "./crockford.ts";

interface RecoveryCode {
  /** Identifies the code among the user's codes; not secret. */
  readonly selector: string;
  readonly secret: string;
}

const codesInSet = 10;
const groupCharacters = 4;
const codeCharacters = 16;

export function newRecoveryCodes(): readonly RecoveryCode[] {
  const codes = new Map<string, RecoveryCode>();
  while (codes.size < codesInSet) {
    const code = divided(crockford(randomBytes(codeCharacters)));
    codes.set(code.selector, code);
  }
  return [...codes.values()];
}

export function shownRecoveryCode({ selector, secret }: RecoveryCode): string {
  return (selector + secret).replaceAll(/.{4}(?=.)/g, "$&-");
}

export function readRecoveryCode(text: string): RecoveryCode | undefined {
  const code = readCrockford(text, codeCharacters);
  return code === undefined ? undefined : divided(code);
}

function divided(code: string): RecoveryCode {
  return { selector: code.slice(0, groupCharacters), secret: code.slice(groupCharacters) };
}
