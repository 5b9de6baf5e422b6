import { listItems, Unfit } from "./unfit.ts";

export const makeKey = "create one with: openssl rand -base64 32";

export function secretKeys(text: string): Buffer[] {
  const items = listItems(text);
  return items.map((item, index) => {
    const which = items.length > 1 ? `key ${index + 1} of ${items.length}: ` : "";
    const key = keyBytes(item);
    if (key === undefined) {
      throw new Unfit(`${which}expected base64, base64url or hex; ${makeKey}`);
    }
    if (key.length < 32) {
      throw new Unfit(`${which}expected at least 32 bytes, got ${key.length}; ${makeKey}`);
    }
    if (new Set(key).size < 8 || repeatsItself(key)) {
      throw new Unfit(`${which}expected random bytes, got a guessable pattern; ${makeKey}`);
    }
    return key;
  });
}

/** Text of hex digits alone is never read as base64, in which a short key would count as a longer one. */
function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]+$/i.test(text)) return text.length % 2 === 0 ? Buffer.from(text, "hex") : undefined;
  const digits = text.replace(/={0,2}$/, "");
  const oneAlphabet = /^[A-Za-z0-9+/]+$/.test(digits) || /^[A-Za-z0-9_-]+$/.test(digits);
  return oneAlphabet && digits.length % 4 !== 1 ? Buffer.from(digits, "base64") : undefined;
}

function repeatsItself(key: Buffer): boolean {
  const halfway = Math.floor(key.length / 2);
  return Array.from({ length: halfway }, (_, index) => index + 1).some((period) =>
    key.subarray(period).equals(key.subarray(0, key.length - period)),
  );
}
