import type { FastifyInstance } from "fastify";
import type { HttpContext } from "./context.ts";

/** Headers in which proxies name the requester. Only the first is read (docs/decisions/0132). */
const forwarding = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

/**
 * Warns once where a peer that is not trusted forwards requests: behind a forgotten proxy, everybody shares
 * one address and its limits (H-4). Anyone can send such a header, so one line is all that it costs.
 */
export function warnOfUntrustedProxy(
  app: FastifyInstance,
  isTrusted: (address: string | undefined) => boolean,
  log: HttpContext["log"],
): void {
  let told = false;
  app.addHook("onRequest", ({ headers, socket }, _reply, done) => {
    const header = told ? undefined : forwarding.find((name) => headers[name] !== undefined);
    if (header !== undefined && !isTrusted(socket.remoteAddress)) {
      told = true;
      const sentence =
        "a peer that POSTERN_TRUST_PROXY does not name forwards requests: if it is your proxy, name it, or everybody behind it shares one address and its limits";
      log.warn({ peer: socket.remoteAddress, header }, sentence);
    }
    done();
  });
}
