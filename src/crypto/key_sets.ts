/** Reads the public keys that a client registers as a JWK Set (RFC 7517, section 5). */
import type { KeyObject } from "node:crypto";
import { type FieldError, fieldError, type Reason, reason } from "../errors/field_errors.ts";
import { factsOf, keyOfJwk, privateMembers } from "./public_keys.ts";

export interface ClientKey {
  readonly kid: string | undefined;
  readonly key: KeyObject;
  /** The algorithms that the key may be used with: `alg` of the JWK or, without it, all that fit the key. */
  readonly algorithms: readonly string[];
}

export const mostClientKeys = 10;

export const mostKeySetBytes = 16_384;

const rsaPss = ["PS256", "PS384", "PS512"];

/**
 * Returns the signature keys of a JWK Set: RSA of 2048 to 8192 bits, P-256, P-384, P-521 and Ed25519 (RFC
 * 7518; RFC 8037). Omits keys with a `use` other than `sig`.
 */
export function readKeySet(set: unknown): readonly ClientKey[] | { readonly errors: readonly FieldError[] } {
  if (!isObject(set) || !Array.isArray(set.keys)) return { errors: [fieldError("", "not_key_set")] };
  if (Buffer.byteLength(JSON.stringify(set)) > mostKeySetBytes) {
    return { errors: [fieldError("", "too_many_bytes", { bytes: mostKeySetBytes })] };
  }
  const jwks: readonly unknown[] = set.keys;
  if (jwks.length > mostClientKeys) {
    return { errors: [fieldError("/keys", "too_many_keys", { keys: mostClientKeys })] };
  }
  const errors: FieldError[] = [];
  const keys: ClientKey[] = [];
  const kids = new Set<string>();
  for (const [index, jwk] of jwks.entries()) {
    const path = `/keys/${index}`;
    if (!isObject(jwk)) {
      errors.push(fieldError(path, "not_jwk"));
      continue;
    }
    const secrets = privateMembers.filter((name) => Object.hasOwn(jwk, name));
    errors.push(...secrets.map((name) => fieldError(`${path}/${name}`, "private_key")));
    const { kid } = jwk;
    const whyNotKid = kidReason(kid, kids, jwks.length > 1);
    if (whyNotKid !== undefined) errors.push({ path: `${path}/kid`, ...whyNotKid });
    if (secrets.length > 0) continue;
    const read = readClientKey(jwk);
    if ("code" in read) errors.push({ path, ...read });
    else if (jwk.use === undefined || jwk.use === "sig") {
      keys.push({ kid: typeof kid === "string" ? kid : undefined, ...read });
    }
  }
  return errors.length > 0 ? { errors } : keys;
}

function kidReason(kid: unknown, earlier: Set<string>, isNeeded: boolean): Reason | undefined {
  if (kid === undefined) return isNeeded ? reason("key_id_missing") : undefined;
  if (typeof kid !== "string") return reason("not_string");
  if (earlier.has(kid)) return reason("key_id_of_earlier_key");
  earlier.add(kid);
  return undefined;
}

function readClientKey(
  jwk: Readonly<Record<string, unknown>>,
): Pick<ClientKey, "key" | "algorithms"> | Reason {
  const key = keyOfJwk(jwk, ["RSA", "EC", "OKP"]);
  if (key === undefined) return reason("unsupported_client_key");
  const algorithms = algorithmsOf(key);
  if ("code" in algorithms) return algorithms;
  const { alg } = jwk;
  if (alg === undefined || jwk.use === "enc") return { key, algorithms };
  return algorithms.some((name) => name === alg)
    ? { key, algorithms: [String(alg)] }
    : reason("not_algorithm_of_key", { algorithms });
}

function algorithmsOf(key: KeyObject): readonly string[] | Reason {
  // RFC 8037 names the algorithm EdDSA, and RFC 9864 names it Ed25519.
  if (key.asymmetricKeyType === "ed25519") return ["EdDSA", "Ed25519"];
  const facts = factsOf(key);
  if ("code" in facts) return facts.code === "unsupported_key" ? reason("unsupported_client_key") : facts;
  return facts.key_type === "rsa" ? [...facts.algorithms, ...rsaPss] : facts.algorithms;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
