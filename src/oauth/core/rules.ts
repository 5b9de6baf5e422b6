import type { SigningAlgorithm } from "../../records/names/names.ts";
import type { LoopbackHost } from "./redirect_uri.ts";

export interface Rules {
  readonly pushed_requests: boolean;
  readonly pkce: boolean;
  readonly authentication_methods: readonly string[];
  readonly key_sets: "registered" | "organization" | "open";
  readonly assertion_algorithms: readonly string[];
  readonly token_endpoint_as_audience: boolean;
  /** Otherwise, the audience of client assertions may also be a list with one entry. */
  readonly audience_as_string: boolean;
  readonly bound_tokens: boolean;
  /** The algorithms for the client's DPoP proofs and for assertions used as grants; null allows all. */
  readonly client_algorithms: readonly string[] | null;
  /** Otherwise, assertions used as grants may name the token endpoint instead. */
  readonly issuer_as_audience: boolean;
  readonly id_token_algorithm: SigningAlgorithm;
  /** For APIs that name no algorithm, or one outside `token_algorithms`. */
  readonly access_token_algorithm: SigningAlgorithm;
  /** Null allows all. */
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
  /** An app that no administrator registered expires if it is unused. */
  readonly notes_use: boolean;
  /** No owner is responsible for a client that no administrator registered (PR-35). */
  readonly counts_assertions: boolean;
  /** RFC 6749 4.1.3. */
  readonly redirect_uri_at_token: boolean;
  /**
   * Whether the user is asked again, despite an earlier consent, for redirect URIs that other apps can
   * receive too (RFC 8252 8.6).
   */
  readonly consent_again: "never" | "unverifiable_redirects";
  readonly scopes: {
    /** Scopes that the app is not allowed are ignored (RFC 6749 3.3), or the request is refused. */
    readonly unavailable: "refused" | "left_out";
    /** For a request without `scope`. */
    readonly unasked: "of_resource" | "of_app" | "refused";
    /** Whether a request for a new scope also gets the scopes of the user's earlier consent (PR-27). */
    readonly steps_up: boolean;
  };
}
