/**
 * Keys that never enter this process. An external signer (a PKCS#11 token, or an HTTP service) creates and
 * uses them.
 */
import type { SigningAlgorithm, SigningPublicJwk } from "./signing_algorithms.ts";

interface OutsideKey {
  /** Identifies the key to the signer: a string of at most 512 characters that the signer chose. */
  readonly reference: string;
  readonly public_jwk: SigningPublicJwk;
}

export interface OutsideSigner {
  generate(algorithm: SigningAlgorithm): Promise<OutsideKey>;
  /**
   * Returns the signature of the JWS input in the format of RFC 7518, section 3; for ES256, two
   * concatenated numbers.
   */
  sign(reference: string, algorithm: SigningAlgorithm, input: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}
