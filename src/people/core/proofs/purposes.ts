/**
 * The purposes of proofs. A proof opens only for its purpose, and only together with all that the purpose
 * binds it to. A new method to verify, link, reset or step up is an entry here.
 */
import type { Row } from "../../../records/definition/definition.ts";
import { deletionDays } from "../../../records/names/deletion_days.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { ReturnedAccount, UpstreamJourney } from "./provider_account.ts";

/** A passkey whose making was proved, before it is stored; as JSON it waits in a proof. */
export type ProvedPasskey = Omit<Row<"passkeys">, "id" | "user_id" | "last_used_at" | "created_at">;

/** The possible bindings of a proof: each is compared when it is presented. */
type Bond =
  /** The form cookie of the browser that asked. */
  | "browser"
  /** The id of the session that asked. */
  | "session"
  /** The path and query of the request that waits. */
  | "request"
  /** The slug of a provider. */
  | "provider"
  /** The account at that provider. */
  | "subject";

interface Purpose {
  readonly bound_to: readonly Bond[];
  /** Lifetime in minutes. */
  readonly minutes: number;
  /** Of those of one name (`NewProof.newest_of`) only the newest is valid. */
  readonly only_newest?: true;
}

export const purposes = {
  /** A person who gave a first factor and still has to give a second one (MF-5). */
  half_sign_in: { bound_to: ["browser"], minutes: 10 },
  /** The secret of an authenticator app that no code has proved yet (MF-1). */
  totp_enrolment: { bound_to: ["session"], minutes: 10 },
  /** A mailed code that proves the mailbox of a session's user (MF-12). */
  mailbox_code: { bound_to: ["session"], minutes: 10 },
  /** "It was not me", in a mail about the account: valid for 72 hours in any browser (MF-12, SS-15). */
  factor_undo: { bound_to: [], minutes: 72 * 60 },
  /** Recovery codes that were shown and not confirmed yet (MF-7). */
  recovery_codes: { bound_to: ["session"], minutes: 30 },
  /** A link that sets a new password, in any browser (docs/decisions/passwords.md). */
  password_reset: { bound_to: [], minutes: 30, only_newest: true },
  /** A sign-in at an external provider that is under way; its place is the `state` (EP-3). */
  upstream: { bound_to: ["browser", "session", "provider", "request"], minutes: 10 },
  /** The original request of the sign-in, so a browser without its cookies can start over (EP-18). */
  upstream_request: { bound_to: ["provider"], minutes: 10 },
  /** An authorization response that came as a form, until the browser fetches it with its cookies (EP-6). */
  upstream_form: { bound_to: ["provider"], minutes: 1 },
  /** An account at a provider that came back and still waits for its person to decide or to prove. */
  provider_account: { bound_to: ["browser", "provider"], minutes: 10 },
  /** A code by mail for a pending provider account (EP-10, EP-11). */
  provider_mailbox: { bound_to: ["browser", "provider", "subject"], minutes: 10 },
  /** A new address that waits for its mailbox to be proved; kept by the user, opened with their session. */
  email_change: { bound_to: [], minutes: 60 },
  /** A link to the former address that brings it back; it outlives whatever happens to the account. */
  email_undo: { bound_to: [], minutes: 7 * 24 * 60 },
  /** The former addresses that may still be brought back, kept by the user: notices go there too. */
  former_emails: { bound_to: [], minutes: 7 * 24 * 60 },
  /** Which changes of an address an undo made void, kept by the user. */
  email_undone: { bound_to: [], minutes: 7 * 24 * 60 },
  /** The link of a registration, in any browser (docs/decisions/registration-and-invitations.md). */
  registration: { bound_to: [], minutes: 30 },
  /** The code of the same mail, in the browser that asked. */
  registration_code: { bound_to: ["browser"], minutes: 30 },
  /** After a right first factor of an account that waits to be deleted: keeping it (SS-12). */
  undo_deletion: { bound_to: ["browser"], minutes: 10 },
  /** A mailed link that cancels the deletion of an account, until it is removed. */
  undo_deletion_link: { bound_to: [], minutes: deletionDays * 24 * 60 },
  /** A code to the mailbox of a signed-in user, before a sensitive action (SU-6). */
  sudo_mailbox: { bound_to: ["session"], minutes: 10 },
  /** A form that waits while its person proves themselves at a provider (SU-6; docs/decisions/providers.md). */
  sudo_form: { bound_to: ["browser", "session"], minutes: 10 },
  /**
   * A mailed code before the recovery of lost second factors begins to wait (MF-10). For a signed-in user the
   * session replaces the browser binding (MF-15).
   */
  recovery_mailbox: { bound_to: ["browser"], minutes: 10 },
  /** A mailed link that cancels a recovery, for as long as one may wait and be used. */
  recovery_cancel: { bound_to: [], minutes: 40 * 24 * 60 },
  /** A code by mail in place of second factors that an administrator took (MF-10). */
  lost_factors: { bound_to: ["browser"], minutes: 10 },
} as const satisfies Readonly<Record<string, Purpose>>;

