import { randomInt } from "node:crypto";

/** Digits of a mailed code; each code allows only a few tries in total. */
const digits = 8;

/** A code for a mail: eight random digits. */
export function newMailCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** The typed code, without the blanks that people add. */
export function readMailCode(text: string): string {
  return text.slice(0, 4 * digits).replaceAll(/[\s-]/g, "");
}

/** A code as people read it: two groups of four. */
export const mailCodeText = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
