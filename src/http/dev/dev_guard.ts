/**
 * The demo answers only requests from this machine, because the passwords and secrets of the demo are
 * published.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { originOf } from "../request_origin.ts";

/**
 * Refuses with 421 (RFC 9110, section 15.5.20) requests that come from another machine or name another host. In
 * a DNS rebinding attack, a foreign host name resolves to 127.0.0.1, but the requests still contain that name.
 */
export function refuseOthers(app: FastifyInstance, issuer: string): void {
  const own = new URL(issuer).host;
  app.addHook("onRequest", (request, _reply, done) => {
    const isOurs =
      authoritiesOf(request).every((name) => name === own || isOfLoopback(name)) &&
      isLoopback(originOf(request).client_ip ?? "");
    done(isOurs ? undefined : refuse("demo_elsewhere"));
  });
}

/** An absolute request target names a host too (RFC 9112, section 3.2.2). */
function authoritiesOf({ headers, raw }: FastifyRequest): readonly string[] {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? "")?.[1];
  return [headers.host ?? "", ...(absolute === undefined ? [] : [absolute])].map((name) =>
    name.toLowerCase(),
  );
}

/** Any port is accepted, because a forwarded port may differ from the server's. */
function isOfLoopback(authority: string): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@]+))(?::\d{1,5})?$/.exec(authority);
  return isLoopback(name?.[1] ?? name?.[2] ?? "");
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
