import type { ClientAuthenticationMethod } from "../../core/server.ts";
import { readBasicCredentials } from "./client_secret.ts";

/** A public client sends its `client_id` and proves nothing (RFC 7591 2). */
export const none: ClientAuthenticationMethod = {
  name: "none",
  client_type: "public",
  credential: { in: "form", name: "client_id" },
  present(request) {
    // Some libraries authenticate a public client in the header, with an empty secret: `client_id:`.
    if (request.authorization !== undefined) return readBasicCredentials(request);
    const client_id = request.params.get("client_id");
    return client_id === undefined ? [] : [{ client_id }];
  },
  verify: async (_presented, client) => client && { type: "none" },
};
