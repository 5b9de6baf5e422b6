/** What a DPoP proof must be and say (RFC 9449 4.2, 4.3). */
import { type Assertion, readAssertion } from "../../crypto/assertions.ts";
import { sha256Base64url } from "../../crypto/digest.ts";
import {
  type EmbeddedKey,
  isProofAlgorithm,
  isSignedByEmbedded,
  type ProofAlgorithm,
  proofAlgorithms,
  readEmbeddedKey,
} from "../../crypto/embedded_keys.ts";
import { refuse } from "../refusals/refuse.ts";
import type { SenderRequest } from "../server.ts";
import { normalizedHtu } from "./htu.ts";

/** Characters of a `jti`. */
const longestJti = 256;

/** A proof for one request, by the holder of the key. */
export interface DpopProof {
  /** The thumbprint of the key. */
  readonly jkt: string;
  readonly alg: ProofAlgorithm;
  readonly jti: string;
  /** Unix time, seconds; not yet compared with any clock. */
  readonly iat: number;
  readonly nonce: string | undefined;
}

/**
 * Reads the value of the header `DPoP` for this request. Throws `invalid_dpop_proof`, with a description of
 * its own for each fault; what it received is compared only after the signature was.
 */
export async function readProof(header: string, request: SenderRequest, issuer: string): Promise<DpopProof> {
  if (header.includes(",")) throw refuse("dpop_repeated");
  const proof = readAssertion(header);
  if (proof === undefined) throw refuse("dpop_not_jwt");
  const key = await keyOf(proof);
  const { jti, iat, nonce, ath } = proof.claims;
  readTarget(proof.claims, request, issuer);
  if (typeof jti !== "string" || jti === "" || jti.length > longestJti) throw refuse("dpop_jti");
  if (typeof iat !== "number" || !Number.isFinite(iat)) throw refuse("dpop_iat");
  if (nonce !== undefined && typeof nonce !== "string") throw refuse("dpop_nonce_malformed");
  if (request.access_token !== undefined && ath !== sha256Base64url(request.access_token)) {
    throw refuse(ath === undefined ? "dpop_ath_missing" : "dpop_ath");
  }
  return { jkt: key.thumbprint, alg: key.alg, jti, iat, nonce };
}

/** The key inside the proof, by which it is signed. */
async function keyOf(proof: Assertion): Promise<EmbeddedKey & Pick<DpopProof, "alg">> {
  const { typ, alg, jwk, crit } = proof.header;
  // Another kind of JWT is no proof, even if well signed (RFC 8725 3.11).
  if (typ !== "dpop+jwt") throw refuse("dpop_typ", { received: typ });
  if (!isProofAlgorithm(alg)) throw refuse("dpop_alg", { received: alg, allowed: proofAlgorithms });
  if (crit !== undefined) throw refuse("dpop_crit");
  const key = readEmbeddedKey(jwk, alg);
  if (key === "private") throw refuse("dpop_jwk_private");
  if (key === "unfit") throw refuse("dpop_jwk", { alg });
  if (!(await isSignedByEmbedded(proof, key, alg))) throw refuse("dpop_unverified");
  return { ...key, alg };
}

/** The issuer is the configured one: no header of the request says where it was sent. */
function readTarget(
  { htm, htu }: Assertion["claims"],
  { method, path }: SenderRequest,
  issuer: string,
): void {
  if (htm !== method) throw refuse("dpop_htm", { received: htm, expected: method });
  const expected = `${issuer}${path}`;
  const received = typeof htu === "string" ? normalizedHtu(htu) : undefined;
  if (received === undefined || received !== normalizedHtu(expected)) {
    throw refuse("dpop_htu", { received: htu, expected });
  }
}
