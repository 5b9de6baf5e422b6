import { credentialPrefix, findSignature } from "../../../crypto/credentials.ts";
import { openUnder, sealUnder } from "../../../crypto/sealing.ts";
import { OAuthError, ReplayError } from "../../../errors.ts";
import type { OAuthToken } from "../../../records/definition.ts";
import { refreshReuseWindow } from "../../../records/metadata.ts";
import { readRequestData, type TokenRequestData } from "../../../records/request_data.ts";
import { otherApp, revokedToken, whyEnded } from "../../credential_evidence.ts";
import { evidence, fact, secondsBetween } from "../../evidence.ts";
import { type Params, required } from "../../params.ts";
import { coversScopes, readScopes } from "../../scope.ts";
import type { AuthenticatedClient, AuthorizationServer, Grant } from "../../server.ts";
import type { Authorization, TokenResponse } from "../authorization.ts";
import { requireActiveUser } from "./active_user.ts";
import { narrowAudience } from "./audience.ts";

const unknown = "the refresh token is not one that was issued to this client";
const sealedFor = "refresh answer";

/**
 * The refresh token grant (RFC 6749 6, RFC 9700 4.14.2): rotation, families, and the idempotent window of
 * design 6.9.
 */
export const refreshToken: Grant = {
  grant_type: "refresh_token",
  allowed_as: "refresh",
  async validate(params, client, server) {
    const presented = required(params, "refresh_token");
    const signature = findSignature(credentialPrefix.refresh_token, presented);
    const token = signature && (await server.store.findByRefreshToken(signature));
    if (signature === undefined || token?.app_id !== client.app.id || token.user_id === null) {
      throw new OAuthError("invalid_grant", unknown, {
        evidence:
          token === undefined || token.user_id === null
            ? fact("unknown_credential", "refresh_token", signature ? "not_issued" : "not_shaped")
            : otherApp("refresh_token", token.app_id, client, server),
      });
    }
    const attempt = { presented, signature, token, client, params, server };
    if (token.rotated_at !== null) {
      // A replay is punished whatever else is wrong with the request (RFC 9700 4.14.2): it is looked for
      // first.
      const earlier_answer = await answerOfWindow(attempt);
      return { ...(await authorizationOf(attempt)), earlier_answer };
    }
    if (token.revoked) throw revoked(token);
    const now = server.now();
    // The end of the family is asked for too: the row was written under the setting of its time (design
    // 6.11).
    if (
      token.refresh_expires_at === null ||
      token.refresh_expires_at <= now ||
      familyEnd(token.family_id, server) <= now
    ) {
      const { created_at, refresh_expires_at } = token;
      const ends_at = refresh_expires_at ?? familyEnd(token.family_id, server);
      const ages = [secondsBetween(created_at, now), secondsBetween(created_at, ends_at)] as const;
      throw new OAuthError("invalid_grant", "the refresh token has expired", {
        evidence: evidence("expired", "refresh_token", ...ages),
      });
    }
    return authorizationOf(attempt);
  },
};

interface Attempt {
  readonly presented: string;
  readonly signature: Buffer;
  readonly token: OAuthToken;
  readonly client: AuthenticatedClient;
  readonly params: Params;
  readonly server: AuthorizationServer;
}

/** Seconds in which a spent token is answered again; 0 where rotation is strict. */
function windowOf({ client, server }: Attempt): number {
  return refreshReuseWindow(client.app) ?? server.settings.refresh_reuse_window;
}

/**
 * Public clients rotate whatever their app says: nothing else would show that a token was stolen (RFC 9700
 * 4.14.2).
 */
function rotates({ app }: AuthenticatedClient): boolean {
  return app.refresh_token_rotation || app.public;
}

