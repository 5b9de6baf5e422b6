import { Readable } from "node:stream";
import type { FastifyInstance, onSendHookHandler, RouteOptions, RouteShorthandOptions } from "fastify";

type ReadOptions = Omit<RouteShorthandOptions, "exposeHeadRoute" | "onSend"> & {
  readonly onSend?: onSendHookHandler;
};

/**
 * Declares one route for GET and HEAD (RFC 9110, section 9.3.2), because each declared route slows startup.
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
    // The stream may emit an error when it is destroyed. Without a listener, the error would end the process.
    payload.on("error", () => {}).destroy();
  } else if (payload === undefined) reply.header("content-length", 0);
  done(null, null);
};
