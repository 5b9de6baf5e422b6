import { randomInt } from "node:crypto";

/** Digits of a code that people copy from a mail; a few tries at it are all that anybody has. */
const digits = 8;

/** A code for a mail: eight random digits. */
export function newMailCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** What was typed of such a code, without the blanks that people put into it. */
export function readMailCode(text: string): string {
  return text.slice(0, 4 * digits).replaceAll(/[\s-]/g, "");
}

/** A code as people read it: two groups of four. */
export const mailCodeText = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
