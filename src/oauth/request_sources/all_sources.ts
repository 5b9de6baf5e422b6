import type { Params } from "../params.ts";
import type { AuthorizationServer } from "../server.ts";
import { pushed } from "./pushed.ts";
import { query } from "./query.ts";
import type { ReceivedRequest, RequestSource, ResolvedRequest, Resolving } from "./request_source.ts";

/** The first that takes a request resolves it. */
export const allSources: readonly RequestSource[] = [pushed, query];

function sourceOf(params: Params, server: AuthorizationServer): RequestSource {
  return allSources.find((source) => source.takes(params, server)) ?? query;
}

/** The request that was meant by what came to the authorization endpoint. */
export function resolveRequest(
  received: ReceivedRequest,
  server: AuthorizationServer,
  options: Resolving,
): Promise<ResolvedRequest> {
  return sourceOf(received.params, server).resolve(received, server, options);
}

/** Whether the parameters only refer to a request that is kept here. */
export function isReference(params: Params, server: AuthorizationServer): boolean {
  return sourceOf(params, server) !== query;
}
