/** Client sources: a plain object for each in the list of `all_client_sources.ts`. */

import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";

/**
 * The purpose of a client lookup. Only an authorization request or a push may fetch from a foreign host
 * (PR-18). While the request waits during a page, and at every other endpoint, the local copy counts.
 */
export type LookUp =
  | { readonly for: "authorize"; readonly origin: RequestOrigin }
  | { readonly for: "pending" }
  | { readonly for: "token" };

/** A person whose authorization request names the client. */
export interface Requester {
  readonly signedIn: SignedIn;
  readonly origin: RequestOrigin;
}

export interface ClientSource {
  readonly name: "registered" | "metadata_document" | "command_line";
  /** Whether a client of this identifier is this source's to find. */
  owns(client_id: string, server: AuthorizationServer): Promise<boolean>;
  /** The client, whatever its state; throws an `OAuthError` where there is more to say than that of none. */
  find(client_id: string, lookUp: LookUp, server: AuthorizationServer): Promise<ClientRecord | undefined>;
  /** The client with a row of its own, now that a signed-in person requests it. */
  keep(client: ClientRecord, requester: Requester, server: AuthorizationServer): Promise<ClientRecord>;
  /** Members of the discovery document (RFC 8414 2); `open_clients` says whether they may come along. */
  metadata(server: AuthorizationServer, open_clients: boolean): Readonly<Record<string, unknown>>;
}
