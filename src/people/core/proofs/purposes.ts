/**
 * The purposes of proofs. A proof is valid only for its purpose, together with everything that the purpose
 * binds it to. Each new kind of mailed link or code, or of a step that waits for a later request, needs an
 * entry here.
 */
import type { Row } from "../../../records/definition/definition.ts";
import { deletionDays } from "../../../records/names/deletion_days.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { ReturnedAccount, UpstreamJourney } from "./provider_account.ts";

/** A verified passkey that is not stored in `passkeys` yet, such as the one in a `recovery_codes` proof. */
export type ProvedPasskey = Omit<Row<"passkeys">, "id" | "user_id" | "last_used_at" | "created_at">;

type Bond = "browser" | "session" | "request" | "provider" | "subject";

interface Purpose {
  readonly bound_to: readonly Bond[];
  /** Lifetime in minutes. */
  readonly minutes: number;
  readonly only_newest?: true;
}

export const purposes = {
  /** A user who gave a first factor and still needs a second one (MF-5). */
  half_sign_in: { bound_to: ["browser"], minutes: 10 },
  /** The secret of an authenticator app before a first code has proved it (MF-1). */
  totp_enrolment: { bound_to: ["session"], minutes: 10 },
  /** A mailed code that proves the mailbox of a session's user (MF-12). */
  mailbox_code: { bound_to: ["session"], minutes: 10 },
  /**
   * The "It was not me" link in an email about the account: valid for 72 hours in any browser (MF-12, SS-15).
   */
  factor_undo: { bound_to: [], minutes: 72 * 60 },
  /** Recovery codes that were shown and are not confirmed yet (MF-7). */
  recovery_codes: { bound_to: ["session"], minutes: 30 },
  /** A link that sets a new password, in any browser (docs/decisions/passwords.md). */
  password_reset: { bound_to: [], minutes: 30, only_newest: true },
  /** A provider sign-in in progress. Its `place` is the `state` parameter (EP-3). */
  upstream: { bound_to: ["browser", "session", "provider", "request"], minutes: 10 },
  /**
   * The URL on this server at which the user continues after the provider sign-in. With it, a browser that
   * returns without its cookies can start over (EP-18).
   */
  upstream_request: { bound_to: ["provider"], minutes: 10 },
  /**
   * An authorization response that the provider sent as a form, until the browser requests it with its
   * cookies (EP-6).
   */
  upstream_form: { bound_to: ["provider"], minutes: 1 },
  provider_account: { bound_to: ["browser", "provider"], minutes: 10 },
  /** A mailed code for a pending provider account (EP-10, EP-11). */
  provider_mailbox: { bound_to: ["browser", "provider", "subject"], minutes: 10 },
  /**
   * A new email address whose mailbox is not proved yet. Its `place` is the user's ID, so only a session of
   * the user can open it.
   */
  email_change: { bound_to: [], minutes: 60 },
  /**
   * A link sent to the former email address, which restores that address. Later changes of the account do not
   * end the link, but the undo of an earlier change does (`email_undone`).
   */
  email_undo: { bound_to: [], minutes: 7 * 24 * 60 },
  /** The former email addresses that can still be restored. The `place` is the user's ID. */
  former_emails: { bound_to: [], minutes: 7 * 24 * 60 },
  /**
   * The periods for which all changes of the email address have been undone. `email_undo` links for changes
   * in these periods are invalid. The `place` is the user's ID.
   */
  email_undone: { bound_to: [], minutes: 7 * 24 * 60 },
  /** The link of a registration, in any browser (docs/decisions/registration-and-invitations.md). */
  registration: { bound_to: [], minutes: 30 },
  registration_code: { bound_to: ["browser"], minutes: 30 },
  /** Cancels a pending deletion after a correct first factor (SS-12). */
  undo_deletion: { bound_to: ["browser"], minutes: 10 },
  /** A mailed link that cancels a pending deletion, until the account is removed. */
  undo_deletion_link: { bound_to: [], minutes: deletionDays * 24 * 60 },
  /** A code mailed to a signed-in user before a sensitive action (SU-6). */
  sudo_mailbox: { bound_to: ["session"], minutes: 10 },
  /**
   * A form that is pending while its user reauthenticates at a provider (SU-6; docs/decisions/providers.md).
   */
  sudo_form: { bound_to: ["browser", "session"], minutes: 10 },
  /**
   * A mailed code required before a recovery of lost second factors starts (MF-10). For a signed-in user,
   * the session replaces the browser binding (MF-15).
   */
  recovery_mailbox: { bound_to: ["browser"], minutes: 10 },
  /**
   * A mailed link that cancels a recovery. It stays valid for at least the longest waiting time and the days
   * in which the recovery can then be finished.
   */
  recovery_cancel: { bound_to: [], minutes: 40 * 24 * 60 },
  /** A mailed code that replaces second factors removed by an administrator or a recovery (MF-10). */
  lost_factors: { bound_to: ["browser"], minutes: 10 },
} as const satisfies Readonly<Record<string, Purpose>>;

