/**
 * What may be wrong with an answer of an authenticator. `malformed` stands for one that is too long as well.
 * `credential_id`: it is of another credential. `backup_flags`: it is backed up and may not be.
 * `backup_eligible_changed` comes with a good signature only, so it is worth an audit entry.
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
