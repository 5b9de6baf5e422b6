import type { Params } from "./params.ts";
import type { Requester } from "./server.ts";

/** A request of a client to the token, introspection or revocation endpoint. */
export interface EndpointRequest {
  readonly params: Params;
  /** The `Authorization` header as it came. */
  readonly authorization: string | undefined;
  readonly requester: Requester;
}
