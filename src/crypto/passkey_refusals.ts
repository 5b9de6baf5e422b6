/**
 * The possible errors in an authenticator's answer. `malformed` includes answers that are too long.
 * `credential_id`: the answer belongs to another credential. `backup_flags`: the passkey is backed up
 * although it is not eligible. `backup_eligible_changed` occurs only with a valid signature, so it deserves
 * an audit entry.
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
