/** IDs that people read aloud and type: 10 characters of Crockford's base32 (50 random bits). */
import { randomBytes } from "node:crypto";
import { crockford, readCrockford } from "./crockford.ts";

const characters = 10;

export function newShortId(): string {
  return crockford(randomBytes(characters));
}

export function readShortId(text: string): string | undefined {
  return readCrockford(text, characters);
}
