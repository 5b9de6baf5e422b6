import { type ClientKey, readKeySet } from "./key_sets.ts";

const mostPublishedKeys = 20;

/**
 * Returns the usable keys among the first 20 of a JWK Set that a client publishes; undefined if `set` is not
 * a JWK Set. Keys that this server cannot verify signatures with are skipped, as RFC 7517, section 5
 * requires. Such keys have an unsupported type or `use`, are too short, or include their private half.
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
 * Returns the key of the set whose type fits the algorithm and, if `kid` is given, whose `kid` is the same.
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
 * Keys are matched by type and curve rather than by algorithm. If the matching key is registered for another
 * algorithm, the client then gets an error that says so.
 */
function kindOf({ algorithms: [alg = ""] }: ClientKey): string {
  return kindOfAlgorithm(alg);
}

/** RFC 7518, section 3.1 and RFC 8037, section 3.1 define the key type and curve of each algorithm. */
function kindOfAlgorithm(alg: string): string {
  if (alg.startsWith("Ed")) return "Ed25519";
  return alg.startsWith("ES") ? alg : "RSA";
}
