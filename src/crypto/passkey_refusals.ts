/**
 * Errors in an authenticator's response. `malformed` includes overlong responses, and `credential_id` means
 * that another passkey responded. `backup_flags`: the flags contradict each other. `backup_eligible_changed`
 * occurs only after the signature was verified.
 */
export type PasskeyError =
  | "malformed"
  | "credential_id"
  | "type"
  | "challenge"
  | "origin"
  | "cross_origin"
  | "rp_id"
  | "user_presence"
  | "user_verification"
  | "attestation"
  | "algorithm"
  | "signature"
  | "backup_flags"
  | "backup_eligible_changed";

export interface PasskeyRefusal {
  readonly refused: PasskeyError;
}

export const refusePasskey = (refused: PasskeyError): PasskeyRefusal => ({ refused });

export function isPasskeyRefusal(value: object): value is PasskeyRefusal {
  return "refused" in value;
}
