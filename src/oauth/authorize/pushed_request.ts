/**
 * Where the parameters of an authorization request come from: its own query or form (RFC 6749 4.1.1), or the
 * request that the client pushed before and that the query only refers to (RFC 9126 4).
 */
import { sha256 } from "../../crypto/digest.ts";
import { SealError } from "../../crypto/sealing.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import type { PushedReference } from "../../storage/clients/pushed_requests.ts";
import type { LookUp } from "../client_sources/client_source.ts";
import { lastingId } from "../client_sources/lasting_id.ts";
import { type Params, paramsOf } from "../core/params.ts";
import { offersFeature } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { namedClient, requiredOnce } from "./authorization_request.ts";

/** RFC 9126 2.2. */
export const referencePrefix = "urn:ietf:params:oauth:request_uri:";

/** Seconds from the push to the first visit: a reference in a log or a history is soon worth nothing. */
export const visitWithin = 60;

/** Seconds from the first visit to the code: the time that a person may take over the sign-in. */
const signInWithin = 1800;

/** A request as it came to the authorization endpoint. */
export interface ReceivedRequest {
  readonly params: Params;
  /** Path and query, which carry the request through sign-in and consent (design, section 4). */
  readonly url: string;
}

/** The request itself: from here on there is one set of parameters, wherever they were sent. */
export interface ResolvedRequest extends ReceivedRequest {
  /** Names the pushed request that the code's transaction spends; undefined where none was pushed. */
  readonly pushed: PushedReference | undefined;
}

export interface Resolving {
  /** The person is at the authorization endpoint with it. */
  readonly visit: boolean;
  readonly lookUp: LookUp;
}

export function referenceTo(request_uri: string, app_id: string): PushedReference {
  return { app_id, digest: sha256(request_uri) };
}

/** The owner for whom the content is sealed. */
export function sealedFor({ app_id, digest }: PushedReference): string {
  return `pushed ${app_id} ${digest.toString("hex")}`;
}

/** Whether the parameters only refer to a request that is kept here. */
export function isReference(params: Params, server: Pick<AuthorizationServer, "settings">): boolean {
  return (
    offersFeature(server, "par") &&
    params.all("request_uri").some((value) => value.startsWith(referencePrefix))
  );
}

/**
 * The request that was meant. Throws an `OAuthError` for the person, because no redirect URI is known yet. Of
 * a reference nothing but `client_id` and `request_uri` counts: what else the query holds is neither read nor
 * carried on (RFC 9101 5).
 */
export async function resolveRequest(
  received: ReceivedRequest,
  server: AuthorizationServer,
  { visit, lookUp }: Resolving,
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
  if (visit && row.state === "waiting") {
    await server.store.visitPushedRequest(reference, new Date(now.getTime() + signInWithin * 1000));
  }
  const query = new URLSearchParams({ client_id: app.client_id, request_uri });
  return { params: content, url: `/oauth/authorize?${query}`, pushed: reference };
}

/** Undefined where the key that sealed them is gone. */
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
