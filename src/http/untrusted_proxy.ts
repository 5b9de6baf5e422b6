import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import { notedAgainAfter, noteForwardingPeer } from "../admin/reports/one_address.ts";
import type { ShellContext } from "./context.ts";
import { forwardedAddress } from "./request_origin.ts";

/** Headers in which proxies report the client. Only the first is read (docs/decisions/abuse-limits.md). */
const forwarding = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

/** Returns the name of the header in which a proxy reports the client. */
export function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return forwarding.find((name) => headers[name] !== undefined);
}

/**
 * Warns once if an untrusted peer forwards requests: behind an unconfigured proxy, all clients share one
 * address and its limits (H-4). Anyone can send such a header, so it causes only one line. A private peer
 * is also recorded in one row for `postern doctor` and the console.
 */
export function warnOfUntrustedProxy(
  app: FastifyInstance,
  isTrusted: (address: string | undefined) => boolean,
  { log, store, server: { now } }: Pick<ShellContext, "log" | "store" | "server">,
): void {
  let warned = false;
  let noted = Number.NEGATIVE_INFINITY;
  app.addHook("onRequest", ({ headers, socket }, _reply, done) => {
    const at = now().getTime();
    const isDue = at - noted >= notedAgainAfter;
    const header = isDue ? forwardingHeader(headers) : undefined;
    if (header !== undefined && !isTrusted(socket.remoteAddress)) {
      const peer = forwardedAddress(socket.remoteAddress);
      noted = at;
      // An error needs no report: the warning has been logged, and a later record succeeds once the
      // database is back.
      if (peer !== undefined) noteForwardingPeer(store, peer, new Date(at)).catch(() => undefined);
      if (warned) return done();
      warned = true;
      const sentence =
        "a peer that POSTERN_TRUST_PROXY does not name forwards requests: if it is your proxy, name it, or everybody behind it shares one address and its limits";
      log.warn({ peer: socket.remoteAddress, header }, sentence);
    }
    done();
  });
}
