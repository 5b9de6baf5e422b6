/** `/.well-known/webauthn`: other origins that may use passkeys of this host (WebAuthn 5.11, PK-12). */
import type { FastifyInstance } from "fastify";
import { jsonRepresentation, sendConditionally } from "../../../http/conditional.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { cacheFor } from "../../../http/security_headers.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { offeredPasskeySite } from "./passkey_site.ts";

const maxAge = 300;

export function relatedOriginsRoutes(app: FastifyInstance, { server, identity }: HttpContext): void {
  const origins = identity.settings?.related_origins ?? [];
  if (origins.length === 0 || offeredPasskeySite(server.issuer, identity) === undefined) return;
  const representation = jsonRepresentation({ origins });
  const config = { errorFormat: "json", kept: true } as const;
  getAndHead(app, "/.well-known/webauthn", { config }, async (request, reply) =>
    sendConditionally(request, cacheFor(reply, maxAge), representation),
  );
}
