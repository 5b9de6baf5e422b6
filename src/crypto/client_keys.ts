import { type ClientKey, readKeySet } from "./key_sets.ts";

const mostPublishedKeys = 20;

/**
 * Returns the keys among the first 20 of a published JWK Set that can verify signatures; undefined if `set`
 * is not a JWK Set. Skips private keys, and keys whose type, size, `alg` or `use` does not fit (RFC 7517,
 * section 5).
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
 * Returns the only key that fits the algorithm and, if given, has this `kid`. Undefined if there is no such
 * key or more than one.
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
 * Keys match by type and curve, not by `alg`. If the matching key is registered for another algorithm,
 * verification can then report that.
 */
function kindOf({ algorithms: [alg = ""] }: ClientKey): string {
  return kindOfAlgorithm(alg);
}

/** Returns the key type or curve of an algorithm (RFC 7518, section 3.1; RFC 8037, section 3.1). */
function kindOfAlgorithm(alg: string): string {
  if (alg.startsWith("Ed")) return "Ed25519";
  return alg.startsWith("ES") ? alg : "RSA";
}
