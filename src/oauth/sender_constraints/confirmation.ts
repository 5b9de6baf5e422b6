/** The keys of senders, as tokens and grants remember them. */
import type { JsonObject } from "../../records/field.ts";

/** What an access token is called in answers, and its scheme (RFC 6750, RFC 9449 7.1). */
export type TokenType = "Bearer" | "DPoP";

/** The keys that a token or a grant is bound to, by the member of `cnf` (RFC 7800 3.1). */
export type BoundKeys = JsonObject;

/** A proof that counts once: the key under which that is kept, and until when. */
export interface ProofMark {
  readonly kind: "dpop";
  readonly key: Buffer;
  readonly ends_at: Date;
}

/** The keys that the sender of a request has proved to hold. */
export interface Confirmation {
  readonly cnf: BoundKeys;
  readonly token_type: TokenType;
  /** What the proofs were signed by. */
  readonly algorithms: readonly string[];
  /** Not yet marked: a request that is refused for another reason costs no row. */
  readonly marks: readonly ProofMark[];
}
