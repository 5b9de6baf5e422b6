/**
 * The content of `request_data` of a code and of a token (spec 2.8, 2.9): never a secret, a verifier or a
 * token (H-5).
 */

/** Stored with a code: the authorization request and its sign-in (design 6.8). */
export interface CodeRequestData {
  /** The parameters as sent, except secrets. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly resource: readonly string[];
  readonly session_id: string;
  /**
   * Unix time in seconds; absent if a provider did not prove when the user signed in at the provider (EP-15).
   */
  readonly auth_time?: number;
  readonly acr: string;
  /** Authentication methods (RFC 8176); codes stored without this field mean `["pwd"]`. */
  readonly amr?: readonly string[];
  /**
   * True if the sign-in depends on a provider of one organization. Such a sign-in never counts as fresh for
   * sensitive actions (docs/decisions/providers.md).
   */
  readonly of_organization?: true;
  /** Unix time in seconds: the end of a limited session (OR-12), which its tokens do not outlive. */
  readonly session_ends_at?: number;
}

/** How an audience was chosen: by `resource` in the request, or as the app's default audience. */
export type AudienceSource = "asked" | "own";

/** Stored with a token: what a refresh needs to know about the authorization. */
export interface TokenRequestData {
  readonly grant_type: string;
  /** Scopes of the whole authorization; the token's own may be narrower. */
  readonly scope: string;
  readonly audience?: readonly string[];
  readonly audience_source?: AudienceSource;
  readonly auth_time?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly of_organization?: true;
  readonly session_ends_at?: number;
  /**
   * The key pair of a service account that signed the assertion (RFC 7523); revoking it revokes the token.
   */
  readonly key_pair_id?: string;
}

export function writeRequestData(data: CodeRequestData | TokenRequestData): string {
  return JSON.stringify(data);
}

export function readRequestData<T extends CodeRequestData | TokenRequestData>(text: string | null): T {
  return JSON.parse(text ?? "{}") as T;
}

/** Returns whether the authorization includes offline access (OpenID Connect Core 11). */
export function isOffline(request_data: string | null): boolean {
  const { scope = "" } = readRequestData<TokenRequestData>(request_data);
  return scope.split(" ").includes("offline_access");
}
