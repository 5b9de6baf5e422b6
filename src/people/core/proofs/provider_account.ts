import type { EmailAssurance } from "../../../providers/email_assurance.ts";
import type { Provider } from "../../../records/definition/definition.ts";
import type { ProvidedValues } from "../../../records/rules/provided_attributes.ts";

export type { Provider };

export type ProviderPurpose = "sign_in" | "link" | "sudo";

export interface UpstreamJourney {
  readonly purpose: ProviderPurpose;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
  /**
   * The user must have authenticated at the provider no earlier than this, in milliseconds since 1970;
   * undefined if any time is acceptable.
   */
  readonly fresh_since: number | undefined;
  /** Consecutive failed attempts before this one (EP-16). */
  readonly failures: number;
  readonly keep?: boolean;
}

export interface ReturnedAccount {
  readonly provider_id: string;
  /** Together with the slug, this identifies the account at the provider (EP-7). */
  readonly subject: string;
  readonly email: string | undefined;
  /** The trust in the email claim, after `trustedAssurance` has limited it. */
  readonly verdict: EmailAssurance;
  readonly name: string | undefined;
  /** Undefined if the provider's methods are not trusted or not fresh (EP-14). */
  readonly amr: readonly string[] | undefined;
  /**
   * When the user signed in at the provider, or the time of return if the provider omits it. Milliseconds
   * since 1970.
   */
  readonly at: number;
  /** The provider may have skipped authentication (EP-15). */
  readonly undated?: true;
  /** Milliseconds since 1970. */
  readonly session_ends_at?: number;
  readonly upstream_sid?: string;
  /** Milliseconds since 1970. */
  readonly returned_at: number;
  readonly request: string;
  /** Proved with a code that this server mailed during this sign-in. */
  readonly proved_email?: string;
  readonly keep?: boolean;
  /** From claims that the provider's record maps to attributes (OC-7). */
  readonly attributes?: ProvidedValues;
  /** Kept only if the provider's record stores tokens (EP-19). */
  readonly tokens: StoredTokens | undefined;
}

interface StoredTokens {
  readonly access_token: string;
  readonly refresh_token: string | undefined;
  /** Milliseconds since 1970. */
  readonly expires_at: number | undefined;
}
