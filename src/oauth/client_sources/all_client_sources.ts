import { builtInClientId } from "../../records/names/names.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";
import type { ClientSource, LookUp, Requester } from "./client_source.ts";
import { commandLine } from "./command_line.ts";
import { metadataDocument } from "./metadata_document.ts";

const registered: ClientSource = {
  name: "registered",
  owns: async () => true,
  async find(client_id, _lookUp, { store }) {
    const client = await store.findClient(client_id);
    // Clients from metadata documents reach this source only while the server does not accept such clients.
    // They then count as unknown.
    return client?.app.provenance === "metadata_document" ? undefined : client;
  },
  keep: async (client) => client,
  metadata: () => ({}),
};

export const allClientSources: readonly ClientSource[] = [metadataDocument, commandLine, registered];

async function sourceOf(client_id: string, server: AuthorizationServer): Promise<ClientSource> {
  // All sources before `registered` use URIs as identifiers, and a URI contains a colon.
  if (!client_id.includes(":")) return registered;
  for (const source of allClientSources) if (await source.owns(client_id, server)) return source;
  return registered;
}

/**
 * Returns the client of a `client_id` in a request. PostgreSQL would refuse a NUL, and no caller may act as
 * `builtInClientId`, the server's own app.
 */
export async function findNamedClient(
  client_id: string,
  lookUp: LookUp,
  server: AuthorizationServer,
): Promise<ClientRecord | undefined> {
  if (client_id.includes("\0") || client_id === builtInClientId) return undefined;
  return (await sourceOf(client_id, server)).find(client_id, lookUp, server);
}

/** Stores a client that is known only from its metadata document. Call this only for a signed-in user. */
export async function keepClient(
  client: ClientRecord,
  requester: Requester,
  server: AuthorizationServer,
): Promise<ClientRecord> {
  return (await sourceOf(client.app.client_id, server)).keep(client, requester, server);
}