export type ProofPurpose = keyof typeof purposes;

/** A code that people copy from a mail. */
export interface MailedCode {
  /** 8 digits. */
  readonly code: string;
  /** How often it was tried so far. */
  readonly tried: number;
}

/** The sealed data of each purpose's proof. */
export interface ProofData {
  half_sign_in: {
    readonly methods: readonly SignInMethod[];
    /** The address to continue at, path and query. */
    readonly request: string;
    /** Wrong second factors so far. */
    readonly wrong: number;
    /** The user chose "Keep me signed in". */
    readonly keep?: boolean;
  };
  totp_enrolment: {
    /** Base32. */
    readonly secret: string;
  };
  mailbox_code: MailedCode;
  factor_undo: {
    readonly user_id: string;
    /** When the session that made the reported change began, milliseconds since 1970; null if unknown. */
    readonly since: number | null;
    /** The factor that the mail reports, if any. */
    readonly factor: { readonly kind: ProvedFactor["kind"]; readonly id: string } | null;
    /** The address that the notice went to. */
    readonly email: string;
  };
  recovery_codes: {
    readonly codes: readonly HashedRecoveryCode[];
    /** The factor that is kept together with them: the first one of the account, as a rule. */
    readonly factor: ProvedFactor | null;
  };
  password_reset: {
    /** The address that the link was mailed to, as accounts are found by it. */
    readonly email_key: string;
    /** Of a link that an undo mailed: records created since then end as well, milliseconds since 1970. */
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
    /** SHA-256 of the token of the mailed link, base64url. */
    readonly link: string;
  };
  email_undo: {
    readonly user_id: string;
    /** The address that it brings back. */
    readonly email: string;
    /** When it was changed, milliseconds since 1970. */
    readonly changed_at: number;
    /** When the session began that changed it; absent if an earlier version made the link. */
    readonly since?: number;
  };
  former_emails: {
    /** The oldest first; `changed_at` in milliseconds since 1970. */
    readonly addresses: readonly { readonly email: string; readonly changed_at: number }[];
  };
  undo_deletion: WaitingDeletion;
  undo_deletion_link: WaitingDeletion;
  email_undone: {
    /** Undos of changes in any of these times are void; milliseconds since 1970. */
    readonly times: readonly { readonly from: number; readonly until: number }[];
  };
  sudo_form: SavedForm;
  /** Tries at it are counted as those of other second factors are, too. */
  lost_factors: MailedCode;
  recovery_mailbox: MailedCode;
  recovery_cancel: {
    /** The recovery that it ends. */
    readonly recovery_id: string;
  };
  registration: Registration;
  registration_code: Registration & MailedCode;
}

/** A form that was posted and waits. */
export interface SavedForm {
  /** The target of the post, path and query. */
  readonly url: string;
  /** Its fields as they were; null if they were too long to keep. */
  readonly fields: readonly (readonly [string, string])[] | null;
  /** The page to go back to instead. */
  readonly cancel_href: string;
  /** Allowed final redirect targets, in addition to pages of this server. */
  readonly leads_to: string | null;
  /** The provider did not prove that it reauthenticated the person. */
  readonly unproved?: true;
  /** It requires two factors other than passkeys (MF-15). */
  readonly passkeys_lost?: true;
}

/** A recovery code as it is stored (MF-6). */
export interface HashedRecoveryCode {
  readonly selector: string;
  readonly code_hash: string;
}

/** An authenticator app that a code has proved. */
export interface ProvedTotp {
  readonly secret: string;
  readonly name: string;
  /** The step of that code, which is never taken again (MF-2). */
  readonly step: number;
}

/** A second factor that was proved and is not stored yet. */
export type ProvedFactor =
  | { readonly kind: "totp"; readonly app: ProvedTotp }
  | { readonly kind: "passkey"; readonly passkey: ProvedPasskey };

interface Registration {
  /** The address that was mailed, as typed. */
  readonly email: string;
  /** The address to continue at, path and query. */
  readonly request: string;
  /** The form cookie of the browser that asked. */
  readonly asked_in: string;
  /** False for the look-alike of an address that may not register or has an account. */
  readonly may_register: boolean;
}

/** A deletion that can still be undone; its time distinguishes it from another one of the same user. */
interface WaitingDeletion {
  readonly user_id: string;
  /** Milliseconds since 1970. */
  readonly deletion_at: number;
}

/** The values that a proof of this purpose is bound to. */
export type Bonds<P extends ProofPurpose> = {
  readonly [B in (typeof purposes)[P]["bound_to"][number]]: string;
};

/** The name under which only the newest proof is valid, if the purpose uses one. */
export type NewestOf<P extends ProofPurpose> = (typeof purposes)[P] extends { readonly only_newest: true }
  ? { readonly newest_of: string }
  : { readonly newest_of?: undefined };
