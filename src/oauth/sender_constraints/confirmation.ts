/** The keys of senders, as tokens and grants remember them. */
import type { OAuthError } from "../../errors.ts";
import type { JsonObject } from "../../records/field.ts";
import type { Codes } from "../../storage/ports.ts";

/** What an access token is called in answers, and its scheme (RFC 6750, RFC 9449 7.1). */
export type TokenType = "Bearer" | "DPoP";

/** The keys that a token or a grant is bound to, by the member of `cnf` (RFC 7800 3.1). */
export type BoundKeys = JsonObject;

/** The refusals of proofs of one constraint. */
export interface ProofRefusals {
  /** The request has none. */
  missing(): OAuthError;
  /** It is signed by what the rules of its client do not allow. */
  algorithm(given: { readonly received: string; readonly allowed: readonly string[] }): OAuthError;
  /** It was used before. */
  used(): OAuthError;
}

/** A proof that counts once: the key under which that is kept, and until when. */
export interface UnusedProof {
  readonly kind: Parameters<Codes["useOnce"]>[0];
  readonly key: Buffer;
  readonly ends_at: Date;
}

/** With what is thrown of it. */
type Refusable<T> = T & { readonly refusals: ProofRefusals };

/** The keys that the sender of a request has proved to hold. */
export interface Confirmation {
  readonly cnf: BoundKeys;
  readonly token_type: TokenType;
  /** What the proofs were signed by. */
  readonly algorithms: readonly Refusable<{ readonly algorithm: string }>[];
  /** Not yet marked: a request that is refused for another reason costs no row. */
  readonly marks: readonly Refusable<UnusedProof>[];
}
