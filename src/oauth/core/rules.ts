import type { SigningAlgorithm } from "../../records/names/names.ts";
import type { LoopbackHost } from "./redirect_uri.ts";

/** Every rule of the protocol that is not the same for every app. */
export interface Rules {
  /** Its authorization requests are pushed (RFC 9126 6). */
  readonly pushed_requests: boolean;
  /** Its authorization requests carry a challenge (RFC 7636). */
  readonly pkce: boolean;
  /** Names of the methods by which it may authenticate. */
  readonly authentication_methods: readonly string[];
  /** The cache for its own key set, if it has a `jwks_uri`. */
  readonly key_sets: "registered" | "open";
  /** The algorithms of its own assertions. */
  readonly assertion_algorithms: readonly string[];
  /** Its assertions may name the token endpoint as their audience in place of the issuer. */
  readonly token_endpoint_as_audience: boolean;
  /** Their audience is a string, and no list of one. */
  readonly audience_as_string: boolean;
  /** Its tokens are bound to a key. */
  readonly bound_tokens: boolean;
  /** The algorithms of its proofs and grants' assertions; all when null. */
  readonly client_algorithms: readonly string[] | null;
  /** Assertions that are grants are meant for the issuer, too, and for no endpoint. */
  readonly issuer_as_audience: boolean;
  readonly id_token_algorithm: SigningAlgorithm;
  /** Signs access tokens where the resource names none of `token_algorithms`. */
  readonly access_token_algorithm: SigningAlgorithm;
  /** The algorithms of tokens for it; all when null. */
  readonly token_algorithms: readonly SigningAlgorithm[] | null;
  /** Seconds. */
  readonly code_ttl: number;
  readonly refresh: {
    readonly rotates: boolean;
    /**
     * A confidential client proves itself at each refresh, so its tokens may move to another of its keys (RFC
     * 9449 5). That of a public client is the only proof it has.
     */
    readonly rebinds: boolean;
    /** Seconds in which the token just rotated gets the same answer again; 0 is strict (design 6.9). */
    readonly reuse_window: number;
  };
  readonly redirect_uris: {
    /** Only https, and no host of the device. */
    readonly https_only: boolean;
    /** Hosts of registered http redirects that match with any port. */
    readonly any_port: readonly LoopbackHost[];
  };
  /** Its record says when it last got a token: it ends when that is long ago. */
  readonly notes_use: boolean;
  /** It has no responsible owner, so the rows of its assertions are bounded (PR-35). */
  readonly counts_assertions: boolean;
  /** The token request names the redirect URI again (RFC 6749 4.1.3). */
  readonly redirect_uri_at_token: boolean;
  /** Redirects for which an earlier consent does not count (RFC 8252 8.6). */
  readonly consent_again: "never" | "unverifiable_redirects";
  readonly scopes: {
    /** Unauthorized scopes are dropped from its requests (RFC 6749 3.3); for others they are an error. */
    readonly unavailable: "refused" | "left_out";
    /** The scopes without a request: the API's defaults, the app's, or none. */
    readonly unasked: "of_resource" | "of_app" | "refused";
    /** A request for more keeps the earlier consent (PR-27). */
    readonly steps_up: boolean;
  };
}
