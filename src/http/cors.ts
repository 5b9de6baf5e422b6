/** CORS for endpoints that pages of any origin may call, without credentials (design 6.20, A-24, D-6). */
import type { FastifyInstance, FastifyReply, HTTPMethods, onRequestHookHandler } from "fastify";
import { describesItself, offersFeature } from "../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { currentNonce } from "../oauth/dpop/proof.ts";

/** Seconds for which browsers may cache the response to a preflight request. */
const preflightAge = 86_400;

function headersOf(server: AuthorizationServer) {
  const dpop = offersFeature(server, "dpop");
  // MCP clients send a header with the protocol version in each request.
  const described = describesItself(server);
  const list = (...names: readonly (string | false)[]) => names.filter(Boolean).join(", ");
  return {
    sent: list(
      "Authorization",
      "Content-Type",
      described && "Accept",
      described && "MCP-Protocol-Version",
      dpop && "DPoP",
    ),
    read: list("WWW-Authenticate", dpop && "DPoP-Nonce", described && "Retry-After"),
  };
}

declare module "fastify" {
  interface FastifyContextConfig {
    any_origin?: boolean;
  }
}

/** Returns the headers of CORS responses. The origin is never reflected, so credentials are never allowed. */
export const anyOrigin = (server: AuthorizationServer) => ({
  "access-control-allow-origin": "*",
  "access-control-expose-headers": headersOf(server).read,
});

const mostRequested = 32;
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/**
 * Headers that a preflight request names in addition to `usual` are allowed, because these endpoints use no
 * cookies, so no header gives a page more access.
 */
function furtherRequested(requested: string | undefined, usual: string): readonly string[] {
  const names = requested?.split(",", mostRequested + 1).map((name) => name.trim()) ?? [];
  if (names.length > mostRequested) return [];
  const known = new Set(usual.toLowerCase().split(", "));
  const isNew = (name: string) => fieldName.test(name) && !known.has(name.toLowerCase()) && name !== "*";
  return [...new Set(names.filter(isNew))];
}

/** Answers preflight requests for a path, unless `require` throws. */
export function answerPreflight(
  app: FastifyInstance,
  path: string,
  methods: readonly HTTPMethods[],
  server: AuthorizationServer,
  require: () => Promise<void> = async () => {},
): void {
  const allowed = headersOf(server).sent;
  app.options(path, { config: { any_origin: true }, onRequest: require }, async ({ headers }, reply) =>
    reply
      .code(204)
      .header("access-control-allow-methods", methods.join(", "))
      .header(
        "access-control-allow-headers",
        [allowed, ...furtherRequested(headers["access-control-request-headers"], allowed)].join(", "),
      )
      .header("access-control-max-age", preflightAge)
      .send(),
  );
}

/**
 * If the server describes its own APIs, lets pages of any origin read an error at a path under `/oauth/` or
 * `/.well-known/`. The path must not exist, or must have the method OPTIONS. A client that probes several
 * metadata URLs would otherwise mistake the blocked response for a broken connection. `allowed` are the
 * methods of the path; undefined if the path does not exist.
 */
export function showToAnyOrigin(
  path: string,
  allowed: readonly string[] | undefined,
  reply: FastifyReply,
  server: AuthorizationServer,
): void {
  if (!describesItself(server) || !/^\/(?:oauth|\.well-known)\//.test(path)) return;
  if (allowed === undefined || allowed.includes("OPTIONS")) reply.headers(anyOrigin(server));
}

/**
 * Returns `onRequest` hooks that add a nonce to the response to a DPoP proof, if every proof must have one.
 * Clients then need no extra request when a nonce expires (RFC 9449, section 8.2).
 */
export function offerNonce(server: AuthorizationServer): onRequestHookHandler[] {
  if (!offersFeature(server, "dpop") || server.settings.dpop_nonce !== "always") return [];
  return [
    (request, reply, done) => {
      if (request.headers.dpop !== undefined) reply.header("dpop-nonce", currentNonce(server));
      done();
    },
  ];
}
