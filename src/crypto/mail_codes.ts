import { randomInt } from "node:crypto";

/** Eight digits are enough, because each code allows only a few attempts in total. */
const digits = 8;

export function newMailCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** Removes the spaces and dashes that users type in a code. */
export function readMailCode(text: string): string {
  return text.slice(0, 4 * digits).replaceAll(/[\s-]/g, "");
}

export const mailCodeText = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
