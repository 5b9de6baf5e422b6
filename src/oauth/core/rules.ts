import type { SigningAlgorithm } from "../../records/names/names.ts";
import type { LoopbackHost } from "./redirect_uri.ts";

export interface Rules {
  readonly pushed_requests: boolean;
  readonly pkce: boolean;
  readonly authentication_methods: readonly string[];
  readonly key_sets: "registered" | "organization" | "open";
  readonly assertion_algorithms: readonly string[];
  /** Whether client assertions may name the token endpoint as their audience instead of the issuer. */
  readonly token_endpoint_as_audience: boolean;
  /** Whether the audience of client assertions must be a string rather than a list with one entry. */
  readonly audience_as_string: boolean;
  readonly bound_tokens: boolean;
  /** The algorithms for the client's DPoP proofs and for assertions used as grants; null allows all. */
  readonly client_algorithms: readonly string[] | null;
  /**
   * Whether assertions used as grants must name the issuer as their audience, and may not name the token
   * endpoint instead.
   */
  readonly issuer_as_audience: boolean;
  readonly id_token_algorithm: SigningAlgorithm;
  /** The algorithm of access tokens for resources that name none of `token_algorithms`. */
  readonly access_token_algorithm: SigningAlgorithm;
  /** Null allows all. */
  readonly token_algorithms: readonly SigningAlgorithm[] | null;
  /** Seconds. */
  readonly code_ttl: number;
  readonly refresh: {
    readonly rotates: boolean;
    /**
     * Whether a refresh may bind its tokens to another key. A confidential client authenticates at each
     * refresh, so it may change keys (RFC 9449 5). A public client has no other proof than the key.
     */
    readonly rebinds: boolean;
    /** Seconds; with 0, every reuse of a rotated token counts as a replay (design 6.9). */
    readonly reuse_window: number;
  };
  readonly redirect_uris: {
    readonly https_only: boolean;
    /** Hosts whose http redirects match with any port (RFC 8252 7.3). */
    readonly any_port: readonly LoopbackHost[];
  };
  /** Whether the server stores when the app last got a token, because unused open clients expire. */
  readonly notes_use: boolean;
  /**
   * Whether the number of the client's assertions is limited, because no owner is responsible for the client
   * (PR-35).
   */
  readonly counts_assertions: boolean;
  /** Whether the token request must repeat the redirect URI (RFC 6749 4.1.3). */
  readonly redirect_uri_at_token: boolean;
  /** Redirects for which an earlier consent does not count (RFC 8252 8.6). */
  readonly consent_again: "never" | "unverifiable_redirects";
  readonly scopes: {
    /** Whether unauthorized scopes are dropped (RFC 6749 3.3) or refused. */
    readonly unavailable: "refused" | "left_out";
    /** The scopes of a request without `scope`: the API's defaults, the app's, or an error. */
    readonly unasked: "of_resource" | "of_app" | "refused";
    /** Whether a request for more scopes also gets those of the earlier consent (PR-27). */
    readonly steps_up: boolean;
  };
}
