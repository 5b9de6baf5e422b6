import type { SigningAlgorithm } from "../../records/names/names.ts";
import type { LoopbackHost } from "./redirect_uri.ts";

/** Every protocol rule that varies between apps. */
export interface Rules {
  /** Whether the client's authorization requests must be pushed (RFC 9126 6). */
  readonly pushed_requests: boolean;
  /** Whether the client's authorization requests must carry a challenge (RFC 7636). */
  readonly pkce: boolean;
  /** Names of the authentication methods that the client may use. */
  readonly authentication_methods: readonly string[];
  /** The cache for the key set at the client's `jwks_uri`, if it has one. */
  readonly key_sets: "registered" | "organization" | "open";
  /** The algorithms with which the client may sign its own assertions. */
  readonly assertion_algorithms: readonly string[];
  /** Whether the client's assertions may name the token endpoint as their audience instead of the issuer. */
  readonly token_endpoint_as_audience: boolean;
  /** Whether the audience of assertions must be a string rather than a list of one. */
  readonly audience_as_string: boolean;
  /** Whether the client's tokens must be bound to a key. */
  readonly bound_tokens: boolean;
  /** The algorithms for the client's DPoP proofs and for assertions as grants; null allows all. */
  readonly client_algorithms: readonly string[] | null;
  /** Whether assertions as grants must also name the issuer as their audience, and no endpoint. */
  readonly issuer_as_audience: boolean;
  readonly id_token_algorithm: SigningAlgorithm;
  /** Signs access tokens if the resource names none of `token_algorithms`. */
  readonly access_token_algorithm: SigningAlgorithm;
  /** The algorithms that may sign the client's tokens; null allows all. */
  readonly token_algorithms: readonly SigningAlgorithm[] | null;
  /** Seconds. */
  readonly code_ttl: number;
  readonly refresh: {
    readonly rotates: boolean;
    /**
     * Whether a refresh may bind its tokens to another key. A confidential client authenticates at each
     * refresh, so it may change keys (RFC 9449 5). For a public client the key is the only proof.
     */
    readonly rebinds: boolean;
    /** How many seconds a token gets the same response again after its rotation; 0 is strict (design 6.9). */
    readonly reuse_window: number;
  };
  readonly redirect_uris: {
    /** Allows only https, and no loopback host. */
    readonly https_only: boolean;
    /** Hosts whose registered http redirects match with any port. */
    readonly any_port: readonly LoopbackHost[];
  };
  /** Whether the client's record stores when it last got a token, because unused clients expire. */
  readonly notes_use: boolean;
  /**
   * Whether the client's used-once entries for assertions are limited, because no owner is responsible for it
   * (PR-35).
   */
  readonly counts_assertions: boolean;
  /** Whether the token request must repeat the redirect URI (RFC 6749 4.1.3). */
  readonly redirect_uri_at_token: boolean;
  /** Redirects for which an earlier consent does not count (RFC 8252 8.6). */
  readonly consent_again: "never" | "unverifiable_redirects";
  readonly scopes: {
    /** Whether unauthorized scopes are dropped from the client's requests (RFC 6749 3.3) or refused. */
    readonly unavailable: "refused" | "left_out";
    /** The scopes of a request without `scope`: the API's defaults, the app's, or an error. */
    readonly unasked: "of_resource" | "of_app" | "refused";
    /** Whether a request for more scopes also includes those of the earlier consent (PR-27). */
    readonly steps_up: boolean;
  };
}
