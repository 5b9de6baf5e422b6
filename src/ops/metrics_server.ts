import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cannotListen } from "../errors.ts";

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves only `GET /metrics`. It has a separate listener, so that a reverse proxy in front of the server
 * cannot expose it by mistake. Throws an error for the operator if the port is unavailable.
 */
export async function serveMetrics(
  metrics: { text(): Promise<string> },
  port: number,
  host = "127.0.0.1",
): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, async (request, reply) => {
    const refuse = (status: number, sentence: string, headers: Record<string, string> = {}) =>
      reply
        .writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers })
        .end(`${sentence}\n`);
    if (request.url?.split("?")[0] !== "/metrics") return refuse(404, "only /metrics is served here");
    if (request.method !== "GET") return refuse(405, "only GET is supported", { allow: "GET" });
    try {
      const text = await metrics.text();
      reply.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
    } catch {
      refuse(500, "the metrics could not be collected");
    }
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const settings = { host_setting: "POSTERN_METRICS_HOST", port_setting: "POSTERN_METRICS_PORT" };
    throw cannotListen(error as NodeJS.ErrnoException, { host, port, ...settings });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
