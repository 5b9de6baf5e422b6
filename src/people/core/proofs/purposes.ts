/** The purposes of proofs, and everything that a purpose binds its proofs to. */
import type { Row } from "../../../records/definition/definition.ts";
import { deletionDays } from "../../../records/names/deletion_days.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { ReturnedAccount, UpstreamJourney } from "./provider_account.ts";

export type ProvedPasskey = Omit<Row<"passkeys">, "id" | "user_id" | "last_used_at" | "created_at">;

type Bond = "browser" | "session" | "request" | "provider" | "subject";

interface Purpose {
  readonly bound_to: readonly Bond[];
  readonly minutes: number;
  readonly only_newest?: true;
}

export const purposes = {
  /** The second factor is still missing (MF-5). */
  half_sign_in: { bound_to: ["browser"], minutes: 10 },
  /** The secret of an authenticator app before a first code has proved it (MF-1). */
  totp_enrolment: { bound_to: ["session"], minutes: 10 },
  /** Proves the mailbox of a session's user (MF-12). */
  mailbox_code: { bound_to: ["session"], minutes: 10 },
  /** The "It was not me" link works in any browser (MF-12, SS-15). */
  factor_undo: { bound_to: [], minutes: 72 * 60 },
  /** The codes were shown, but not confirmed yet (MF-7). */
  recovery_codes: { bound_to: ["session"], minutes: 30 },
  /** The link works in any browser (docs/decisions/passwords.md). */
  password_reset: { bound_to: [], minutes: 30, only_newest: true },
  /** Its `place` is the `state` parameter (EP-3). */
  upstream: { bound_to: ["browser", "session", "provider", "request"], minutes: 10 },
  /**
   * Contains the URL at which the user continues, so that a browser that returns without its cookies can
   * start over (EP-18).
   */
  upstream_request: { bound_to: ["provider"], minutes: 10 },
  /** Keeps the provider's form response until the browser requests it with its cookies (EP-6). */
  upstream_form: { bound_to: ["provider"], minutes: 1 },
  provider_account: { bound_to: ["browser", "provider"], minutes: 10 },
  /** A mailed code for a pending provider account (EP-10, EP-11). */
  provider_mailbox: { bound_to: ["browser", "provider", "subject"], minutes: 10 },
  /** Its `place` is the user's ID, so that only a session of the user can open it. */
  email_change: { bound_to: [], minutes: 60 },
  /**
   * Later changes of the account do not end this link, but the undo of an earlier change does
   * (`email_undone`).
   */
  email_undo: { bound_to: [], minutes: 7 * 24 * 60 },
  /** Its `place` is the user's ID. */
  former_emails: { bound_to: [], minutes: 7 * 24 * 60 },
  /** `email_undo` links for changes in the periods `times` are invalid. Its `place` is the user's ID. */
  email_undone: { bound_to: [], minutes: 7 * 24 * 60 },
  /** The link works in any browser (docs/decisions/registration-and-invitations.md). */
  registration: { bound_to: [], minutes: 30 },
  registration_code: { bound_to: ["browser"], minutes: 30 },
  /** Requires a correct first factor (SS-12). */
  undo_deletion: { bound_to: ["browser"], minutes: 10 },
  undo_deletion_link: { bound_to: [], minutes: deletionDays * 24 * 60 },
  /** The code is required before a sensitive action (SU-6). */
  sudo_mailbox: { bound_to: ["session"], minutes: 10 },
  /**
   * A form that is pending while the user reauthenticates at a provider (SU-6; docs/decisions/providers.md).
   */
  sudo_form: { bound_to: ["browser", "session"], minutes: 10 },
  /**
   * The code is required before a recovery of lost factors starts (MF-10). For a signed-in user, the session
   * replaces the browser binding (MF-15).
   */
  recovery_mailbox: { bound_to: ["browser"], minutes: 10 },
  /** Valid for at least the longest waiting time and the days in which the recovery can then be finished. */
  recovery_cancel: { bound_to: [], minutes: 40 * 24 * 60 },
  /** The code replaces second factors removed by an administrator or a recovery (MF-10). */
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
    /** When the session that made the change began, in milliseconds since 1970; null if unknown. */
    readonly since: number | null;
    readonly factor: { readonly kind: ProvedFactor["kind"]; readonly id: string } | null;
    readonly email: string;
  };
  recovery_codes: {
    readonly codes: readonly HashedRecoveryCode[];
    /** Stored together with the codes; null if only codes are created. */
    readonly factor: ProvedFactor | null;
  };
  password_reset: {
    readonly email_key: string;
    /**
     * When the user reported an unauthorized change, in milliseconds since 1970, if the link was mailed
     * because of that report. Using the link also ends records created since that time.
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
    /** SHA-256 of the token, in base64url. */
    readonly link: string;
  };
  email_undo: {
    readonly user_id: string;
    readonly email: string;
    /** Milliseconds since 1970. */
    readonly changed_at: number;
    /**
     * When the session that made the change began, in milliseconds since 1970; absent if an earlier version
     * created the link.
     */
    readonly since?: number;
  };
  former_emails: {
    /** Oldest first; `changed_at` is in milliseconds since 1970. */
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
  readonly fields: readonly (readonly [string, string])[] | null;
  readonly cancel_href: string;
  /** A URL whose scheme the form's final redirect may use; null if it leads to a page of this server. */
  readonly leads_to: string | null;
  /** The provider did not prove that it reauthenticated the user. */
  readonly unproved?: true;
  /** Two factors other than passkeys are required (MF-15). */
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

export type ProvedFactor =
  | { readonly kind: "totp"; readonly app: ProvedTotp }
  | { readonly kind: "passkey"; readonly passkey: ProvedPasskey };

interface Registration {
  readonly email: string;
  readonly request: string;
  readonly asked_in: string;
  /**
   * False if the address may not register. The proof is then stored only so that every request writes the
   * same rows.
   */
  readonly may_register: boolean;
}

/** `deletion_at`, in milliseconds since 1970, identifies one of the user's deletions. */
interface WaitingDeletion {
  readonly user_id: string;
  readonly deletion_at: number;
}

export type Bonds<P extends ProofPurpose> = {
  readonly [B in (typeof purposes)[P]["bound_to"][number]]: string;
};

export type NewestOf<P extends ProofPurpose> = (typeof purposes)[P] extends { readonly only_newest: true }
  ? { readonly newest_of: string }
  : { readonly newest_of?: undefined };
