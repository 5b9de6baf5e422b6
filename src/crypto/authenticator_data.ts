import { sha256 } from "./digest.ts";
import type { PasskeyFault } from "./passkey_refusals.ts";

/** The parsed authenticator data of an answer (WebAuthn section 6.1), as the library gives it. */
export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly flags: {
    readonly up: boolean;
    readonly uv: boolean;
    readonly be: boolean;
    readonly bs: boolean;
    readonly at: boolean;
  };
}

/** What the authenticator must have seen and done. */
export interface ExpectedAuthenticatorData {
  readonly rp_id: string;
  /** Whether the person must have been verified by PIN, face or finger. */
  readonly require_uv: boolean;
  /** False where a browser makes a passkey without asking anybody (WebAuthn 7.1); true when absent. */
  readonly require_up?: boolean | undefined;
}

/**
 * What is wrong with the authenticator data, if anything (WebAuthn section 7.1 steps 13 to 17, 7.2 steps 15
 * to 19).
 */
export function authenticatorDataFault(
  { rpIdHash, flags }: AuthenticatorData,
  { rp_id, require_uv, require_up = true }: ExpectedAuthenticatorData,
): PasskeyFault | undefined {
  if (!sha256(rp_id).equals(rpIdHash)) return "rp_id";
  if (require_up && !flags.up) return "user_presence";
  if (require_uv && !flags.uv) return "user_verification";
  if (flags.bs && !flags.be) return "backup_flags";
  return undefined;
}
