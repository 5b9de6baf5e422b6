import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { RequestOrigin } from "../records/definition/request_origin.ts";
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

/** The value of a header; more than one, with commas between them (RFC 9110 5.3). */
export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/**
 * Whether the message names its host once, as each of HTTP/1.1 must (RFC 9112 3.2). Of several names one part
 * of a chain of servers may read the first, and another one the last.
 */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let names = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") names += 1;
  }
  return names === 1 || (names === 0 && httpVersion === "1.0");
}
