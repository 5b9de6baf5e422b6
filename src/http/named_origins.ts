/**
 * Pages of other origins that may call the management API with a token (POSTERN_API_ORIGINS). They cannot use
 * cookies: no response allows credentials, and no response to such a page sets a cookie (H-34).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationServer } from "../oauth/core/server.ts";

/** Seconds. The time is short, so that an origin soon loses access once the operator removes it. */
const preflightAge = 600;

/** Request headers in addition to the safelisted ones (Fetch, section 2.2.2). */
const sent = [
  ...["Authorization", "Content-Type", "DPoP", "Idempotency-Key", "If-Match", "If-None-Match"],
].join(", ");
const read = [
  ...["DPoP-Nonce", "ETag", "Idempotency-Replayed", "Location", "Postern-Notice"],
  ...["RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"],
].join(", ");

export function isFromNamedOrigin(
  { headers }: Pick<FastifyRequest, "headers">,
  { settings, issuer }: Pick<AuthorizationServer, "settings" | "issuer">,
): boolean {
  const { origin } = headers;
  return origin !== undefined && origin !== issuer && settings.api_origins?.includes(origin) === true;
}

/** Lets a page of a configured origin read the response, including a preflight's. */
export function showToNamedOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  server: Pick<AuthorizationServer, "settings" | "issuer">,
): void {
  if ((server.settings.api_origins ?? []).length === 0) return;
  reply.header("vary", "Origin");
  if (!isFromNamedOrigin(request, server)) return;
  reply.header("access-control-allow-origin", request.headers.origin);
  reply.header("access-control-expose-headers", read);
  if (request.method !== "OPTIONS") return;
  reply.header("access-control-allow-methods", "GET, HEAD, POST, PATCH, DELETE");
  reply.header("access-control-allow-headers", sent);
  reply.header("access-control-max-age", preflightAge);
}
