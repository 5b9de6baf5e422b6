/** Token revocation (spec 4.4, RFC 7009): the answer is always 200, so that only the log and the metrics tell. */
import { setTimeout as pause } from "node:timers/promises";
import { OAuthError } from "../errors.ts";
import { authenticateClient } from "./client_authentication.ts";
import { otherApp } from "./credential_evidence.ts";
import { findToken } from "./live_token.ts";
import { required } from "./params.ts";
import { noteRefusal, type RefusedRequest } from "./refusals.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest, SecurityEvent } from "./server.ts";

/** Pauses between tries when the storage fails, milliseconds. */
const retries = [20, 100, 400];

/**
 * Revokes a token of the client that asks. Never throws: a client that does not prove itself, or asks for another's
 * token, revokes nothing, and that is reported; a storage fault is tried again and then reported (design 6.6).
 */
export async function revoke(request: EndpointRequest, server: AuthorizationServer): Promise<void> {
  const seen: Seen = {};
  for (const wait of [...retries, undefined]) {
    try {
      await attempt(request, server, seen);
      return;
    } catch (error) {
      if (error instanceof OAuthError || wait === undefined) {
        server.report(failure(request, error, seen));
        // The answer tells nobody, so that this is where whoever wonders can see it.
        if (error instanceof OAuthError) noteRefusal(refusedRevocation(request, error, seen), server);
        return;
      }
      await pause(wait);
    }
  }
}

/** The client, once it has proved itself. */
interface Seen {
  client?: AuthenticatedClient;
}

/** Revoking a refresh token ends its family; revoking an access token leaves the refresh half (design 6.10). */
async function attempt(request: EndpointRequest, server: AuthorizationServer, seen: Seen): Promise<void> {
  const client = await authenticateClient(request, server, "revocation");
  seen.client = client;
  const found = await findToken(required(request.params, "token"), server);
  if (found === undefined) return;
  const { half, row } = found;
  if (row.app_id !== client.app.id) {
    throw new OAuthError("invalid_grant", "the token is another client's", {
      evidence: otherApp("token", row.app_id, client, server),
    });
  }
  if (half === "refresh_token") await server.store.revokeFamily(row.family_id, "revoked", server.now());
  else await server.store.endAccessToken(row.id, server.now());
  server.report({
    type: "token_revoked",
    outcome: "success",
    actor: { kind: "client", id: client.app.client_id },
    target: { table: "oauth_tokens", id: row.id },
    organization_id: client.app.organization_id,
    requester: request.requester,
    details: { half },
  });
}

function refusedRevocation(
  { requester }: EndpointRequest,
  { code, description, evidence, app }: OAuthError,
  { client }: Seen,
): RefusedRequest {
  const endpoint = "/oauth/revoke";
  return { endpoint, error: code, description, evidence, app: client?.app ?? app, requester };
}

function failure({ requester }: EndpointRequest, cause: unknown, { client }: Seen): SecurityEvent {
  const app = cause instanceof OAuthError && client === undefined ? cause.app : undefined;
  return {
    type: "revocation_failed",
    outcome: "failure",
    actor: client === undefined ? { kind: "anonymous" } : { kind: "client", id: client.app.client_id },
    ...(app && { target: { table: "oauth_apps", id: app.id }, organization_id: app.organization_id }),
    requester,
    details: { error: cause instanceof OAuthError ? cause.code : "server_error" },
    cause,
  };
}
