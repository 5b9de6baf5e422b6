/** The interface of a client source, an object in the list of `all_client_sources.ts`. */

import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";

/**
 * Why a client is looked up. Only an authorization request or a push may fetch from a foreign host (PR-18). A
 * page shown during the request, and every other endpoint, uses the local copy.
 */
export type LookUp =
  | { readonly for: "authorize"; readonly origin: RequestOrigin }
  | { readonly for: "pending" }
  | { readonly for: "token" };

export interface Requester {
  readonly signedIn: SignedIn;
  readonly origin: RequestOrigin;
}

export interface ClientSource {
  readonly name: "registered" | "metadata_document" | "command_line";
  owns(client_id: string, server: AuthorizationServer): Promise<boolean>;
  /**
   * Returns the client regardless of its state; undefined if there is none. Throws an `OAuthError` if the
   * caller may learn more than "unknown client".
   */
  find(client_id: string, lookUp: LookUp, server: AuthorizationServer): Promise<ClientRecord | undefined>;
  /**
   * Stores the client if this source knows it only from outside the database; returns the stored client. Only
   * a signed-in user may cause this.
   */
  keep(client: ClientRecord, requester: Requester, server: AuthorizationServer): Promise<ClientRecord>;
  /**
   * Returns fields of the discovery document (RFC 8414 2); `open_clients` is true if open clients are
   * allowed.
   */
  metadata(server: AuthorizationServer, open_clients: boolean): Readonly<Record<string, unknown>>;
}
