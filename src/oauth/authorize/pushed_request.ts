/**
 * The parameters of a request come from its own query or form (RFC 6749 4.1.1), or from a pushed request (RFC
 * 9126 4).
 */
import { sha256 } from "../../crypto/digest.ts";
import { SealError } from "../../crypto/sealing.ts";
import { type RequestOrigin, siteOf, sourceOf } from "../../records/definition/request_origin.ts";
import type { Share } from "../../records/names/leaky_buckets.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { PushedReference } from "../../storage/clients/pushed_requests.ts";
import type { LookUp } from "../client_sources/client_source.ts";
import { lastingId } from "../client_sources/lasting_id.ts";
import { isAdmitted } from "../core/memory.ts";
import { type Params, paramsOf } from "../core/params.ts";
import { offersFeature } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { namedClient, requiredOnce } from "./authorization_request.ts";

/** The prefix of the references that the server issues for pushed requests (RFC 9126 2.2). */
export const referencePrefix = "urn:ietf:params:oauth:request_uri:";

/**
 * Seconds within which a pushed request must be used for the first time, so that a reference in a log or a
 * browser history soon becomes worthless.
 */
export const useWithin = 60;

/** Seconds from the first use of a pushed request to the code: the time that the user has for the sign-in. */
const signInWithin = 1800;

/** Rate limits for one network (`source`) and for one IPv6 site, which contains 65,536 networks (`site`). */
export type SourceRates = Readonly<Record<"source" | "site", Share[1]>>;

/**
 * The first uses of pushed requests are limited, because a first use extends a request to 30 minutes. An app
 * may have 5000 valid pushed requests. One network can extend at most 420 of them, and one site 900.
 */
const useRates: SourceRates = { source: { size: 60, every: 5000 }, site: { size: 180, every: 2500 } };

/** Returns whether anyone can push requests in the name of the client. */
export const isUnproven = ({ public: isPublic, unstored }: ClientRecord["app"]): boolean =>
  isPublic || unstored === true;

/** Returns the rate limits that apply to a caller's requests for this client. */
export function sourceShares(
  { id, unstored }: ClientRecord["app"],
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  { source, site: siteRate }: SourceRates,
): readonly Share[] {
  // Anyone can publish any number of client documents, so all unstored clients share the limits of a network
  // and of a site.
  const of = unstored ? "unstored" : id;
  const site = siteOf(client_ip);
  const ofSite = site === undefined ? [] : [[`${of} ${site}`, siteRate] as const];
  return [[`${of} ${sourceOf(client_ip)}`, source], ...ofSite];
}

interface ReceivedRequest {
  readonly params: Params;
  readonly url: string;
}

export interface ResolvedRequest extends ReceivedRequest {
  readonly pushed: PushedReference | undefined;
}

export function referenceTo(request_uri: string, app_id: string): PushedReference {
  return { app_id, digest: sha256(request_uri) };
}

/** Returns the additional data that binds the encrypted parameters of a pushed request to its reference. */
export function sealedFor({ app_id, digest }: PushedReference): string {
  return `pushed ${app_id} ${digest.toString("hex")}`;
}

export function isReference(params: Params, server: AuthorizationServer): boolean {
  return (
    offersFeature(server, "par") &&
    params.all("request_uri").some((value) => value.startsWith(referencePrefix))
  );
}

/**
 * Returns the pushed request to which `request_uri` refers, or else the received request itself. Throws an
 * `OAuthError` that is shown to the user, because no redirect URI is known yet. With a reference, the other
 * parameters of the received request are ignored (RFC 9101 5).
 */
export async function resolveRequest(
  received: ReceivedRequest,
  server: AuthorizationServer,
  lookUp: LookUp,
): Promise<ResolvedRequest> {
  const { params } = received;
  if (!isReference(params, server)) return { ...received, pushed: undefined };
  const { app } = await namedClient(params, lookUp, server);
  const request_uri = requiredOnce(params, "request_uri", app);
  const reference = referenceTo(request_uri, lastingId(app));
  const row = await server.store.findPushedRequest(reference);
  const now = server.now();
  if (row === undefined) throw refuse("pushed_unknown").about(app);
  if (row.state === "used") throw refuse("pushed_used").about(app);
  if (hasPassed(row.expires_at, now)) throw refuse("pushed_expired", { ...row, now }).about(app);
  const content = openedParams(row.sealed, reference, server);
  if (content === undefined) throw refuse("pushed_unknown").about(app);
  if (lookUp.for === "authorize" && row.state === "waiting") {
    // If the rate limit is exceeded, the first use does not extend the request, which then expires a minute
    // after the push.
    const lengthens =
      !isUnproven(app) || isAdmitted("pushed_visits", sourceShares(app, lookUp.origin, useRates), server);
    const expires_at = lengthens ? new Date(now.getTime() + signInWithin * 1000) : row.expires_at;
    await server.store.countUse(reference, expires_at);
  }
  const query = new URLSearchParams({ client_id: app.client_id, request_uri });
  return { params: content, url: `/oauth/authorize?${query}`, pushed: reference };
}

/** Undefined if the key that encrypted the parameters no longer exists. */
function openedParams(
  sealed: string,
  reference: PushedReference,
  { sealer }: AuthorizationServer,
): Params | undefined {
  try {
    return paramsOf(JSON.parse(sealer.open("ephemera", sealed, sealedFor(reference))) as [string, string][]);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
