import { randomInt } from "node:crypto";

/** Eight digits suffice, because the attempts per code are limited. */
const digits = 8;

export function newMailCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, "0");
}

/** Removes spaces and dashes from a typed code. */
export function readMailCode(text: string): string {
  return text.slice(0, 4 * digits).replaceAll(/[\s-]/g, "");
}

export const mailCodeText = (code: string): string => `${code.slice(0, 4)} ${code.slice(4)}`;
