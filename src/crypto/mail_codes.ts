import { randomInt } from "node:crypto";

/** Number of digits in a mailed code; each code allows only a few attempts in total. */
const digits = 8;

/** Returns a code for a mail: eight random digits. */
export function newMailCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** Returns the typed code without the spaces and dashes that users add. */
export function readMailCode(text: string): string {
  return text.slice(0, 4 * digits).replaceAll(/[\s-]/g, "");
}

/** Formats a code for users: two groups of four. */
export const mailCodeText = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
