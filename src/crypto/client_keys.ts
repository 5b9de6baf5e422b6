import { type ClientKey, readKeySet } from "./key_sets.ts";

const mostPublishedKeys = 20;

/**
 * Returns the usable signature keys among the first 20 of a JWK Set (RFC 7517, section 5). Undefined if `set`
 * is not a JWK Set.
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

/**
 * Returns the only key of the type and curve that the algorithm requires and, if given, with this `kid`.
 * Undefined if no key or several keys match.
 */
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
 * Keys match by type and curve, so that verification can report a key that is registered for another
 * algorithm.
 */
function kindOf({ algorithms: [alg = ""] }: ClientKey): string {
  return kindOfAlgorithm(alg);
}

/**
 * Returns a name for the type and curve of the keys of an algorithm (RFC 7518, section 3.1; RFC 8037, section
 * 3.1). Each ECDSA algorithm has its own curve, so its `alg` is that name.
 */
function kindOfAlgorithm(alg: string): string {
  if (alg.startsWith("Ed")) return "Ed25519";
  return alg.startsWith("ES") ? alg : "RSA";
}
