/** The stored state of a provider sign-in, before it and between its steps. */
import type { EmailAssurance } from "../../../providers/email_assurance.ts";
import type { Provider } from "../../../records/definition/definition.ts";

export type { Provider };

/** Why the user was sent to a provider. */
export type ProviderPurpose = "sign_in" | "link" | "sudo";

/** A sign-in at a provider that is under way (EP-3). */
export interface UpstreamJourney {
  readonly purpose: ProviderPurpose;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
  /** The person must have signed in there since, milliseconds since 1970; undefined if any time will do. */
  readonly fresh_since: number | undefined;
  /** Tries in a row that failed before this one (EP-16). */
  readonly failures: number;
  /** The person chose "Keep me signed in" before they left. */
  readonly keep?: boolean;
}

/** An account at a provider, as it came back. */
export interface ReturnedAccount {
  /** The record through which it came. */
  readonly provider_id: string;
  /** With the slug, the key of the account there (EP-7). */
  readonly subject: string;
  readonly email: string | undefined;
  /** Worth what `trustedAssurance` leaves of the provider's word. */
  readonly verdict: EmailAssurance;
  readonly name: string | undefined;
  /** The sign-in methods there, if they count (EP-14). */
  readonly amr: readonly string[] | undefined;
  /** When the person signed in there; when they returned if the provider omits it. Since 1970. */
  readonly at: number;
  /** The provider does not prove when that was: they may have come back unasked (EP-15). */
  readonly undated?: true;
  /** When the session at the provider ends, milliseconds since 1970. */
  readonly session_ends_at?: number;
  /** The session at the provider, which its logout tokens name. */
  readonly upstream_sid?: string;
  /** When they came back, milliseconds since 1970. */
  readonly returned_at: number;
  /** The address to continue at, path and query. */
  readonly request: string;
  /** The address that the person proved by our own mailed code, in this very sign-in. */
  readonly proved_email?: string;
  /** The user chose "Keep me signed in" before leaving. */
  readonly keep?: boolean;
  /** Tokens of the provider, where its record keeps them (EP-19). */
  readonly tokens: StoredTokens | undefined;
}

interface StoredTokens {
  readonly access_token: string;
  readonly refresh_token: string | undefined;
  /** Milliseconds since 1970. */
  readonly expires_at: number | undefined;
}
