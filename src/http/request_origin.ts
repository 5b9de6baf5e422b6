import type { FastifyRequest } from "fastify";
import type { RequestOrigin } from "../records/request_origin.ts";
import { forwardedAddress } from "./forwarded_address.ts";

const longestUserAgent = 512;

/**
 * Where a request came from. The address is the peer's, or what trusted proxies say it is (H-4): where they
 * say no address, that of the last proxy that is known.
 */
export function originOf(request: FastifyRequest): RequestOrigin {
  const hops = request.ips ?? [request.socket.remoteAddress];
  return {
    client_ip: hops.map(forwardedAddress).findLast((address) => address !== undefined) ?? null,
    user_agent: request.headers["user-agent"]?.slice(0, longestUserAgent) ?? null,
    request_id: request.id,
  };
}