async function authorizationOf(attempt: Attempt): Promise<Authorization> {
  const { token, client, params, server } = attempt;
  const { scope, audience, auth_time, acr } = readRequestData<TokenRequestData>(token.request_data);
  const user = await requireActiveUser(token.user_id ?? "", token.created_at, server);
  const authorized_scopes = scope.split(" ");
  const authorized_audience = audience ?? token.audience;
  const asked = params.get("scope");
  // What was taken from the app since is in no token any more (T-16).
  const still_allowed = authorized_scopes.filter(
    (name) => name === "offline_access" || client.app.allowed_scopes.includes(name),
  );
  const granted_scopes = asked === undefined ? still_allowed : readScopes(asked);
  if (granted_scopes.length === 0 || !coversScopes(still_allowed, granted_scopes)) {
    throw new OAuthError(
      "invalid_scope",
      "a scope goes beyond what was granted and is allowed to the client",
      { evidence: evidence("scope", "scope", granted_scopes, still_allowed) },
    );
  }
  return {
    client,
    user,
    granted_scopes,
    authorized_scopes,
    audience: narrowAudience(params, authorized_audience),
    authorized_audience,
    family_id: token.family_id,
    refreshable: rotates(client),
    family_ends_at: familyEnd(token.family_id, server),
    authentication:
      token.session_id === null || auth_time === undefined
        ? undefined
        : { session_id: token.session_id, auth_time, acr: acr ?? "" },
    nonce: undefined,
    commit: (successor, answer) => spend(attempt, { ...successor, user_id: user.id }, answer),
  };
}

/**
 * A family's id is that of the code it began with, a UUID version 7: it holds the time (RFC 9562 5.7),
 * milliseconds.
 */
function familyEnd(family_id: string, { settings }: AuthorizationServer): Date {
  const start = Number.parseInt(family_id.replaceAll("-", "").slice(0, 12), 16);
  return new Date(start + settings.refresh_family_max_age * 1000);
}

async function spend(
  attempt: Attempt,
  successor: OAuthToken & { user_id: string },
  answer: TokenResponse,
): Promise<TokenResponse> {
  const { token, client, server } = attempt;
  const now = server.now();
  const verdict = rotates(client)
    ? await server.store.rotateRefreshToken({
        id: token.id,
        replacement: successor,
        now,
        ...reuseWindow(attempt, successor, answer, now),
      })
    : await server.store.refreshWithoutRotation({ id: token.id, addition: successor, now });
  if (verdict === "ended") {
    throw new OAuthError(
      "invalid_grant",
      "the refresh token has expired or was revoked, or what it stands on has ended",
      { evidence: () => whyEnded("refresh_token", token, server) },
    );
  }
  if (verdict === "spent") return answer;
  // Somebody else was first: inside the window both get the same answer.
  return answerOfWindow(attempt);
}

/**
 * What a repeated presentation inside the window is answered with, sealed under the very token that is
 * presented.
 */
function reuseWindow(attempt: Attempt, successor: OAuthToken, answer: TokenResponse, now: Date) {
  const seconds = windowOf(attempt);
  if (seconds === 0) return {};
  const { presented, signature, token } = attempt;
  const ends_at = new Date(now.getTime() + seconds * 1000);
  const earlier = (moment: Date | null) => (moment !== null && moment < ends_at ? moment : ends_at);
  return {
    window: {
      ends_at,
      access_ends_at: earlier(token.access_expires_at),
      refresh_ends_at: earlier(token.refresh_expires_at),
      signature,
      answer: sealUnder(presented, sealedFor, JSON.stringify({ successor_id: successor.id, answer })),
    },
  };
}

/**
 * The answer that this token was exchanged for a moment ago, if the window is open and the successor has not
 * itself been spent; everything else is a replay.
 */
async function answerOfWindow(attempt: Attempt): Promise<TokenResponse> {
  const { presented, signature, token, server } = attempt;
  const sealed = await server.store.findEphemeral("refresh_answer", signature, server.now());
  const opened = sealed && openUnder(presented, sealedFor, sealed);
  if (!opened) throw replayed(token);
  const { successor_id, answer } = JSON.parse(opened) as { successor_id: string; answer: TokenResponse };
  const successor = await server.store.find("oauth_tokens", { id: successor_id });
  if (successor === undefined || successor.rotated_at !== null) throw replayed(token);
  if (successor.revoked) throw revoked(successor);
  return answer;
}

function replayed(token: OAuthToken): ReplayError {
  return new ReplayError(token.family_id, "the refresh token was already used", {
    evidence: evidence("already_used", "refresh_token", token.rotated_at?.toISOString()),
  });
}

function revoked(token: OAuthToken): OAuthError {
  return new OAuthError("invalid_grant", "the refresh token was revoked", {
    evidence: revokedToken("refresh_token", token),
  });
}
