import type { JsonObject } from "../../records/definition/field.ts";
import { evidence, fact } from "../../records/names/evidence.ts";
import { invalidGrant, invalidRequest, missing, refusalsOf } from "./catalogued.ts";

const invalidProof = refusalsOf("invalid_dpop_proof");
const useNonce = refusalsOf("use_dpop_nonce");
const invalidToken = refusalsOf("invalid_token");

export interface Member {
  readonly received: unknown;
}

const member = (name: string, received?: unknown, expected?: string | readonly string[]) =>
  evidence("proof", name, received === undefined ? null : JSON.stringify(received), expected);

const lacking = (name: string, description: string) => invalidProof(description, () => member(name));

/** `skew` is the server's time minus the proof's `iat`, in seconds. */
export interface Clock {
  readonly skew: number;
  readonly most: number;
}

const clock = ({ skew, most }: Clock) =>
  `the proof's iat is ${Math.abs(skew)} seconds ${skew < 0 ? "ahead of" : "behind"} this server's clock; the maximum is ${most}`;
const skewOf = ({ skew, most }: Clock) =>
  evidence(
    skew < 0 ? "proof_clock_ahead" : "proof_clock_behind",
    "iat",
    String(Math.abs(skew)),
    String(most),
  );

export interface OfOtherKey {
  readonly received: string | undefined;
  readonly expected: JsonObject;
}

const keys = ({ received, expected }: OfOtherKey) =>
  evidence("proof_key", "cnf", received === undefined ? [] : [`jkt ${received}`], [`jkt ${expected.jkt}`]);

const ended = "the proof's nonce is unknown or expired; retry with the nonce from the DPoP-Nonce header";

/**
 * Refusals of DPoP proofs (RFC 9449 4.3). The descriptions are detailed, because the caller holds the signing
 * key.
 */
export const proofRefusals = {
  dpop_missing: invalidProof("this request requires a DPoP proof in the DPoP header", missing("DPoP")),
  dpop_repeated: invalidProof("the request must have one DPoP header with one proof", () =>
    fact("authorization_header", "DPoP", "two_ways"),
  ),
  dpop_not_jwt: invalidProof("the DPoP proof is not a signed JWT in compact serialization", () =>
    fact("proof", "DPoP", "not_a_jwt"),
  ),
  dpop_typ: invalidProof("the proof's typ must be dpop+jwt", ({ received }: Member) =>
    member("typ", received, "dpop+jwt"),
  ),
  dpop_alg: invalidProof(
    ({ allowed }: Member & { readonly allowed: readonly string[] }) =>
      `the proof must be signed with one of ${allowed.join(", ")}`,
    ({ received, allowed }) => member("alg", received, allowed),
  ),
  dpop_crit: lacking(
    "crit",
    "the proof's header has crit, but this server supports no critical extensions; remove crit",
  ),
  dpop_jwk_private: lacking(
    "jwk",
    "the proof's jwk contains a private key; create a new key pair and send only the public key",
  ),
  dpop_jwk: invalidProof(
    ({ alg }: { alg: string }) => `the proof's jwk must be a public key that supports its alg, ${alg}`,
    ({ alg }) => evidence("proof", "jwk", null, alg),
  ),
  dpop_unverified: invalidProof("the proof is not signed with the key in its jwk", () =>
    fact("proof", "signature", "unverified"),
  ),
  dpop_htm: invalidProof(
    ({ expected }: Member & { expected: string }) => `the proof's htm must be ${expected}`,
    ({ received, expected }) => member("htm", received, expected),
  ),
  dpop_htu: invalidProof(
    ({ expected }: Member & { expected: string }) => `the proof's htu must be ${expected.slice(0, 200)}`,
    ({ received, expected }) =>
      evidence("proof_address", "htu", typeof received === "string" ? received : null, expected),
  ),
  dpop_jti: lacking("jti", "the proof must have jti, a string of at most 256 characters"),
  dpop_iat: lacking("iat", "the proof must have iat, a Unix time in seconds"),
  dpop_clock: invalidProof(clock, skewOf),
  dpop_ath_missing: lacking("ath", "the proof must have ath, the hash of the access token"),
  dpop_ath: lacking("ath", "the proof's ath does not match the access token in the request"),
  dpop_replayed: invalidProof("the proof was already used; create a new one for each request", () =>
    fact("proof", "jti", "used"),
  ),
  dpop_nonce_malformed: lacking("nonce", "the proof's nonce must be a string"),
  dpop_nonce_missing: useNonce(
    "the proof must have a nonce; retry with the nonce from the DPoP-Nonce header",
    () => member("nonce"),
  ),
  dpop_nonce_ended: useNonce(ended, () => fact("proof", "nonce", "expired")),
  dpop_clock_nonce: useNonce(
    (input: Clock) => `${clock(input)}; retry with the nonce from the DPoP-Nonce header`,
    skewOf,
  ),
  /** The response does not name the key to which a code or refresh token is bound. */
  grant_of_other_key: invalidGrant("the proof is not signed with the key that the grant is bound to", keys),
  dpop_jkt_differs: invalidRequest(
    "dpop_jkt does not match the key that signed the proof",
    ({ received, expected }: { received: string; expected: string }) =>
      evidence("proof_key", "dpop_jkt", received, expected),
  ),
  dpop_jkt: invalidRequest(
    "dpop_jkt must be a SHA-256 JWK thumbprint: 43 characters in base64url",
    ({ received }: { received: string }) =>
      evidence("length", "dpop_jkt", String(received.length), ["43", "43"]),
  ),
};

/** Refusals of access tokens presented with the wrong scheme or key (RFC 9449 7.1, 7.2). */
export const bindingRefusals = {
  token_bound: invalidToken(
    "the access token is bound to a key; send it with the DPoP scheme and a proof",
    keys,
  ),
  token_of_other_key: invalidToken(
    "the proof is not signed with the key that the access token is bound to",
    keys,
  ),
  token_unbound: invalidToken("the access token is not bound to a key; send it with the Bearer scheme", () =>
    evidence("proof", "Authorization", "DPoP", "Bearer"),
  ),
};
