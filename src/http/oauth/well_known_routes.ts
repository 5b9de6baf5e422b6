/** Discovery, the key set and this server's own resources (spec 4.5, 4.6, RFC 8414, RFC 9728). */
import type { FastifyInstance } from "fastify";
import type { KeyRing } from "../../crypto/signing_keys.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { allowsOpenClients, describesItself } from "../../oauth/offered.ts";
import {
  metadataPath,
  protectedResourceDocument,
  protectedResources,
} from "../../oauth/protected_resources.ts";
import { offersRegistration } from "../../oauth/registration/register_client.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";
import { languageTag, spokenLanguages } from "../../web/words/language.ts";
import { jsonRepresentation, type Representation, sendConditionally } from "../conditional.ts";
import type { HttpContext } from "../context.ts";
import { getAndHead } from "../get_and_head.ts";
import { cacheFor } from "../security_headers.ts";
import { allowAnyOrigin, answerPreflight } from "./cors.ts";

/** Seconds; a new key is published for longer before it signs (D-4). */
const maxAge = 300;

export function wellKnownRoutes(app: FastifyInstance, { server }: HttpContext): void {
  const options = {
    config: { errorFormat: "json" as const, kept: true },
    onRequest: allowAnyOrigin(server),
  };
  const discovery = discoveryOf(server);
  const keySet = keySetOf(server);

  for (const name of ["openid-configuration", "oauth-authorization-server"]) {
    const path = `/.well-known/${name}`;
    getAndHead(app, path, options, async (request, reply) =>
      sendConditionally(request, cacheFor(reply, maxAge), await discovery()),
    );
    answerPreflight(app, path, ["GET", "HEAD"], server);
  }
  getAndHead(app, "/.well-known/jwks.json", options, async (request, reply) => {
    const representation = await keySet();
    return sendConditionally(request, cacheFor(reply, maxAge), representation);
  });
  answerPreflight(app, "/.well-known/jwks.json", ["GET", "HEAD"], server);

  if (!describesItself(server)) return;
  for (const resource of protectedResources) {
    const path = metadataPath(resource);
    const representation = jsonRepresentation(protectedResourceDocument(resource, server));
    getAndHead(app, path, options, async (request, reply) =>
      sendConditionally(request, cacheFor(reply, maxAge), representation),
    );
    answerPreflight(app, path, ["GET", "HEAD"], server);
  }
}

/**
 * Serialises the document once for each set of algorithms. Where the keys were never read, it says what a
 * server says that has none but the usual one: discovery answers without the database (F-7).
 */
function discoveryOf(server: AuthorizationServer): () => Promise<Representation> {
  const made = new Map<string, Representation>();
  return async () => {
    const ring = await server.keys({ remembered: true }).catch(() => undefined);
    const published = ring?.algorithms(server.now()) ?? [];
    const algorithms: typeof published = published.length > 0 ? published : ["RS256"];
    const registers = await offersRegistration(server).catch(() => false);
    const open_clients = await allowsOpenClients(server).catch(() => false);
    const name = [...algorithms, registers, open_clients].join(" ");
    const known = made.get(name);
    if (known !== undefined) return known;
    const representation = jsonRepresentation({
      ...discoveryDocument(server, algorithms, { registers, open_clients }),
      ui_locales_supported: spokenLanguages().map(languageTag),
    });
    made.set(name, representation);
    return representation;
  };
}

/** Serialises the key set once per change: another ring, or a key whose time in it has come or gone. */
function keySetOf(server: AuthorizationServer): () => Promise<Representation> {
  let last: { ring: KeyRing; kids: string; checked_at: number; representation: Representation } | undefined;
  return async () => {
    const ring = await server.keys({ remembered: true });
    const now = server.now();
    const sinceCheck = now.getTime() - (last?.checked_at ?? 0);
    if (last?.ring === ring && sinceCheck >= 0 && sinceCheck < 1000) return last.representation;
    const kids = ring
      .published(now)
      .map(({ kid }) => kid)
      .join(" ");
    const representation =
      last?.ring === ring && last.kids === kids ? last.representation : jsonRepresentation(ring.jwks(now));
    last = { ring, kids, checked_at: now.getTime(), representation };
    return representation;
  };
}
