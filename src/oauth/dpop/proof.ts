/** DPoP proofs and their nonces (RFC 9449 4.2, 4.3, 8). */
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
import { among, type Demands } from "../../records/names/profiles.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";

export interface ProvenRequest {
  readonly method: string;
  readonly path: string;
  /** Several `DPoP` headers are joined by commas (RFC 9110 5.3). */
  readonly dpop: string | undefined;
  readonly access_token?: string;
}

interface DpopProof {
  readonly jkt: string;
  readonly alg: ProofAlgorithm;
  readonly jti: string;
  /** Unix time in seconds; not yet checked against the clock. */
  readonly iat: number;
  readonly nonce: string | undefined;
}

/** Characters (PR-48). */
const longestJti = 256;

/** Seconds (PR-48). */
const clockTolerance = 60;

/**
 * Milliseconds for which the server issues the same nonce. It accepts the nonce for as long again (PR-48).
 */
const nonceWindow = 150_000;

export function dpopAlgorithms({ client_algorithms }: Pick<Demands, "client_algorithms">): readonly string[] {
  return among(proofAlgorithms, client_algorithms);
}

/**
 * Reads the proof in a `DPoP` header. Throws `invalid_dpop_proof`, with a separate description for each
 * error.
 */
export async function readProof(header: string, request: ProvenRequest, issuer: string): Promise<DpopProof> {
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

async function keyOf(proof: Assertion): Promise<EmbeddedKey & Pick<DpopProof, "alg">> {
  const { typ, alg, jwk, crit } = proof.header;
  // Another kind of JWT is not a proof, even if its signature is valid (RFC 8725 3.11).
  if (typ !== "dpop+jwt") throw refuse("dpop_typ", { received: typ });
  if (!isProofAlgorithm(alg)) throw refuse("dpop_alg", { received: alg, allowed: proofAlgorithms });
  if (crit !== undefined) throw refuse("dpop_crit");
  const key = readEmbeddedKey(jwk, alg);
  if (key === "private") throw refuse("dpop_jwk_private");
  if (key === "unfit") throw refuse("dpop_jwk", { alg });
  if (!(await isSignedByEmbedded(proof, key, alg))) throw refuse("dpop_unverified");
  return { ...key, alg };
}

/**
 * The issuer comes from the settings, because no request header may decide to which URL the request was sent.
 */
function readTarget(
  { htm, htu }: Assertion["claims"],
  { method, path }: ProvenRequest,
  issuer: string,
): void {
  if (htm !== method) throw refuse("dpop_htm", { received: htm, expected: method });
  const expected = `${issuer}${path}`;
  const received = typeof htu === "string" ? normalizedHtu(htu) : undefined;
  if (received === undefined || received !== normalizedHtu(expected)) {
    throw refuse("dpop_htu", { received: htu, expected });
  }
}

/**
 * Returns a URL normalized as in RFC 3986 6.2.2 and 6.2.3, without query and fragment (RFC 9449 4.3).
 * Undefined if the string is not a well-formed http or https URL, or contains user information.
 */
export function normalizedHtu(text: string): string | undefined {
  // URL parsers repair spaces, backslashes and similar characters, so a URL that needs repair is refused
  // here.
  if (!/^https?:\/\/[^\s\\/?#]/i.test(text) || /[^\x21-\x7E]|[\\^`{|}<>"]/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const path = url.pathname.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
  return `${url.origin}${path}`;
}

/**
 * Returns when the proof expires; it must be remembered as used until then. Throws for an expired or unknown
 * nonce, and for a missing one if `dpop_nonce` requires it (RFC 9449 8). With `dpop_nonce=off`, throws if
 * `iat` is not close to the server's clock.
 */
export function proofEnd({ iat, nonce }: DpopProof, server: AuthorizationServer): Date {
  const { dpop_nonce = "clock" } = server.settings;
  const now = server.now().getTime() / 1000;
  const nonce_end = nonce === undefined ? undefined : nonceEnd(server, nonce);
  if (nonce !== undefined && nonce_end === undefined) throw refuse("dpop_nonce_ended");
  if (nonce_end !== undefined && dpop_nonce !== "off") return nonce_end;
  const skew = Math.round(now - iat);
  const isCurrent = Math.abs(now - iat) <= clockTolerance;
  if (dpop_nonce === "always") throw refuse("dpop_nonce_missing");
  if (isCurrent) return new Date((iat + clockTolerance) * 1000);
  throw refuse(dpop_nonce === "clock" ? "dpop_clock_nonce" : "dpop_clock", { skew, most: clockTolerance });
}

type Nonces = Pick<AuthorizationServer, "sealer" | "issuer" | "now">;

const windowOf = (now: Date) => Math.floor(now.getTime() / nonceWindow);
const nonceText = (issuer: string, number: number) => `${issuer} ${number}`;

/** Returns the nonce for the next proof, which is the same in every process and is not stored. */
export function currentNonce({ sealer, issuer, now }: Nonces): string {
  return sealer.mac("dpop_nonce", nonceText(issuer, windowOf(now())));
}

/** A nonce of the next period is valid too, because the clock of the process that issued it may be ahead. */
function nonceEnd({ sealer, issuer, now }: Nonces, nonce: string): Date | undefined {
  const current = windowOf(now());
  const of = [current, current - 1, current + 1].find((number) =>
    sealer.macIs("dpop_nonce", nonceText(issuer, number), nonce),
  );
  return of === undefined ? undefined : new Date((of + 2) * nonceWindow);
}
