import { createServer, type Server } from "node:http";

/** The timeouts are in milliseconds (H-3). */
const headersTimeout = 15_000;
const requestTimeout = 30_000;
const idleTimeout = 75_000;

/** Maximum bytes of the request line and the headers. */
export const maxHeaderSize = 16_384;

/** Returns an HTTP server without a handler, with limits on time and header size (H-3). */
export function createHttpServer(): Server {
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: idleTimeout,
    maxHeaderSize,
    insecureHTTPParser: false,
    // Without this setting, Node.js would answer a request that has no `Host` with an empty response. The app
    // answers such a request like any other (`app.ts`).
    requireHostHeader: false,
    connectionsCheckingInterval: 5000,
  });
  server.on("checkExpectation", (_request, response) => {
    const body = JSON.stringify({
      error: "invalid_request",
      error_description: "the server supports no Expect value other than 100-continue",
    });
    response
      .writeHead(417, {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-length": body.length,
        connection: "close",
      })
      .end(body);
  });
  return server.setTimeout(idleTimeout);
}
