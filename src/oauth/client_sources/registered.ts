import type { ClientSource } from "./client_source.ts";

/** Clients with a record of their own: somebody registered them, or they registered themselves. */
export const registered: ClientSource = {
  name: "registered",
  owns: async () => true,
  async find(client_id, _lookUp, { store }) {
    const client = await store.findClient(client_id);
    // Where documents are not asked for, a client that came by one is not known.
    return client?.app.provenance === "metadata_document" ? undefined : client;
  },
  keep: async (client) => client,
  metadata: () => ({}),
};
