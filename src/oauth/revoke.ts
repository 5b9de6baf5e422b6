/**
 * Token revocation (spec 4.4, RFC 7009). The response is always 200, so failures appear only in the audit
 * log, the metrics and the app's stored refusals.
 */
import { setTimeout as pause } from "node:timers/promises";
import { readAccessToken } from "../crypto/credentials.ts";
import { OAuthError, UnavailableError } from "../errors.ts";
import { authenticateClient } from "./clients/client_authentication.ts";
import { required } from "./core/params.ts";
import type {
  AuthenticatedClient,
  AuthorizationServer,
  EndpointRequest,
  SecurityEvent,
} from "./core/server.ts";
import { findToken, type TokenHalf } from "./presented/active_token.ts";
import { recordRefusal } from "./refusals/note_refusal.ts";
import { refuse } from "./refusals/refuse.ts";

/** Milliseconds before each further attempt after an error other than an unavailable database. */
const retries = [20, 100, 400];

/**
 * Maximum milliseconds until the response (`maxWait`), and between two attempts (`longestPause`), while the
 * database is unavailable.
 */
const maxWait = 5000;
const longestPause = 1000;
/** Maximum number of revocation requests that wait for the database. Further ones do not wait. */
const mostWaiting = 200;

/**
 * Revokes a token of the calling client. Never throws: the response is the same if authentication fails or
 * the token is another client's. While the database is unavailable, the server retries, also after the
 * response (design 6.6, docs/decisions/errors.md).
 */
export async function revoke(request: EndpointRequest, server: AuthorizationServer): Promise<void> {
  const seen: Seen = {};
  const { waiting } = server.memory;
  const mayWait = waiting.revocations < mostWaiting;
  waiting.revocations += 1;
  try {
    await insist(() => attempt(request, server, seen), mayWait ? maxWait : 0);
  } catch (error) {
    if (!(error instanceof OAuthError) && server.unfinished !== undefined) {
      server.unfinished.add({
        attempt: () => attempt(request, server, seen),
        giveUp: (reason) => fail(reason, request, seen, server),
        bytes: sizeOf(request),
      });
    } else fail(error, request, seen, server);
  } finally {
    waiting.revocations -= 1;
  }
}

async function insist(work: () => Promise<void>, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  let wait = 50;
  for (let turn = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      if (error instanceof UnavailableError) {
        wait = Math.min(wait * 2, longestPause);
        if (performance.now() + wait > deadline) throw error;
        await pause(wait);
      } else {
        const next = retries[turn++];
        if (next === undefined) throw error;
        await pause(next);
      }
    }
  }
}

function fail(error: unknown, request: EndpointRequest, seen: Seen, server: AuthorizationServer): void {
  server.report(failure(request, error, seen));
  if (!(error instanceof OAuthError)) return;
  error.about(seen.client?.app);
  recordRefusal({ endpoint: "/oauth/revoke", error, origin: request.origin }, server);
}

function sizeOf({ params, authorization = "" }: EndpointRequest): number {
  return params.pairs.reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    1000 + authorization.length,
  );
}

interface Seen {
  client?: AuthenticatedClient;
}

/**
 * Revoking a refresh token revokes all tokens of its authorization; revoking an access token leaves the
 * refresh token valid (design 6.10).
 */
async function attempt(request: EndpointRequest, server: AuthorizationServer, seen: Seen): Promise<void> {
  // The client authenticates once for all attempts, because an assertion can be used only once.
  seen.client ??= await authenticateClient(request, server, { queue: "revocation" });
  const { client } = seen;
  const revoked = await end(required(request.params, "token"), client, server);
  if (revoked === undefined) return;
  server.report({
    type: "token_revoked",
    outcome: "success",
    actor: { kind: "client", id: client.app.client_id },
    target: { table: "oauth_tokens", id: revoked.id },
    organization_id: client.app.organization_id,
    origin: request.origin,
    details: { half: revoked.half },
  });
}

async function end(
  presented: string,
  client: AuthenticatedClient,
  server: AuthorizationServer,
): Promise<{ readonly id: string; readonly half: TokenHalf } | undefined> {
  const { store } = server;
  const now = server.now();
  // Most requests revoke an active access token of the client itself; such a token needs no separate look-up.
  const access = readAccessToken(presented);
  if (access !== undefined) {
    const { jti, signature } = access;
    const ended = await store.endPresentedAccessToken({ signature, app_id: client.app.id, now });
    if (ended) return { id: jti, half: "access_token" };
  }
  const found = await findToken(presented, server);
  if (found === undefined) return undefined;
  const { half, row } = found;
  if (row.app_id !== client.app.id) {
    throw refuse("revoked_token_of_other_app", { issued_to: row.app_id, client, server });
  }
  if (half === "refresh_token") await store.revokeFamily(row.family_id, "revoked", now);
  else await store.endAccessToken(row.id, now);
  return { id: row.id, half };
}

function failure({ origin }: EndpointRequest, cause: unknown, { client }: Seen): SecurityEvent {
  const app = cause instanceof OAuthError && client === undefined ? cause.app : undefined;
  return {
    type: "revocation_failed",
    outcome: "failure",
    actor: client === undefined ? { kind: "anonymous" } : { kind: "client", id: client.app.client_id },
    ...(app && { target: { table: "oauth_apps", id: app.id }, organization_id: app.organization_id }),
    origin,
    details: { error: cause instanceof OAuthError ? cause.code : "server_error" },
    cause,
  };
}
