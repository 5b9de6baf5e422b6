/** Events that users are notified of by email, such as each change to how they sign in (SS-8). */
export const noticeKinds = [
  "password",
  /** The email address changed; sent to the former one. */
  "email",
  /** The email address changed; sent to the new one. */
  "email_here",
  "factor_added",
  "factor_removed",
  "recovery_codes",
  "recovery_code_used",
  /** A browser is remembered and skips the second factor (MF-13). */
  "device_remembered",
  "passkey_added",
  "passkey_removed",
  /** A passkey was refused because its counter did not increase (PK-5). */
  "passkey_copied",
  "link_added",
  "link_removed",
  "api_key",
  "api_key_changed",
  "new_device",
  /** The right password was followed by wrong codes (MF-4). */
  "wrong_factor",
  /**
   * A recovery of lost second factors is in progress: sent at the start, the middle and the end of the wait
   * (MF-10).
   */
  "recovery_started",
  "recovery_halfway",
  "recovery_ready",
  "recovery_cancelled",
  "recovery_finished",
  /**
   * A removal of lost passkeys is in progress: sent at the start, the middle and the end of the wait (MF-15).
   */
  "removal_started",
  "removal_halfway",
  "removal_ready",
  "removal_cancelled",
  "removal_finished",
  "factors_reset",
  /** The user chose "It was not me", which ends the account's sessions and tokens (SS-15). */
  "secured",
  "deletion",
  "deleted",
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
