/** `/.well-known/passkey-endpoints`: where users add and manage passkeys (W3C Passkey Endpoints, PK-15). */
import type { FastifyInstance } from "fastify";
import { jsonRepresentation, sendConditionally } from "../../../http/conditional.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { cacheFor } from "../../../http/security_headers.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { securityPath } from "../../core/pages/account_person.http.ts";
import { offeredPasskeySite } from "./passkey_site.ts";

const maxAge = 300;

export function passkeyEndpointsRoutes(app: FastifyInstance, { server, identity }: HttpContext): void {
  if (offeredPasskeySite(server.issuer, identity) === undefined) return;
  const page = `${server.issuer}${securityPath}`;
  const representation = jsonRepresentation({ enroll: page, manage: page });
  const config = { errorFormat: "json", kept: true } as const;
  getAndHead(app, "/.well-known/passkey-endpoints", { config }, async (request, reply) =>
    sendConditionally(request, cacheFor(reply, maxAge), representation),
  );
}
