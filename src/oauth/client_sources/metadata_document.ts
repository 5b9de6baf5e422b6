/**
 * Clients whose identifier is the URL of their metadata document
 * (draft-ietf-oauth-client-id-metadata-document).
 */

import type { OAuthApp } from "../../records/definition/definition.ts";
import { type RequestOrigin, siteOf, sourceOf } from "../../records/definition/request_origin.ts";
import { nilUuid } from "../../records/names/ids.ts";
import { hasPassed, isAhead } from "../../records/names/liveness.ts";
import { matchesHost } from "../../records/names/public_addresses.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { DocumentOutcome, FetchedDocument } from "../client_metadata/client_documents.ts";
import {
  hostOfIdentifier,
  identifierError,
  isDocumentAddress,
  longestIdentifier,
} from "../client_metadata/client_identifier.ts";
import { isThrottled } from "../core/memory.ts";
import { allowsOpenClients, usableMethods } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { unstoredClient } from "./app_of_document.ts";
import type { ClientSource } from "./client_source.ts";
import { noteGone, renewClient, storeClient } from "./stored_snapshot.ts";

/**
 * Milliseconds for which a document that cannot be fetched again is still used after its last fetch (PR-18).
 */
const staleFor = 24 * 3_600_000;

export const metadataDocument: ClientSource = {
  name: "metadata_document",

  owns: async (client_id, server) => isDocumentAddress(client_id) && (await allowsOpenClients(server)),

  async find(client_id, lookUp, server) {
    const { store, clientDocuments } = server;
    const stored = client_id.length > longestIdentifier ? undefined : await store.findClient(client_id);
    // An administrator registered the client, or its record predates client documents.
    if (stored !== undefined && stored.app.provenance !== "metadata_document") return stored;
    if (!isHostAllowed(client_id, server)) {
      if (lookUp.for === "authorize") throw refuse("client_host_refused", { client_id });
      return undefined;
    }
    if (lookUp.for === "authorize") return freshClient(client_id, stored, lookUp.origin, server);
    if (stored !== undefined) return isGone(stored.app, server) ? undefined : stored;
    const known = lookUp.for === "pending" ? clientDocuments.remembered(client_id) : undefined;
    return known && provisional(client_id, known, server);
  },

  async keep(client, requester, server) {
    if (!client.app.unstored) return client;
    const { client_id } = client.app;
    const stored = await server.store.findClient(client_id);
    if (stored !== undefined) return stored;
    const known = server.clientDocuments.remembered(client_id);
    // The cache has evicted the document; the next request fetches it again.
    if (known === undefined) throw refuse("client_document_unavailable", { retry_after: 1 });
    const kept = await storeClient(client_id, known, requester, server);
    server.clientDocuments.forget(client_id);
    return kept;
  },

  metadata: (_, open_clients) => (open_clients ? { client_id_metadata_document_supported: true } : {}),
};

/** The operator's rules for hosts apply at every endpoint, even to stored clients (PR-23). */
function isHostAllowed(client_id: string, { settings }: AuthorizationServer): boolean {
  const { client_hosts = ["*"], client_hosts_denied = [] } = settings;
  const host = hostOfIdentifier(client_id);
  return matchesHost(client_hosts, host) && !matchesHost(client_hosts_denied, host);
}

/** A document with a fetch time in the future is not fresh, because a clock was wrong at that fetch. */
function isFresh({ fetched_at, expires_at }: Pick<FetchedDocument, "fetched_at" | "expires_at">, now: Date) {
  return !isAhead(fetched_at, now) && !hasPassed(expires_at, now);
}

function isGone({ gone_at }: Pick<OAuthApp, "gone_at">, { now }: AuthorizationServer): boolean {
  return gone_at !== null && hasPassed(gone_at, now());
}

function provisional(client_id: string, known: FetchedDocument, { store, now }: AuthorizationServer) {
  const at = now();
  return unstoredClient(known.document, { id: store.newId(at), client_id, owner_id: nilUuid, at });
}

async function freshClient(
  client_id: string,
  stored: ClientRecord | undefined,
  origin: RequestOrigin,
  server: AuthorizationServer,
): Promise<ClientRecord> {
  const error = identifierError(client_id);
  if (error !== undefined) throw refuse("client_identifier", { error, client_id });
  const { store, clientDocuments } = server;
  const known =
    stored === undefined
      ? clientDocuments.remembered(client_id)
      : await store.find("client_documents", { app_id: stored.app.id });
  const asKnown = async () => stored ?? provisional(client_id, known as FetchedDocument, server);
  const now = server.now();
  if (known !== undefined && isFresh(known, now)) return asKnown();
  // Another request may have fetched the document since this request read the client's record.
  const lately = clientDocuments.remembered(client_id);
  if (stored !== undefined && lately !== undefined && isFresh(lately, now)) {
    return renewClient(stored.app, lately, origin, server);
  }
  // A stored client costs only one fetch per lifetime of its document, so its fetches do not count against
  // the caller's limits.
  const { client_ip } = origin;
  const counted = stored === undefined ? { source: sourceOf(client_ip), site: siteOf(client_ip) } : "stored";
  const methods = usableMethods(server).map(({ name }) => name);
  const outcome = await clientDocuments.fetch(client_id, methods, isThrottled(server) ? counted : undefined);
  if (outcome.type === "document") {
    return stored === undefined
      ? provisional(client_id, outcome, server)
      : renewClient(stored.app, outcome, origin, server);
  }
  const stale_until = known && new Date(Math.min(known.fetched_at.getTime(), now.getTime()) + staleFor);
  if (outcome.type === "gone" && stored !== undefined && stale_until !== undefined) {
    await noteGone(stored.app, stale_until, origin, server);
  }
  if (stale_until !== undefined && !hasPassed(stale_until, now)) return asKnown();
  throw refusalOf(outcome, client_id);
}

function refusalOf(outcome: Exclude<DocumentOutcome, { type: "document" }>, client_id: string) {
  switch (outcome.type) {
    case "gone":
      return refuse("client_document_gone", { client_id });
    case "unfit":
      return refuse("client_document_unfit", { ...outcome, client_id });
    case "throttled":
      return refuse("client_document_throttled", outcome);
    case "unavailable":
      return refuse("client_document_unavailable", outcome);
    default:
      return outcome satisfies never;
  }
}
