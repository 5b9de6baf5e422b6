import type { ApiResource, OAuthAuthCode, OAuthToken, User } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { AudienceSource } from "../../records/names/request_data.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { KnownAccount } from "../../records/rules/dependencies.ts";
import type { Member } from "../../records/rules/member.ts";
import type { MachineProof } from "../../storage/tokens/families.ts";

/** The type of an access token is also its authorization scheme (RFC 6750, RFC 9449 7.1). */
export type TokenType = "Bearer" | "DPoP";

/** The claim `cnf` of a token or grant that is bound to a key (RFC 9449 6.1). */
export type BoundKey = JsonObject;

/** The key whose possession the sender of a request proved with a DPoP proof (RFC 9449). */
export interface Sender {
  readonly jkt: string;
  readonly alg: string;
  /**
   * Where the used DPoP proof is remembered, and until when. It is stored last, so a request that is refused
   * for another reason writes nothing.
   */
  readonly once_key: { readonly key: Buffer; readonly ends_at: Date };
}

export interface Authorization {
  readonly client: ClientRecord;
  readonly user: User | undefined;
  readonly member?: Member | undefined;
  readonly service_account?: Pick<KnownAccount, "id" | "organization_id"> & { readonly key_pair_id: string };
  readonly granted_scopes: readonly string[];
  /** The scopes of the whole authorization; a later refresh may request any of them (RFC 6749 6). */
  readonly authorized_scopes: readonly string[];
  readonly audience: readonly string[];
  readonly resources: readonly ApiResource[];
  /**
   * Whether the request named or implied the APIs (`asked`) or the APIs are the app's default audience
   * (`own`).
   */
  readonly audience_source: AudienceSource | undefined;
  /** The audience of the whole authorization; a later refresh may request any part of it. */
  readonly authorized_audience: readonly string[];
  readonly family_id: string;
  readonly refreshable: boolean;
  readonly family_ends_at: Date;
  readonly authentication: Authentication | undefined;
  /** Only the first id_token carries the nonce. */
  readonly nonce: string | undefined;
  readonly bound_to: BoundKey | null;
  readonly rebinds?: boolean;
  readonly commit: Commit | EarlierAnswer;
}

export interface Redeemer {
  readonly sender: Sender | undefined;
  readonly origin: RequestOrigin;
}

export interface SignedToken {
  readonly row: OAuthToken;
  readonly answer: TokenResponse;
}

export type Commit = CodeCommit | RefreshCommit | AssertionCommit | InsertCommit;

interface CodeCommit {
  readonly kind: "code";
  readonly code: OAuthAuthCode;
  readonly session_id: string;
}

export interface RefreshCommit {
  readonly kind: "refresh";
  readonly predecessor: PresentedRefreshToken;
  readonly rotates: boolean;
  /** Seconds after a rotation in which the previous refresh token is still answered. */
  readonly reuse_window: number;
}

export interface PresentedRefreshToken {
  readonly row: OAuthToken & { readonly user_id: string };
  readonly text: string;
  readonly signature: Buffer;
}

interface AssertionCommit {
  readonly kind: "assertion";
  readonly account: KnownAccount;
  readonly key_pair_id: string;
  readonly once_key: Buffer;
  readonly once_ends_at: Date;
}

interface InsertCommit {
  readonly kind: "insert";
  readonly proof: MachineProof;
}

/** The response to an earlier refresh is repeated unchanged within the reuse window (design 6.9). */
export interface EarlierAnswer {
  readonly kind: "earlier_answer";
  readonly answer: TokenResponse;
  readonly bound_to: BoundKey | null;
  readonly membership_id: string | null;
}

export interface Authentication {
  readonly session_id: string;
  /**
   * Unix time in seconds; undefined if the external provider did not report when the user signed in (EP-15).
   */
  readonly auth_time: number | undefined;
  readonly acr: string;
  /** Authentication methods (RFC 8176). */
  readonly amr: readonly string[];
  /** True if the sign-in depends on a provider of one organization. */
  readonly of_organization?: true | undefined;
  /**
   * Unix time in seconds. Set only if the session is shorter than usual and the scope `offline_access` was
   * not requested (OR-12).
   */
  readonly session_ends_at?: number | undefined;
}

/** The success response of spec 4.2; `id_token` is that of OpenID Connect Core 3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: TokenType;
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
  readonly id_token?: string;
}

/** The `amr` of codes and tokens that were stored when a password was the only authenticator. */
export const onlyPassword: readonly string[] = ["pwd"];
