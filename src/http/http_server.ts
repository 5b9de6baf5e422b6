import { createServer, type Server } from "node:http";

/** Milliseconds (H-3): for the headers, for the whole request, and for a connection that says nothing. */
const headersTimeout = 15_000;
const requestTimeout = 30_000;
const idleTimeout = 75_000;

/** Bytes of request line and headers. */
const maxHeaderSize = 16_384;

/** An HTTP server with the bounds of H-3, that nobody answers on yet. */
export function createHttpServer(): Server {
  const server = createServer({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: idleTimeout,
    maxHeaderSize,
    insecureHTTPParser: false,
    connectionsCheckingInterval: 5000,
  });
  return server.setTimeout(idleTimeout);
}
