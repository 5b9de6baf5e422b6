/** Endpoints that a page of any origin may call, without credentials (design 6.20, A-24, D-6). */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";

/** A day: how long a browser may remember a preflight, seconds. */
const preflightAge = 86_400;

/** An `onRequest` hook of a route. The origin is never reflected, so credentials can never go along. */
export function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply
    .header("access-control-allow-origin", "*")
    .header("access-control-expose-headers", "WWW-Authenticate");
  done();
}

/** Answers preflight requests for a path. */
export function answerPreflight(app: FastifyInstance, path: string, methods: readonly HTTPMethods[]): void {
  app.options(path, { onRequest: allowAnyOrigin }, async (_request, reply) =>
    reply
      .code(204)
      .header("access-control-allow-methods", methods.join(", "))
      .header("access-control-allow-headers", "Authorization, Content-Type")
      .header("access-control-max-age", preflightAge)
      .send(),
  );
}
