/** Authorization requests that the client pushed before (RFC 9126 4): the query holds a reference alone. */
import { sha256 } from "../../crypto/digest.ts";
import { SealError } from "../../crypto/sealing.ts";
import { hasPassed } from "../../records/liveness.ts";
import type { PushedReference } from "../../storage/pushed_requests.ts";
import { namedClient, requiredOnce } from "../authorize/authorization_request.ts";
import { lastingId } from "../client_sources/lasting_id.ts";
import { offersFeature, requiresPushes } from "../offered.ts";
import { type Params, paramsOf } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationServer } from "../server.ts";
import type { RequestSource } from "./request_source.ts";

/** RFC 9126 2.2. */
export const referencePrefix = "urn:ietf:params:oauth:request_uri:";

/** Seconds from the push to the first visit: a reference in a log or a history is soon worth nothing. */
export const visitWithin = 60;

/** Seconds from the first visit to the code: the time that a person may take over the sign-in. */
const signInWithin = 1800;

export function referenceTo(request_uri: string, app_id: string): PushedReference {
  return { app_id, digest: sha256(request_uri) };
}

/** The owner for whom the content is sealed. */
export function sealedFor({ app_id, digest }: PushedReference): string {
  return `pushed ${app_id} ${digest.toString("hex")}`;
}

export const pushed: RequestSource = {
  name: "pushed",

  takes: (params, server) =>
    offersFeature(server, "par") &&
    params.all("request_uri").some((value) => value.startsWith(referencePrefix)),

  // Nothing but these two counts: what else the query holds is neither read nor carried on (RFC 9101 5).
  async resolve({ params }, server, { visit, lookUp }) {
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
  },

  metadata: (server) =>
    offersFeature(server, "par")
      ? {
          pushed_authorization_request_endpoint: `${server.issuer}/oauth/par`,
          require_pushed_authorization_requests: requiresPushes(server),
        }
      : {},
};

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
