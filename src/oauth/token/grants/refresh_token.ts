import { credentialPrefix, findSignature } from "../../../crypto/credentials.ts";
import { openUnder, sealUnder } from "../../../crypto/sealing.ts";
import type { OAuthToken } from "../../../records/definition/definition.ts";
import { timeOfId } from "../../../records/names/ids.ts";
import { hasPassed, stateOfRefresh } from "../../../records/names/liveness.ts";
import { readRequestData, type TokenRequestData } from "../../../records/names/request_data.ts";
import type { RotateRefreshToken } from "../../../storage/tokens/grants.ts";
import {
  type Authorization,
  type EarlierAnswer,
  onlyPassword,
  type PresentedRefreshToken,
  type RefreshCommit,
  type SignedToken,
  type TokenResponse,
} from "../../core/authorization.ts";
import { type Params, required } from "../../core/params.ts";
import { rulesFor } from "../../core/rules_for.ts";
import type { AuthenticatedClient, AuthorizationServer, Grant } from "../../core/server.ts";
import {
  memberAtRefresh,
  requireAdmission,
  requireScopesOfRoles,
  withoutNames,
} from "../../organizations/context.ts";
import { refuse } from "../../refusals/refuse.ts";
import { narrowAudience } from "../../resources/audience.ts";
import { coversScopes, readScopes, understoodScopes } from "../../resources/requested.ts";
import { requireActiveUser } from "./active_user.ts";

const sealedFor = "refresh answer";

/**
 * The refresh token grant (RFC 6749 6, RFC 9700 4.14.2). A family is a refresh token with all its successors;
 * a replay revokes all of them. Design 6.9 describes the reuse window.
 */
export const refreshToken: Grant = {
  grant_type: "refresh_token",
  allowed_as: "refresh",
  statistic: "tokens_refresh",
  replay_event: "refresh_replay",
  async validate(params, client, server) {
    const text = required(params, "refresh_token");
    const signature = findSignature(credentialPrefix.refresh_token, text);
    const row = signature && (await server.store.findByRefreshToken(signature));
    if (signature === undefined || row === undefined || !isOfUser(row)) {
      throw refuse("refresh_token_unknown", { presented: text });
    }
    if (row.app_id !== client.app.id) {
      throw refuse("refresh_token_of_other_app", { issued_to: row.app_id, client, server });
    }
    const presented = { row, text, signature };
    const now = server.now();
    const state = stateOfRefresh(row, now);
    if (state === "used") {
      // A replay revokes the family even if the request has other errors (RFC 9700 4.14.2), so it is checked
      // first.
      const commit = await earlierAnswer(presented, server);
      const authorization = await authorizationOf(presented, params, client, server);
      return { ...authorization, commit: sameOrganization(commit, authorization) };
    }
    if (state === "revoked") throw refuse("refresh_token_revoked", row);
    // The end of the family is checked too, because `refresh_family_max_age` may have changed since the token
    // was stored (design 6.11).
    const { created_at, refresh_expires_at } = row;
    const family_ends_at = familyEnd(row.family_id, server);
    if (state !== "active" || hasPassed(family_ends_at, now)) {
      const expires_at = refresh_expires_at ?? family_ends_at;
      throw refuse("refresh_token_expired", { created_at, expires_at, now });
    }
    return authorizationOf(presented, params, client, server);
  },
};

function isOfUser(row: OAuthToken): row is PresentedRefreshToken["row"] {
  return row.user_id !== null;
}

