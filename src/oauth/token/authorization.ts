import type { ClientRecord } from "../../records/client_record.ts";
import type { OAuthToken, User } from "../../records/definition.ts";

/** The value that a redeemed grant yields: who may do what, until when, and how it is spent. */
export interface Authorization {
  readonly client: ClientRecord;
  /** Undefined where the client acts for itself, or a service account acts. */
  readonly user: User | undefined;
  /** The service account that acts, and the key pair that it proved itself with. */
  readonly service_account?: { readonly id: string; readonly key_pair_id: string };
  /** In this access token. */
  readonly granted_scopes: readonly string[];
  /** In the authorization as a whole: what a later refresh may ask for again (RFC 6749 6). */
  readonly authorized_scopes: readonly string[];
  readonly audience: readonly string[];
  /** The audience of the authorization as a whole, of which a later refresh may ask for any part. */
  readonly authorized_audience: readonly string[];
  readonly family_id: string;
  /** Whether a refresh token goes with the answer. */
  readonly refreshable: boolean;
  /** When the family ends at the latest. */
  readonly family_ends_at: Date;
  /** How the user signed in; undefined where there is no user. */
  readonly authentication: Authentication | undefined;
  /** OpenID Connect nonce of the authorization request; only the first id_token carries it. */
  readonly nonce: string | undefined;
  /** An answer that was given before and is given again as it was (design 6.9); nothing is issued then. */
  readonly earlier_answer?: TokenResponse;
  /**
   * Spends the grant and stores the token, atomically, and yields the answer to give: this one, or that of
   * whoever was first inside a reuse window. Throws `OAuthError` or `ReplayError` when the grant was spent or
   * when what it stands on has ended; nothing is written then.
   */
  commit(token: OAuthToken, answer: TokenResponse): Promise<TokenResponse>;
}

export interface Authentication {
  readonly session_id: string;
  /** Unix time, seconds. */
  readonly auth_time: number;
  readonly acr: string;
}

/** Spec 4.2, success response; `id_token` as OpenID Connect Core 3.1.3.3 adds it. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
  readonly id_token?: string;
}
