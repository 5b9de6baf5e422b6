/**
 * Codes that replace a lost second factor: 16 characters of Crockford's base32, such as
 * `7K2M-QX9D-4TRB-VN0H`. The first group selects one code of the user's set; the other 60 bits are the
 * secret. A fast hash would require 112 bits (ASVS 6.5.2), so the codes are stored like passwords (MF-6).
 */
import { randomBytes } from "node:crypto";
import { crockford, readCrockford } from "./crockford.ts";

interface RecoveryCode {
  /** 4 characters, distinct within a set. They identify the code and are not secret. */
  readonly selector: string;
  /** 12 characters, which the `PasswordHasher` hashes. */
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
