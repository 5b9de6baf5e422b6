import { factsOf, keyOfJwk } from "./public_keys.ts";
import { algorithms } from "./signing_algorithms.ts";

/** COSE algorithm numbers (RFC 9053, section 2; RFC 8812, section 2). */
export const passkeyAlgorithms = { EdDSA: -8, ES256: -7, RS256: -257 } as const;

type PasskeyAlgorithm = keyof typeof passkeyAlgorithms;

/**
 * A passkey's public key, decoded from CBOR (labels and values: RFC 9053, section 7; RFC 8230, section 4).
 */
interface CoseKey {
  get(label: number): unknown;
}

const label = { kty: 1, alg: 3 } as const;
const names = Object.keys(passkeyAlgorithms) as PasskeyAlgorithm[];
/** Maximum bytes of an RSA modulus, because the verification time grows with the square of its length. */
const mostRsaBytes = 512;

/**
 * Returns the COSE algorithm number of a passkey's public key; undefined if the algorithm is not accepted or
 * the key does not fit it.
 */
export function algorithmOfCoseKey(key: CoseKey): number | undefined {
  const algorithm = names.find((name) => passkeyAlgorithms[name] === key.get(label.alg));
  const parsed = algorithm && keyOfJwk(jwkOf(key, algorithm), ["OKP", "EC", "RSA"]);
  if (!parsed || !algorithms[algorithm].fits(parsed)) return undefined;
  if (algorithm === "RS256" && "code" in factsOf(parsed)) return undefined;
  return passkeyAlgorithms[algorithm];
}

function jwkOf(key: CoseKey, algorithm: PasskeyAlgorithm): Readonly<Record<string, unknown>> {
  const [first, second, third] = [key.get(-1), key.get(-2), key.get(-3)];
  switch (algorithm) {
    case "EdDSA":
      return key.get(label.kty) === 1 && first === 6
        ? { kty: "OKP", crv: "Ed25519", x: text(second, 32) }
        : {};
    case "ES256":
      return key.get(label.kty) === 2 && first === 1
        ? { kty: "EC", crv: "P-256", x: text(second, 32), y: text(third, 32) }
        : {};
    case "RS256":
      return key.get(label.kty) === 3 ? { kty: "RSA", n: text(first, mostRsaBytes), e: text(second, 4) } : {};
    default:
      return algorithm satisfies never;
  }
}

function text(value: unknown, most_bytes: number): string | undefined {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > most_bytes) return undefined;
  return Buffer.from(value).toString("base64url");
}
