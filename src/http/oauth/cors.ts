/** Endpoints that a page of any origin may call, without credentials (design 6.20, A-24, D-6). */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { offersFeature } from "../../oauth/offered.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";

/** A day: how long a browser may remember a preflight, seconds. */
const preflightAge = 86_400;

/** What a client that binds its tokens sends and reads besides (RFC 9449 4.1, 8.1). */
const ofProofs = { sent: ", DPoP", read: ", DPoP-Nonce" };
const nothing = { sent: "", read: "" };

const headersBeside = (server: AuthorizationServer) => (offersFeature(server, "dpop") ? ofProofs : nothing);

/** An `onRequest` hook of a route. The origin is never reflected, so credentials can never go along. */
export function allowAnyOrigin(server: AuthorizationServer) {
  const exposed = `WWW-Authenticate${headersBeside(server).read}`;
  return (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", exposed);
    done();
  };
}

/** Answers preflight requests for a path. */
export function answerPreflight(
  app: FastifyInstance,
  path: string,
  methods: readonly HTTPMethods[],
  server: AuthorizationServer,
): void {
  const allowed = `Authorization, Content-Type${headersBeside(server).sent}`;
  app.options(path, { onRequest: allowAnyOrigin(server) }, async (_request, reply) =>
    reply
      .code(204)
      .header("access-control-allow-methods", methods.join(", "))
      .header("access-control-allow-headers", allowed)
      .header("access-control-max-age", preflightAge)
      .send(),
  );
}
