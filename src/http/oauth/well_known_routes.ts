/** Discovery, the key set and this server's own resources (spec 4.5, 4.6; RFC 8414; RFC 9728). */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { SigningAlgorithm } from "../../crypto/signing_algorithms.ts";
import { allowsOpenClients, describesItself, mayBeOpen, offersFeature } from "../../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { offersRegistration } from "../../oauth/registration/register_client.ts";
import {
  metadataPath,
  protectedResourceDocument,
  protectedResources,
} from "../../oauth/resources/protected_resources.ts";
import { standardAttributes } from "../../records/rules/attributes.ts";
import { languageTag } from "../../web/words/language.ts";
import { jsonRepresentation, type Representation, sendConditionally } from "../conditional.ts";
import type { ShellContext } from "../context.ts";
import { answerPreflight } from "../cors.ts";
import { getAndHead } from "../get_and_head.ts";
import { cacheFor, publicFor } from "../security_headers.ts";

/**
 * Seconds for which clients may cache a document. A new key is published for longer than this before it
 * signs, except in an emergency (D-4).
 */
const maxAge = 300;

/** Milliseconds that discovery waits for a database that may be unavailable. */
const patience = 250;

/**
 * Milliseconds for which this process caches a document. The time is short, because keys become active at a
 * certain time, without a database write that would invalidate the cache.
 */
const keptFor = 1000;

export function wellKnownRoutes(app: FastifyInstance, { server, languages }: ShellContext): void {
  function publish(path: string, document: Document): void {
    const fast = { document, cache_control: publicFor(maxAge) };
    const config = { errorFormat: "json" as const, kept: true, any_origin: true, fast };
    getAndHead(app, path, { config }, async (request, reply) =>
      sendConditionally(request, cacheFor(reply, maxAge), await document()),
    );
    answerPreflight(app, path, ["GET", "HEAD"], server);
  }

  const discovery = keptUntilChange(discoveryOf(server, languages), server);
  publish("/.well-known/openid-configuration", discovery);
  publish("/.well-known/oauth-authorization-server", discovery);
  publish("/.well-known/jwks.json", keptUntilChange(keySetOf(server), server));
  if (!describesItself(server)) return;
  for (const resource of protectedResources) {
    const representation = jsonRepresentation(protectedResourceDocument(resource, server));
    publish(metadataPath(resource), () => representation);
  }
}

type Document = () => Representation | Promise<Representation>;

function keptUntilChange(
  make: () => Promise<Representation>,
  { store, now }: Pick<AuthorizationServer, "store" | "now">,
): Document {
  let kept: { readonly made: Representation; readonly at: number } | undefined;
  let changes = 0;
  store.onChange(() => {
    changes += 1;
    kept = undefined;
  });
  async function makeAgain(): Promise<Representation> {
    const [before, at] = [changes, now().getTime()];
    const made = await make();
    if (changes === before && store.isCurrent()) kept = { made, at };
    return made;
  }
  return () => {
    // `isCurrent` is called first, because it may detect a change by another process.
    if (!store.isCurrent() || kept === undefined) return makeAgain();
    const age = now().getTime() - kept.at;
    return age >= 0 && age < keptFor ? kept.made : makeAgain();
  };
}

interface OfApps {
  readonly organizations: boolean;
  readonly claims: ReadonlySet<string>;
  /** The identifiers of APIs that any client may request. */
  readonly open: readonly string[];
}

const none: readonly never[] = [];

/**
 * If this process never read the keys, the document lists only RS256, because discovery also answers while
 * the database is unavailable (F-7).
 */
function discoveryOf(
  server: AuthorizationServer,
  languages: ShellContext["languages"],
): () => Promise<Representation> {
  const opens = mayBeOpen(server);
  const own = offersFeature(server, "resource_metadata")
    ? protectedResources.map(({ path }) => `${server.issuer}${path}`)
    : undefined;
  let used: OfApps = { organizations: false, claims: new Set(), open: none };
  /** If the database does not respond, returns the result of the last successful read (F-7). */
  async function usedByApps(): Promise<OfApps> {
    const { store } = server;
    const read = Promise.all([
      store.hasOrganizationApp(),
      store.claimsOfApps(),
      own === undefined ? none : store.openIdentifiers(),
    ]).then(
      ([organizations, claims, open]) => {
        used = { organizations, claims, open };
      },
      () => {},
    );
    const isCurrent = store.isCurrent();
    await (isCurrent ? read : Promise.race([read, pause(patience, undefined, { ref: false })]));
    return used;
  }

  return async () => {
    const ring = await server.keys({ remembered: true }).catch(() => undefined);
    const published: readonly SigningAlgorithm[] = ring?.algorithms(server.now()) ?? none;
    const registers = opens && (await offersRegistration(server).catch(() => false));
    const open_clients = opens && (await allowsOpenClients(server).catch(() => false));
    const { organizations, claims, open } = await usedByApps();
    return jsonRepresentation({
      ...discoveryDocument(server, published.length > 0 ? published : ["RS256"], {
        registers,
        open_clients,
        organizations,
        attributes: standardAttributes.flatMap(({ name }) => (claims.has(name) ? [name] : [])),
        protected_resources: own && [...own, ...open],
      }),
      ui_locales_supported: languages.map(languageTag),
    });
  };
}

function keySetOf(server: AuthorizationServer): () => Promise<Representation> {
  return async () => jsonRepresentation((await server.keys({ remembered: true })).jwks(server.now()));
}
