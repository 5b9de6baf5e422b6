/** Which of a client's public keys verifies an assertion. */
import { type ClientKey, readKeySet } from "./key_sets.ts";

/** Only the first keys of a larger published set are read. */
const mostPublishedKeys = 20;

/**
 * The keys of a set that a client publishes. Keys that cannot verify are skipped, as RFC 7517 5 requires:
 * other kinds and uses, short keys, and keys published with their private half.
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

/** The only possible key of the set, by its `kid` if given; undefined for none and for several. */
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

/** A key of the right kind may be registered for another of its algorithms; its holder gets that message. */
function kindOf({ algorithms: [alg = ""] }: ClientKey): string {
  return kindOfAlgorithm(alg);
}

/** The kind and curve of key that an algorithm needs (RFC 7518 3.1, RFC 8037 3.1). */
function kindOfAlgorithm(alg: string): string {
  if (alg.startsWith("Ed")) return "Ed25519";
  return alg.startsWith("ES") ? alg : "RSA";
}
