/** Where the parameters of an authorization request come from. */
import type { PushedReference } from "../../storage/pushed_requests.ts";
import type { LookUp } from "../client_sources/client_source.ts";
import type { Params } from "../params.ts";
import type { AuthorizationServer } from "../server.ts";

/** A request as it came to the authorization endpoint. */
export interface ReceivedRequest {
  readonly params: Params;
  /**
   * Path and query, which carry the request through sign-in and consent (design, section 4).
   */
  readonly url: string;
}

/** The request itself: from here on there is one set of parameters, wherever they were sent. */
export interface ResolvedRequest extends ReceivedRequest {
  /** Names the pushed request that the code's transaction spends; undefined where none was pushed. */
  readonly pushed: PushedReference | undefined;
}

export interface Resolving {
  /** The person is at the authorization endpoint with it. */
  readonly visit: boolean;
  readonly lookUp: LookUp;
}

/** One way to hand in an authorization request: a plain object in the list of `all_sources.ts`. */
export interface RequestSource {
  readonly name: "query" | "pushed";
  takes(params: Params, server: AuthorizationServer): boolean;
  /**
   * The request that was meant. Throws an `OAuthError` for the person, because no redirect URI is known yet.
   */
  resolve(
    received: ReceivedRequest,
    server: AuthorizationServer,
    options: Resolving,
  ): Promise<ResolvedRequest>;
  /** What the source adds to the discovery document (RFC 8414 2). */
  metadata(server: AuthorizationServer): Readonly<Record<string, unknown>>;
}
