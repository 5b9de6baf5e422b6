/** The demo serves only this machine, because its passwords and secrets are public. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { originOf } from "../request_origin.ts";

/**
 * Refuses with 421 (RFC 9110, section 15.5.20) every request that does not come from this machine or does
 * not address it by name. A foreign page whose name resolves to 127.0.0.1 (DNS rebinding) still sends its
 * own name.
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

/**
 * Returns the hosts that the request addresses: that of its header, and that of its target if the target
 * is absolute (RFC 9112, section 3.2.2).
 */
function authoritiesOf({ headers, raw }: FastifyRequest): readonly string[] {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? "")?.[1];
  return [headers.host ?? "", ...(absolute === undefined ? [] : [absolute])].map((name) =>
    name.toLowerCase(),
  );
}

/**
 * Returns whether this is a loopback name, with any port or none, because another port may be forwarded.
 */
function isOfLoopback(authority: string): boolean {
  const name = /^(?:\[([0-9a-f:.]+)\]|([^:[\]@]+))(?::\d{1,5})?$/.exec(authority);
  return isLoopback(name?.[1] ?? name?.[2] ?? "");
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
