import type { JsonObject } from "../../records/definition/field.ts";
import { evidence, fact } from "../../records/names/evidence.ts";
import { invalidGrant, invalidRequest, missing, refusalsOf } from "./catalogued.ts";

const invalidProof = refusalsOf("invalid_dpop_proof");
const useNonce = refusalsOf("use_dpop_nonce");
const invalidToken = refusalsOf("invalid_token");

export interface Member {
  /** As it stands in the header or the claims. */
  readonly received: unknown;
}

const member = (name: string, received?: unknown, expected?: string | readonly string[]) =>
  evidence("proof", name, received === undefined ? null : JSON.stringify(received), expected);

/** A refusal of a member whose value is not shown. */
const lacking = (name: string, description: string) => invalidProof(description, () => member(name));

/** A client's clock against ours, seconds: `skew` is how far it is behind. */
export interface Clock {
  readonly skew: number;
  readonly most: number;
}

const clock = ({ skew, most }: Clock) =>
  `the iat of the proof is ${Math.abs(skew)} seconds ${skew < 0 ? "ahead of" : "behind"} the clock of this server, and ${most} are allowed`;
const skewOf = ({ skew, most }: Clock) =>
  evidence(
    skew < 0 ? "proof_clock_ahead" : "proof_clock_behind",
    "iat",
    String(Math.abs(skew)),
    String(most),
  );

export interface OfOtherKey {
  /** The thumbprint that was proved. */
  readonly received: string | undefined;
  readonly expected: JsonObject;
}

const keys = ({ received, expected }: OfOtherKey) =>
  evidence("proof_key", "cnf", received === undefined ? [] : [`jkt ${received}`], [`jkt ${expected.jkt}`]);

const ended =
  "the nonce of the proof is not one of this server, or has ended; use that of the header DPoP-Nonce";

/** Of proofs of possession (RFC 9449 4.3), told to their sender, who holds the key that signed them. */
export const proofRefusals = {
  dpop_missing: invalidProof("a DPoP proof is required here, and the request has none", missing("DPoP")),
  dpop_repeated: invalidProof("the header DPoP must come once, with one proof", () =>
    fact("authorization_header", "DPoP", "two_ways"),
  ),
  dpop_not_jwt: invalidProof("the DPoP proof is not a signed JWT in compact form", () =>
    fact("proof", "DPoP", "not_a_jwt"),
  ),
  dpop_typ: invalidProof("the typ of the proof must be dpop+jwt", ({ received }: Member) =>
    member("typ", received, "dpop+jwt"),
  ),
  dpop_alg: invalidProof(
    ({ allowed }: Member & { readonly allowed: readonly string[] }) =>
      `the proof must be signed with one of ${allowed.join(", ")}`,
    ({ received, allowed }) => member("alg", received, allowed),
  ),
  dpop_crit: lacking("crit", "the header of the proof has crit, and no extension is understood here"),
  dpop_jwk_private: lacking(
    "jwk",
    "the jwk of the proof holds a private key; make a new key, and send its public half",
  ),
  dpop_jwk: invalidProof(
    ({ alg }: { alg: string }) => `the jwk of the proof must be a public key that fits its alg, ${alg}`,
    ({ alg }) => evidence("proof", "jwk", null, alg),
  ),
  dpop_unverified: invalidProof("the proof is not signed with the key of its jwk", () =>
    fact("proof", "signature", "unverified"),
  ),
  dpop_htm: invalidProof(
    ({ expected }: Member & { expected: string }) => `the htm of the proof must be ${expected}`,
    ({ received, expected }) => member("htm", received, expected),
  ),
  dpop_htu: invalidProof(
    ({ expected }: Member & { expected: string }) => `the htu of the proof must be ${expected.slice(0, 200)}`,
    ({ received, expected }) =>
      evidence("proof_address", "htu", typeof received === "string" ? received : null, expected),
  ),
  dpop_jti: lacking("jti", "the proof lacks jti, a text of at most 256 characters"),
  dpop_iat: lacking("iat", "the proof lacks iat, a time in seconds"),
  dpop_clock: invalidProof(clock, skewOf),
  dpop_ath_missing: lacking("ath", "the proof lacks ath, the hash of the access token"),
  dpop_ath: lacking("ath", "the ath of the proof is not the hash of the access token beside it"),
  dpop_replayed: invalidProof("the proof was already used; make a new one for each request", () =>
    fact("proof", "jti", "used"),
  ),
  dpop_nonce_malformed: lacking("nonce", "the nonce of the proof must be a text"),
  dpop_nonce_missing: useNonce("the proof needs the nonce of the header DPoP-Nonce", () => member("nonce")),
  dpop_nonce_ended: useNonce(ended, () => fact("proof", "nonce", "expired")),
  dpop_clock_nonce: useNonce(
    (given: Clock) => `${clock(given)}; the nonce of the header DPoP-Nonce stands in for it`,
    skewOf,
  ),
  /** Of a code or a refresh token; the answer does not tell which key it is. */
  grant_of_other_key: invalidGrant("the grant is bound to another key than the proof is signed with", keys),
  dpop_jkt_differs: invalidRequest(
    "dpop_jkt names another key than the proof is signed with",
    ({ received, expected }: { received: string; expected: string }) =>
      evidence("proof_key", "dpop_jkt", received, expected),
  ),
  dpop_jkt: invalidRequest(
    "dpop_jkt must be the SHA-256 thumbprint of a key, 43 characters of base64url",
    ({ received }: { received: string }) =>
      evidence("length", "dpop_jkt", String(received.length), ["43", "43"]),
  ),
};

/** Of access tokens that are presented otherwise than they are bound (RFC 9449 7.1, 7.2). */
export const bindingRefusals = {
  token_bound: invalidToken("the access token is bound to a key, and must come as DPoP with a proof", keys),
  token_of_other_key: invalidToken(
    "the access token is bound to another key than the proof is signed with",
    keys,
  ),
  token_unbound: invalidToken("the access token is bound to no key, and must come as Bearer", () =>
    evidence("proof", "Authorization", "DPoP", "Bearer"),
  ),
};
