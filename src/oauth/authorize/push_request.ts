/** The pushed authorization request endpoint (RFC 9126 2). */
import { newCredential } from "../../crypto/credentials.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { keepNewest } from "../../records/names/document_cache.ts";
import type { Share } from "../../records/names/leaky_buckets.ts";
import { lastingId } from "../client_sources/lasting_id.ts";
import { authenticateClient } from "../clients/client_authentication.ts";
import type { Sender } from "../core/authorization.ts";
import { isAdmitted } from "../core/memory.ts";
import { type Params, paramsOf } from "../core/params.ts";
import { rulesFor } from "../core/rules_for.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest } from "../core/server.ts";
import { proveSender, requireProofAlgorithm, useProof } from "../dpop/sender.ts";
import { refuse } from "../refusals/refuse.ts";
import { identifyClient, readRequest } from "./authorization_request.ts";
import { readInteraction, refuseMalformed } from "./interaction.ts";
import {
  isUnproven,
  referencePrefix,
  referenceTo,
  type SourceRates,
  sealedFor,
  sourceShares,
  useWithin,
} from "./pushed_request.ts";

/**
 * Maximum length of a request in form encoding, in characters. Requests in a URL have the same limit (PR-44).
 */
const longestRequest = 8192;

const pushRates: SourceRates = { source: { size: 60, every: 1000 }, site: { size: 180, every: 500 } };

const unstoredRate = { size: 1000, every: 100 };

/** These parameters authenticate the push and are not stored with the request. */
const credentials = ["client_secret", "client_assertion", "client_assertion_type"];

/** The response of RFC 9126 2.2. */
export interface PushedAnswer {
  readonly request_uri: string;
  /** Seconds until the reference must be used for the first time. */
  readonly expires_in: number;
}

/**
 * Checks and stores an authorization request of the authenticated client. Throws an `OAuthError`; no error is
 * sent by redirect.
 */
export async function pushRequest(
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<PushedAnswer> {
  const lookUp = { for: "authorize", origin: request.origin } as const;
  const client = await authenticateClient(request, server, { lookUp });
  const { app } = client;
  const sender = await proveSender({ method: "POST", path: "/oauth/par", dpop: request.dpop }, server);
  requireProofAlgorithm(sender, rulesFor(app, server));
  const params = boundParams(pushedParams(request.params, client), sender);
  for (const name of ["request_uri", "request"]) {
    if (params.get(name) !== undefined) throw refuse("pushed_reference", { name }).about(app);
  }
  const identified = await identifyClient(params, lookUp, server);
  await readRequest(identified, server, "push");
  await refuseMalformed(readInteraction(params, client.app), server);
  return keep(params, client, { ...request, sender }, server);
}

/**
 * A DPoP proof sent with the push binds the code as `dpop_jkt` does (RFC 9449 10.1); both must name the same
 * key.
 */
function boundParams(params: Params, sender: Sender | undefined): Params {
  if (sender === undefined) return params;
  const proved = sender.jkt;
  const named = params.get("dpop_jkt");
  if (named === undefined) return paramsOf([...params.pairs, ["dpop_jkt", proved]]);
  if (named !== proved) throw refuse("dpop_jkt_differs", { received: proved, expected: named });
  return params;
}

function pushedParams({ pairs }: Params, { app }: AuthenticatedClient): Params {
  const kept = pairs.filter(([name, value]) => value !== "" && !credentials.includes(name));
  const named = kept.find(([name]) => name === "client_id");
  if (named === undefined) return paramsOf([["client_id", app.client_id], ...kept]);
  if (named[1] !== app.client_id) throw refuse("client_id_differs", { client_id: named[1] }).about(app);
  return paramsOf(kept);
}

async function keep(
  { pairs }: Params,
  { app }: AuthenticatedClient,
  { origin, sender }: EndpointRequest & { readonly sender: Sender | undefined },
  server: AuthorizationServer,
): Promise<PushedAnswer> {
  const { store, sealer } = server;
  const created_at = server.now();
  const length = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString().length;
  if (length > longestRequest) throw refuse("pushed_too_long", { length, most: longestRequest }).about(app);
  if (isTooFast(app, origin, server)) {
    throw refuse("pushed_too_many", { retry_after: 1 }).about(app);
  }
  if (!(await takesPush(lastingId(app), server))) {
    throw refuse("pushed_too_many", { retry_after: useWithin }).about(app);
  }
  const request_uri = newCredential(referencePrefix, created_at);
  const reference = referenceTo(request_uri, lastingId(app));
  const sealed = sealer.seal("ephemera", JSON.stringify(pairs), sealedFor(reference));
  const expires_at = new Date(created_at.getTime() + useWithin * 1000);
  await useProof(sender, server);
  await store.storePushedRequest(reference, { sealed, created_at, expires_at });
  return { request_uri, expires_in: useWithin };
}

function isTooFast(
  app: AuthenticatedClient["app"],
  origin: RequestOrigin,
  server: AuthorizationServer,
): boolean {
  const shares: readonly Share[] = [
    ...sourceShares(app, origin, pushRates),
    ...(app.unstored ? [["unstored", unstoredRate] as const] : []),
  ];
  return isUnproven(app) && !isAdmitted("pushed_requests", shares, server);
}

/**
 * Maximum number of valid pushed requests of one app for which no code was issued yet, in all processes
 * together (PR-44).
 */
const mostLive = 5000;

/** Milliseconds for which a process uses the result of a count. */
const believed = 5000;

/**
 * After a count, a process accepts at most 1/`share` of the remaining requests before it counts again,
 * because other processes accept requests too.
 */
const share = 10;

const most = 1000;

/** A count at the maximum is cached for a second, so callers cannot make the server count continuously. */
async function takesPush(app_id: string, server: AuthorizationServer): Promise<boolean> {
  const known = server.memory.pushes;
  const now = server.now();
  const last = known.get(app_id);
  const age = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - last.at);
  if (last !== undefined && last.left > 0 && age < believed) {
    last.left -= 1;
    return true;
  }
  if (last !== undefined && last.left < 0 && age < 1000) return false;
  const room = mostLive - (await server.store.countPushedRequests(app_id, mostLive, now));
  const left = room <= 0 ? -1 : Math.ceil(room / share) - 1;
  keepNewest(known, app_id, { at: now.getTime(), left }, most);
  return room > 0;
}
