import { Readable } from "node:stream";
import type { FastifyInstance, onSendHookHandler, RouteOptions, RouteShorthandOptions } from "fastify";

/** How a route of `getAndHead` is declared. */
type ReadOptions = Omit<RouteShorthandOptions, "exposeHeadRoute" | "onSend"> & {
  readonly onSend?: onSendHookHandler;
};

/**
 * A route for GET, and for HEAD what GET would answer, without its content (RFC 9110 9.3.2). One route is
 * both: each that is declared costs every start of the server some of its time.
 */
export function getAndHead(
  app: FastifyInstance,
  url: string,
  { onSend, ...options }: ReadOptions,
  handler: RouteOptions["handler"],
): void {
  app.route({
    ...options,
    method: ["GET", "HEAD"],
    url,
    onSend: onSend === undefined ? withoutContent : [onSend, withoutContent],
    handler,
  });
}

const withoutContent: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  if (request.method !== "HEAD") return done(null, payload);
  if (typeof payload === "string" || Buffer.isBuffer(payload)) {
    reply.header("content-length", Buffer.byteLength(payload));
  } else if (payload instanceof Readable) {
    // Its errors are not reported.
    payload.on("error", () => {}).destroy();
  } else if (payload === undefined) reply.header("content-length", 0);
  done(null, null);
};
