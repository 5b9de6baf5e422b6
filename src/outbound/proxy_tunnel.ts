/** Connects to a host through the operator's forward proxy (RFC 9110, section 9.3.6). */
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";

class ProxyRefusal extends Error {
  constructor(status: number | undefined) {
    super(`the proxy returned ${status} to CONNECT`);
    this.name = "ProxyRefusal";
  }
}

/** Opens a tunnel to `authority`, a host and port, through the proxy. */
export function openTunnel(
  proxy: URL,
  authority: string,
  { signal, ca }: { readonly signal: AbortSignal; readonly ca: readonly string[] | undefined },
): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const options: RequestOptions = {
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: authority,
    agent: false,
    signal,
    headers: {
      host: authority,
      ...(credentials !== ":" && {
        "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}`,
      }),
    },
  };
  const asking =
    proxy.protocol === "https:"
      ? httpsRequest({ ...options, ...(ca && { ca: [...ca] }) })
      : httpRequest(options);
  asking.once("connect", ({ statusCode = 0 }, socket, early) => {
    // The host must not send data before the TLS handshake, so a tunnel in which data has already arrived is
    // refused.
    if (statusCode >= 200 && statusCode < 300 && early.length === 0) return resolve(socket);
    socket.destroy();
    reject(new ProxyRefusal(statusCode));
  });
  asking.once("response", ({ statusCode }) => {
    asking.destroy();
    reject(new ProxyRefusal(statusCode));
  });
  asking.on("error", reject);
  asking.end();
  return promise;
}

/**
 * Special-use domains (RFC 6761, RFC 6762, RFC 8375), ICANN's `internal`, and domains that are customary for
 * internal names.
 */
const inner =
  /(^|\.)(localhost|local|localdomain|internal|private|intranet|corp|home|lan|svc|consul|onion|arpa)\.?$/i;

/** Returns whether a name that does not resolve locally may be sent to a proxy. */
export function mayBePublic(hostname: string): boolean {
  return /[^.]\.[^.]/.test(hostname) && !inner.test(hostname);
}
