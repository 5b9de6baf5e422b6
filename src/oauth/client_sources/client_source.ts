/** Client sources: a plain object for each in the list of `all_client_sources.ts`. */

import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";

/**
 * The purpose of a client lookup. Only an authorization request or a push may fetch from a foreign host
 * (PR-18). While a page is shown for the request, and at every other endpoint, the local copy is used.
 */
export type LookUp =
  | { readonly for: "authorize"; readonly origin: RequestOrigin }
  | { readonly for: "pending" }
  | { readonly for: "token" };

/** The user whose authorization request names the client. */
export interface Requester {
  readonly signedIn: SignedIn;
  readonly origin: RequestOrigin;
}

export interface ClientSource {
  readonly name: "registered" | "metadata_document" | "command_line";
  /** Returns whether this source is responsible for clients with this identifier. */
  owns(client_id: string, server: AuthorizationServer): Promise<boolean>;
  /**
   * Returns the client regardless of its state; undefined if there is none. Throws an `OAuthError` if there
   * is more to report than an unknown client.
   */
  find(client_id: string, lookUp: LookUp, server: AuthorizationServer): Promise<ClientRecord | undefined>;
  /**
   * Stores the client if it has no row yet, because a signed-in user requests it, and returns the stored
   * client.
   */
  keep(client: ClientRecord, requester: Requester, server: AuthorizationServer): Promise<ClientRecord>;
  /**
   * Returns members of the discovery document (RFC 8414 2); `open_clients` is true if open clients are
   * allowed.
   */
  metadata(server: AuthorizationServer, open_clients: boolean): Readonly<Record<string, unknown>>;
}
