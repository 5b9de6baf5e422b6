/** `/.well-known/webauthn`: other origins that may use passkeys of this host (WebAuthn 5.11, PK-12). */
import type { FastifyInstance } from "fastify";
import { offeredPasskeySite } from "../../identity/passkeys/passkey_site.ts";
import { jsonRepresentation, sendConditionally } from "../conditional.ts";
import type { HttpContext } from "../context.ts";
import { getAndHead } from "../get_and_head.ts";
import { cacheFor } from "../security_headers.ts";

/** Seconds. */
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
