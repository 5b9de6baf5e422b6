import type { FastifyReply, FastifyRequest } from "fastify";
import { currentNonce } from "../../oauth/dpop/proof.ts";
import { offersFeature } from "../../oauth/offered.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";

/**
 * An `onRequest` hook: where each proof needs a nonce, every answer to a proof has the next one, so that no
 * client has to ask twice when a nonce ends (RFC 9449 8.2).
 */
export function offerNonce(server: AuthorizationServer) {
  const always = offersFeature(server, "dpop") && server.settings.dpop_nonce === "always";
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (always && request.headers.dpop !== undefined) reply.header("dpop-nonce", currentNonce(server));
    done();
  };
}