export type ProofPurpose = keyof typeof purposes;

export interface MailedCode {
  readonly code: string;
  readonly tried: number;
}

export interface ProofData {
  half_sign_in: {
    readonly methods: readonly SignInMethod[];
    readonly request: string;
    readonly wrong: number;
    readonly keep?: boolean;
  };
  totp_enrolment: {
    readonly secret: string;
  };
  mailbox_code: MailedCode;
  factor_undo: {
    readonly user_id: string;
    /** When the session that made the reported change began, in milliseconds since 1970; null if unknown. */
    readonly since: number | null;
    readonly factor: { readonly kind: ProvedFactor["kind"]; readonly id: string } | null;
    readonly email: string;
  };
  recovery_codes: {
    readonly codes: readonly HashedRecoveryCode[];
    /**
     * The second factor that is stored together with the codes, usually the account's first; null if only
     * codes are created.
     */
    readonly factor: ProvedFactor | null;
  };
  password_reset: {
    /** The email address that the link was mailed to, normalized as for account lookup. */
    readonly email_key: string;
    /**
     * When the user undid a change, in milliseconds since 1970, if the link was mailed for that reason.
     * Using the link also ends records created since then.
     */
    readonly stolen_since?: number;
  };
  upstream: UpstreamJourney;
  upstream_request: { readonly request: string };
  upstream_form: { readonly answer: Readonly<Record<string, string>> };
  provider_account: ReturnedAccount;
  provider_mailbox: MailedCode & { readonly email: string };
  sudo_mailbox: MailedCode;
  email_change: {
    readonly email: string;
    /** SHA-256 of the mailed link's token, base64url. */
    readonly link: string;
  };
  email_undo: {
    readonly user_id: string;
    readonly email: string;
    /** When the email address was changed, in milliseconds since 1970. */
    readonly changed_at: number;
    /**
     * When the session that made the change began, in milliseconds since 1970; absent if an earlier version
     * created the link.
     */
    readonly since?: number;
  };
  former_emails: {
    /** The oldest address first; `changed_at` is in milliseconds since 1970. */
    readonly addresses: readonly { readonly email: string; readonly changed_at: number }[];
  };
  undo_deletion: WaitingDeletion;
  undo_deletion_link: WaitingDeletion;
  email_undone: {
    /** Milliseconds since 1970. */
    readonly times: readonly { readonly from: number; readonly until: number }[];
  };
  sudo_form: SavedForm;
  /** Each attempt at this code also counts toward the limit on second factors. */
  lost_factors: MailedCode;
  recovery_mailbox: MailedCode;
  recovery_cancel: {
    readonly recovery_id: string;
  };
  registration: Registration;
  registration_code: Registration & MailedCode;
}

export interface SavedForm {
  readonly url: string;
  /** The form fields, unchanged; null if they were too long to store. */
  readonly fields: readonly (readonly [string, string])[] | null;
  readonly cancel_href: string;
  /** A URL whose scheme the form's final redirect may use; null if it leads to a page of this server. */
  readonly leads_to: string | null;
  /** Set if the provider did not prove that it reauthenticated the user. */
  readonly unproved?: true;
  /** Set if the form requires two factors other than passkeys (MF-15). */
  readonly passkeys_lost?: true;
}

/** A recovery code as it is stored (MF-6). */
export interface HashedRecoveryCode {
  readonly selector: string;
  readonly code_hash: string;
}

export interface ProvedTotp {
  readonly secret: string;
  readonly name: string;
  /** The time step of the app's first code, which is never accepted again (MF-2). */
  readonly step: number;
}

/** A verified second factor that is not stored yet. */
export type ProvedFactor =
  | { readonly kind: "totp"; readonly app: ProvedTotp }
  | { readonly kind: "passkey"; readonly passkey: ProvedPasskey };

interface Registration {
  readonly email: string;
  readonly request: string;
  readonly asked_in: string;
  /**
   * False if the email address may not register or already has an account. The proof is then stored only so
   * that a request writes the same rows for every address.
   */
  readonly may_register: boolean;
}

/**
 * `deletion_at`, in milliseconds since 1970, distinguishes this deletion from other deletions of the same
 * user.
 */
interface WaitingDeletion {
  readonly user_id: string;
  readonly deletion_at: number;
}

export type Bonds<P extends ProofPurpose> = {
  readonly [B in (typeof purposes)[P]["bound_to"][number]]: string;
};

/** Identifies a group of proofs of which only the newest is valid, if the purpose uses such groups. */
export type NewestOf<P extends ProofPurpose> = (typeof purposes)[P] extends { readonly only_newest: true }
  ? { readonly newest_of: string }
  : { readonly newest_of?: undefined };
