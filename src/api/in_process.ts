/** Calls the management API without a socket, for a program that has opened the database itself. */
import fastify from "fastify";
import { detail } from "../errors/details.ts";
import { ReferenceViolation } from "../errors/violations.ts";
import { Problem } from "../errors.ts";
import { readBodies } from "../http/form.ts";
import { problemDocument, problemType } from "../http/problems.ts";
import { type RouteMethods, routeMethods } from "../http/route_methods.ts";
import { schemaless } from "../http/schemaless.ts";
import { english } from "../web/words/english.ts";
import { detailText } from "../web/words/error_text.ts";
import type { ApiContext } from "./api_context.ts";
import { apiRoutes } from "./routes.ts";

/**
 * Returns a function that handles requests as the server's API does, for the caller of `context` and with
 * bodies of any size. No network request can reach its routes (H-67). If a request fails with an unexpected
 * error, the function rejects with that error, which the operator may read.
 */
export function answerInProcess(context: ApiContext): (request: Request) => Promise<Response> {
  const app = fastify({
    ...schemaless,
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 255, querystringParser: () => ({}) },
  });
  const failures = new WeakMap<object, unknown>();
  app.decorate("route_methods", routeMethods() satisfies RouteMethods);
  app.setErrorHandler((thrown, { id: request_id, raw }, reply) => {
    const error =
      thrown instanceof ReferenceViolation ? new Problem("conflict", detail("reference_gone")) : thrown;
    if (!(error instanceof Problem)) {
      failures.set(raw, thrown);
      return reply.code(500).send();
    }
    const { status, code, errors } = error;
    const sent = detailText(error.detail, english);
    return reply
      .code(status)
      .type(problemType)
      .send(JSON.stringify(problemDocument({ status, code, detail: sent, errors, request_id })));
  });
  readBodies(app, Number.POSITIVE_INFINITY);
  apiRoutes(app, context);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const { statusCode, headers, rawPayload, raw } = await app.inject({
      method: request.method as "GET",
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      payload: Buffer.from(await request.arrayBuffer()),
    });
    if (failures.has(raw.req)) throw failures.get(raw.req);
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: sent,
    });
  };
}
