import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { RequestOrigin } from "../records/request_origin.ts";

const longestUserAgent = 512;

/** Where a request came from. The address is the peer's, or what trusted proxies say it is (H-4). */
export function originOf(request: FastifyRequest): RequestOrigin {
  return {
    client_ip: plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress) ?? null,
    user_agent: request.headers["user-agent"]?.slice(0, longestUserAgent) ?? null,
    request_id: request.id,
  };
}

/** A proxy may hand on whatever it was sent; only an address counts. IPv4 inside IPv6 is written as IPv4. */
function plainAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) === 0) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text);
  return mapped?.[1] ?? text;
}
