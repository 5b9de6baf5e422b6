/** Keys that never enter this process: a token by PKCS#11, or a signer over HTTP, makes and uses them. */
import type { SigningAlgorithm, SigningPublicJwk } from "./signing_algorithms.ts";

/** A key that a signer made. */
interface OutsideKey {
  /** Finds the key again: text of the signer's own, at most 512 characters. */
  readonly reference: string;
  readonly public_jwk: SigningPublicJwk;
}

/** One interface for every place where keys are kept outside (docs/decisions/keys-and-signatures.md). */
export interface OutsideSigner {
  /** Makes a key that never leaves the signer. */
  generate(algorithm: SigningAlgorithm): Promise<OutsideKey>;
  /** The signature of the JWS input, as RFC 7518 section 3 has it: for ES256 two numbers side by side. */
  sign(reference: string, algorithm: SigningAlgorithm, input: Buffer): Promise<Buffer>;
  close(): Promise<void>;
}
