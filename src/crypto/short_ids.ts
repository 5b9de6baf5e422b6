/** Ids that people copy, read out and type: 10 characters of Crockford's base32, 50 random bits. */
import { randomBytes } from "node:crypto";
import { crockford, readCrockford } from "./crockford.ts";

const characters = 10;

export function newShortId(): string {
  return crockford(randomBytes(characters));
}

/** The id in a typed text, read as `readCrockford` does. Undefined if it is none. */
export function readShortId(text: string): string | undefined {
  return readCrockford(text, characters);
}
