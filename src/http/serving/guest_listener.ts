/** Runs the server inside another program's Fastify, which hands the requests to the server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { usualTimes } from "./closing.ts";
import { type Answer, boundedOnConnection, type Listener } from "./listener.ts";

/**
 * With `paths`, the server gets the requests at its own paths except `/`. With `host`, it gets all requests
 * with the issuer's `Host`, except at paths that only the host application has.
 */
export type Mount = "paths" | "host";

interface GuestRoute {
  readonly method: string[];
  readonly url: string;
  readonly logLevel: "silent";
  readonly exposeHeadRoute: false;
  readonly constraints: { host?: RegExp };
  onRequest(
    request: { readonly raw: IncomingMessage },
    reply: { readonly raw: ServerResponse; hijack(): unknown },
    done: () => void,
  ): void;
  handler(): void;
}

/** The parts of a Fastify 5 instance that a guest needs, from any copy of the package and with any logger. */
export interface HostFastify {
  readonly prefix: string;
  readonly supportedMethods: string[];
  readonly initialConfig: { readonly http2?: boolean };
  route(options: GuestRoute): unknown;
  addHook(name: "onClose", hook: () => Promise<void>): unknown;
  addHook(name: "preClose", hook: () => Promise<void>): unknown;
}

function guestPaths(patterns: Iterable<string>): Set<string> {
  return new Set([...patterns].map((pattern) => pattern.replace(/\/[^/]*[:*].*$/, "/*")));
}

/** The host application keeps running after the server has stopped, and the routes remain. */
const refuseAfterEnd: Answer = (_request, response) => {
  response.writeHead(503, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "retry-after": "5",
  });
  const description = "this server has stopped";
  response.end(JSON.stringify({ error: "temporarily_unavailable", error_description: description }));
};

/**
 * Receives the requests to a host application that are for the server at `issuer`. Throws if the host's
 * Fastify instance uses HTTP/2 or has a prefix (the issuer has no path).
 */
export function guestListener(
  host: HostFastify,
  issuer: string,
  mount: Mount,
  maxWait = usualTimes.maxWait,
): Listener {
  if (host.prefix !== "")
    throw new Error(
      `Postern cannot run under a prefix (${host.prefix}): all of its addresses begin at the root`,
    );
  if (host.initialConfig.http2)
    throw new Error("Postern serves only HTTP/1.1: put a proxy in front of it for HTTP/2");
  const { hostname, port, protocol } = new URL(issuer);
  const usualPort = protocol === "https:" ? 443 : 80;
  // A host name is case-insensitive, and the scheme's default port may be included (RFC 9110, section 4.2.3).
  const named = hostname.replaceAll(/[.[\]]/g, "\\$&");
  const hostPattern = new RegExp(`^${named}${port ? `:${port}` : `(?::${usualPort})?`}$`, "i");

  const underWay = new Set<ServerResponse>();
  let answering: Answer = refuseAfterEnd;
  let hearOfLast = () => {};

  const follow: Answer = (request, response) => {
    underWay.add(response);
    response.once("close", () => {
      underWay.delete(response);
      if (underWay.size === 0) hearOfLast();
    });
    answering(request, response);
  };

  async function endUnfinished(): Promise<void> {
    if (underWay.size === 0) return;
    const last = new Promise<void>((resolve) => {
      hearOfLast = resolve;
    });
    const stop = new AbortController();
    const longest = pause(maxWait, undefined, { signal: stop.signal }).catch(() => {});
    await Promise.race([last, longest]);
    stop.abort();
    for (const response of underWay) response.destroy();
  }

  let ending: Promise<void> | undefined;
  function endUnderWay(): Promise<void> {
    ending ??= endUnfinished().finally(() => {
      ending = undefined;
    });
    return ending;
  }
  // The `onClose` hooks run after the last response, which a client could delay without end. The hook does
  // not wait, because the host stops listening only after it.
  host.addHook("preClose", async () => void endUnderWay());

  function handOver(url: string): void {
    host.route({
      method: host.supportedMethods,
      url,
      // Disables the host's request log, because it contains URLs, which here contain codes and one-time
      // links (H-7).
      logLevel: "silent",
      exposeHeadRoute: false,
      constraints: mount === "host" ? { host: hostPattern } : {},
      // `done` is not called, so no later step of the host runs.
      onRequest(request, reply, _done) {
        reply.hijack();
        follow(request.raw, reply.raw);
      },
      handler: () => {},
    });
  }

  return {
    port: async () => Number(port || usualPort),
    async answerWith(app) {
      await app.ready();
      answering = boundedOnConnection(app.routing);
      const paths = guestPaths(app.route_methods.patterns());
      // With `paths`, the start page belongs to the host application. With `host`, the server also answers
      // every path for which the host application has no route.
      if (mount === "host") paths.add("/*");
      else paths.delete("/");
      for (const path of paths) handOver(path);
    },
    async close() {
      answering = refuseAfterEnd;
      await endUnderWay();
    },
  };
}