async function authorizationOf(
  predecessor: PresentedRefreshToken,
  params: Params,
  client: AuthenticatedClient,
  server: AuthorizationServer,
): Promise<Authorization> {
  const { row } = predecessor;
  const { rotates, rebinds, reuse_window } = rulesFor(client.app, server).refresh;
  const { scope, audience, audience_source, auth_time, acr, amr, of_organization, session_ends_at } =
    readRequestData<TokenRequestData>(row.request_data);
  const user = await requireActiveUser(row.user_id, row.created_at, server);
  const authorized_scopes = scope.split(" ");
  const authorized_audience = audience ?? row.audience;
  const requested = params.get("scope");
  const named = requested === undefined ? undefined : withoutNames(readScopes(requested), client.app);
  // The new token lacks scopes that the app has lost since the authorization (T-16). The scopes of a client
  // that no administrator registered are those of the APIs, which are checked below.
  const { unavailable } = rulesFor(client.app, server).scopes;
  const still_allowed = authorized_scopes.filter(
    (name) =>
      name === "offline_access" ||
      client.app.allowed_scopes.includes(name) ||
      (unavailable === "left_out" && (name === "openid" || audience_source === "asked")),
  );
  const requested_scopes = named ?? still_allowed;
  // The client may again name scopes that the authorization endpoint ignored.
  const known = [...authorized_scopes, ...client.app.allowed_scopes];
  const granted_scopes =
    unavailable === "left_out"
      ? requested_scopes.filter((name) => still_allowed.includes(name))
      : (await understoodScopes(requested_scopes, known, { app: client.app, resources: [] }, server))
          .understood;
  if (granted_scopes.length === 0 || !coversScopes(still_allowed, granted_scopes)) {
    throw refuse("scope_beyond_grant", { requested: requested_scopes, allowed: still_allowed });
  }
  const member = await memberAtRefresh(params, client.app, { row, user, scopes: still_allowed }, server);
  await requireAdmission(user, client.app, server, { member, at: "token" });
  const { scopes, ...narrowed } = await narrowAudience(
    params,
    client,
    {
      authorized: authorized_audience,
      source: audience_source,
      created_at: row.created_at,
      scopes: granted_scopes,
    },
    server,
  );
  return {
    client,
    user,
    member,
    granted_scopes: requireScopesOfRoles(scopes, { ...narrowed, member, app: client.app }, "token"),
    authorized_scopes,
    ...narrowed,
    audience_source,
    authorized_audience,
    family_id: row.family_id,
    refreshable: rotates,
    family_ends_at: familyEnd(row.family_id, server),
    authentication:
      row.session_id === null || (auth_time === undefined && acr === undefined)
        ? undefined
        : {
            session_id: row.session_id,
            auth_time,
            acr: acr ?? "",
            amr: amr ?? onlyPassword,
            of_organization,
            session_ends_at,
          },
    nonce: undefined,
    bound_to: row.cnf,
    rebinds,
    commit: { kind: "refresh", predecessor, rotates, reuse_window },
  };
}

/**
 * A family has the id of its authorization code, and the id contains the time at which the code was created.
 */
function familyEnd(family_id: string, { settings }: AuthorizationServer): Date {
  return new Date(timeOfId(family_id) + settings.refresh_family_max_age * 1000);
}

/**
 * Returns the reuse window to store. The response to repeat in it is encrypted with the refresh token that is
 * being rotated.
 */
export function reuseWindow(
  { predecessor, reuse_window }: RefreshCommit,
  { row: successor, answer }: SignedToken,
  now: Date,
): Pick<RotateRefreshToken, "window"> {
  if (reuse_window === 0) return {};
  const { text, signature, row } = predecessor;
  const ends_at = new Date(now.getTime() + reuse_window * 1000);
  const earlier = (moment: Date | null) => (moment !== null && moment < ends_at ? moment : ends_at);
  return {
    window: {
      ends_at,
      access_ends_at: earlier(row.access_expires_at),
      refresh_ends_at: earlier(row.refresh_expires_at),
      signature,
      answer: sealUnder(text, sealedFor, JSON.stringify({ successor_id: successor.id, answer })),
    },
  };
}

/**
 * Returns the response to the earlier refresh with this token. Throws a `ReplayError` if the reuse window is
 * closed or the new refresh token has been used, and `invalid_grant` if the new one was revoked.
 */
export async function earlierAnswer(
  { row, text, signature }: PresentedRefreshToken,
  server: AuthorizationServer,
): Promise<EarlierAnswer> {
  const sealed = await server.store.findEphemeral("refresh_answer", signature, server.now());
  const opened = sealed && openUnder(text, sealedFor, sealed);
  if (!opened) throw refuse("refresh_token_replayed", row);
  const { successor_id, answer } = JSON.parse(opened) as { successor_id: string; answer: TokenResponse };
  const successor = await server.store.find("oauth_tokens", { id: successor_id });
  const state = successor === undefined ? "used" : stateOfRefresh(successor, server.now());
  if (successor === undefined || state === "used") throw refuse("refresh_token_replayed", row);
  if (state === "revoked") throw refuse("refresh_token_revoked", successor);
  const { cnf: bound_to, membership_id } = successor;
  return { kind: "earlier_answer", answer, bound_to, membership_id };
}

/**
 * Returns the earlier response, and throws unless it is for this request's organization. A browser tab
 * therefore never gets the tokens of a tab with another organization (OC-2).
 */
export function sameOrganization(
  answer: EarlierAnswer,
  { member }: Pick<Authorization, "member">,
): EarlierAnswer {
  if (answer.membership_id !== (member?.membership.id ?? null)) throw refuse("organization_of_other_refresh");
  return answer;
}
