/**
 * The interface of external signers (a PKCS #11 token or an HTTP service), whose private keys never enter
 * this process.
 */
import type { SigningAlgorithm, SigningPublicJwk } from "./signing_algorithms.ts";

interface OutsideKey {
  /** The signer's name for the key, at most 512 characters. */
  readonly reference: string;
  readonly public_jwk: SigningPublicJwk;
}

export interface OutsideSigner {
  generate(algorithm: SigningAlgorithm): Promise<OutsideKey>;
  /**
   * Returns the signature of the input in the format of RFC 7518, section 3. For ES256, this is two
   * concatenated 32-byte numbers.
   */
  sign(reference: string, algorithm: SigningAlgorithm, input: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}
