import type { SigningAlgorithm } from "../../records/names/names.ts";
import type { LoopbackHost } from "./redirect_uri.ts";

export interface Rules {
  readonly pushed_requests: boolean;
  readonly pkce: boolean;
  readonly authentication_methods: readonly string[];
  readonly key_sets: "registered" | "organization" | "open";
  readonly assertion_algorithms: readonly string[];
  readonly token_endpoint_as_audience: boolean;
  /** Whether the audience of client assertions must be a string rather than a list with one entry. */
  readonly audience_as_string: boolean;
  readonly bound_tokens: boolean;
  /** The algorithms for the client's DPoP proofs and for assertions used as grants; null allows all. */
  readonly client_algorithms: readonly string[] | null;
  /**
   * Whether assertions used as grants must name the issuer, rather than the token endpoint, as their
   * audience.
   */
  readonly issuer_as_audience: boolean;
  readonly id_token_algorithm: SigningAlgorithm;
  /** The algorithm of access tokens for APIs that name no algorithm, or one outside `token_algorithms`. */
  readonly access_token_algorithm: SigningAlgorithm;
  /** Null allows all algorithms. */
  readonly token_algorithms: readonly SigningAlgorithm[] | null;
  /** Seconds. */
  readonly code_ttl: number;
  readonly refresh: {
    readonly rotates: boolean;
    /**
     * A confidential client authenticates at each refresh, so it may change keys (RFC 9449 5), unless the app
     * has `dpop_bound_refresh_tokens`. A public client has no other proof than the key.
     */
    readonly rebinds: boolean;
    /**
     * Seconds after a rotation in which the previous refresh token is still answered. With 0, every reuse
     * counts as a replay (design 6.9).
     */
    readonly reuse_window: number;
  };
  readonly redirect_uris: {
    readonly https_only: boolean;
    /** Hosts whose http redirects match with any port (RFC 8252 7.3). */
    readonly any_port: readonly LoopbackHost[];
  };
  /**
   * Whether the server stores the last use of the app, because an unused app that no administrator registered
   * expires.
   */
  readonly notes_use: boolean;
  /** Whether client assertions are limited, because no owner is responsible for the client (PR-35). */
  readonly counts_assertions: boolean;
  /** Whether the token request must repeat the redirect URI (RFC 6749 4.1.3). */
  readonly redirect_uri_at_token: boolean;
  /**
   * Whether the user is asked again, despite an earlier consent, for redirect URIs that other apps can
   * receive too (RFC 8252 8.6).
   */
  readonly consent_again: "never" | "unverifiable_redirects";
  readonly scopes: {
    /** Whether a scope that the app may not request is ignored (RFC 6749 3.3), or the request is refused. */
    readonly unavailable: "refused" | "left_out";
    /** The scopes of a request without `scope`: the API's defaults, the app's, or an error. */
    readonly unasked: "of_resource" | "of_app" | "refused";
    /** Whether a request for a new scope also gets the scopes of the user's earlier consent (PR-27). */
    readonly steps_up: boolean;
  };
}
