/**
 * Events that users are notified of by mail: each change of how they sign in, and of programs that act for
 * them (SS-8).
 */
export const noticeKinds = [
  /** A new password. */
  "password",
  /** Another address; sent to the former one. */
  "email",
  /** Another address; sent to the new one. */
  "email_here",
  "factor_added",
  "factor_removed",
  "recovery_codes",
  "recovery_code_used",
  /** A browser is remembered, and skips the second factor (MF-13). */
  "device_remembered",
  "passkey_added",
  "passkey_removed",
  /** Its counter went back: it was refused (PK-5). */
  "passkey_copied",
  "link_added",
  "link_removed",
  "api_key",
  /** An API key may do more, or lasts longer. */
  "api_key_changed",
  "new_device",
  /** The right password, and wrong codes after it (MF-4). */
  "wrong_factor",
  /** Lost second factors are to be recovered: at the start, the middle and the end of the wait (MF-10). */
  "recovery_started",
  "recovery_halfway",
  "recovery_ready",
  "recovery_cancelled",
  /** All second factors went by it. */
  "recovery_finished",
  /** Lost passkeys are to be removed, at the same moments (MF-15). */
  "removal_started",
  "removal_halfway",
  "removal_ready",
  "removal_cancelled",
  "removal_finished",
  /** An administrator took all second factors. */
  "factors_reset",
  /** The user said "It was not me": everything created with the account ended (SS-15). */
  "secured",
  /** The user requested the deletion of the account. */
  "deletion",
  /** The account was deleted. */
  "deleted",
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** One mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
