import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";

/**
 * Only an authorization request or a pushed request may fetch a document from another host (PR-18). A page
 * shown during the request uses the stored or remembered copy, and every other endpoint the stored copy.
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
   * Returns the client even if it is inactive. Throws an `OAuthError` if the caller may learn a more exact
   * reason than "unknown client".
   */
  find(client_id: string, lookUp: LookUp, server: AuthorizationServer): Promise<ClientRecord | undefined>;
  /** Stores a client that is known only from its metadata document. Call this only for a signed-in user. */
  keep(client: ClientRecord, requester: Requester, server: AuthorizationServer): Promise<ClientRecord>;
  /**
   * The fields that this source adds to the discovery document (RFC 8414 2). `open_clients` is true if the
   * server accepts clients that no administrator registered.
   */
  metadata(server: AuthorizationServer, open_clients: boolean): Readonly<Record<string, unknown>>;
}
