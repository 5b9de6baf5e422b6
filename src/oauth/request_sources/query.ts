import type { RequestSource } from "./request_source.ts";

/** The parameters of the request's own query or form (RFC 6749 4.1.1). */
export const query: RequestSource = {
  name: "query",
  takes: () => true,
  resolve: async (received) => ({ ...received, pushed: undefined }),
  metadata: () => ({}),
};
