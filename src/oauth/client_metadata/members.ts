/**
 * Unsupported values of client metadata (RFC 7591 2) are left out without an error; only a key set can be an
 * error.
 */
import { readPublishedKeys } from "../../crypto/client_keys.ts";
import { readKeySet } from "../../crypto/key_sets.ts";
import { privateMembers } from "../../crypto/public_keys.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { openRedirectUriError } from "../../records/formats/open_redirect_uris.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type ClientKeyAlgorithm, clientKeyAlgorithms } from "../../records/names/names.ts";
import { isPlainText } from "../../records/names/plain_text.ts";

export type ClientMembers = Readonly<Record<string, unknown>>;

const longestName = 255;
const longestUrl = 2048;

export function readableName(value: unknown): string | undefined {
  const name = typeof value === "string" ? value.trim() : "";
  return name !== "" && name.length <= longestName && isPlainText(name, "line") ? name : undefined;
}

/** Returns each usable redirect URI once; an unusable one does not invalidate the others (PR-10). */
export function usableRedirectUris(uris: readonly string[]): readonly string[] {
  return [...new Set(uris.filter((uri) => openRedirectUriError(uri) === undefined))];
}

/** Returns the value if it is an https URL of ASCII characters, without user information and fragment. */
export function httpsUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > longestUrl || value.includes("#")) return undefined;
  // The URL parser would drop line breaks. Characters outside ASCII may be invisible on a page or change the
  // text direction.
  if (!/^[\x21-\x7E]+$/.test(value)) return undefined;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? value : undefined;
}

/**
 * Returns the value if it is an algorithm with which clients may sign assertions; undefined otherwise, for
 * example for `none`.
 */
export function clientAlgorithm(value: unknown): ClientKeyAlgorithm | undefined {
  return clientKeyAlgorithms.find((name) => name === value);
}

export type KeySetError = "not_key_set" | "private_key" | "no_keys";

/**
 * Returns a key set with only the keys that can verify signatures (RFC 7517 5), or the error. A private key
 * is always an error, because the client sent or published it.
 */
export function usableKeys(jwks: unknown): JsonObject | KeySetError {
  if (!isObject(jwks) || !Array.isArray(jwks.keys)) return "not_key_set";
  const all: readonly unknown[] = jwks.keys;
  const isPrivate = (jwk: unknown) =>
    isObject(jwk) && privateMembers.some((name) => Object.hasOwn(jwk, name));
  if (all.some(isPrivate)) return "private_key";
  const keys = all.filter((jwk) => (readPublishedKeys({ keys: [jwk] }) ?? []).length > 0) as JsonObject[];
  if (keys.length === 0) return "no_keys";
  return "errors" in readKeySet({ keys }) ? "not_key_set" : { keys };
}

/** Maximum number of levels of nested arrays and objects; no key set needs more. */
const deepest = 8;

/**
 * Returns whether the database can store all strings of a JSON value. Returns false for more than `levels`
 * levels of nested arrays and objects.
 */
export function isStorable(value: unknown, levels = deepest): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item, levels - 1));
}

/**
 * Returns the first field name that is repeated in one object of valid JSON. Of repeated fields, `JSON.parse`
 * uses the last value, but other parsers may not (RFC 8259 4).
 */
export function repeatedMember(json: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  let last: string | undefined;
  for (const [token] of json.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (token === ":" && last !== undefined) {
      const name = JSON.parse(last) as string;
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
    last = token.startsWith('"') ? token : undefined;
  }
  return undefined;
}
