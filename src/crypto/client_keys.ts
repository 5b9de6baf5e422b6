import { type ClientKey, readKeySet } from "./key_sets.ts";

const mostPublishedKeys = 20;

/**
 * Returns the usable keys of a set that a client publishes. Keys that cannot verify are skipped, as RFC
 * 7517, section 5 requires: those of other kinds or uses, short keys, and keys published with their private
 * half.
 */
export function readPublishedKeys(set: unknown): readonly ClientKey[] | undefined {
  const jwks: unknown = typeof set === "object" && set !== null && "keys" in set ? set.keys : undefined;
  if (!Array.isArray(jwks)) return undefined;
  return jwks.slice(0, mostPublishedKeys).flatMap(readOne);
}

function readOne(jwk: unknown): readonly ClientKey[] {
  const read = readKeySet({ keys: [jwk] });
  return "errors" in read ? [] : read;
}

/** Returns the only matching key of the set, by its `kid` if given; undefined if none or several match. */
export function fittingKey(
  keys: readonly ClientKey[],
  kid: string | undefined,
  alg: string,
): ClientKey | undefined {
  const [first, ...others] = keys.filter(
    (key) => (kid === undefined || key.kid === kid) && kindOf(key) === kindOfAlgorithm(alg),
  );
  return others.length === 0 ? first : undefined;
}

/**
 * Keys are matched by kind, not by algorithm: if the matching key is registered for another algorithm, its
 * holder gets a specific error.
 */
function kindOf({ algorithms: [alg = ""] }: ClientKey): string {
  return kindOfAlgorithm(alg);
}

/**
 * Returns the kind and curve of key that an algorithm needs (RFC 7518, section 3.1; RFC 8037, section 3.1).
 */
function kindOfAlgorithm(alg: string): string {
  if (alg.startsWith("Ed")) return "Ed25519";
  return alg.startsWith("ES") ? alg : "RSA";
}
