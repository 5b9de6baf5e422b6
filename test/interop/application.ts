import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The application to which the browser returns, at a separate origin. */
export interface Application {
  readonly redirect_uri: string;
  readonly arrivals: URL[];
  close(): void;
}

/** Starts an application whose page has a recognizable title, and records the requests to its callback. */
export async function application(): Promise<Application> {
  const arrivals: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    if (url.pathname === "/cb") arrivals.push(url);
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<title>The application</title><h1>Back</h1>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { redirect_uri: `${origin}/cb`, arrivals, close: () => server.close().closeAllConnections() };
}
