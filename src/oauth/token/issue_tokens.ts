/** The tokens of an authorization are built and signed before the one transaction that commits the grant. */

import { credentialPrefix, newCredential, signatureOf } from "../../crypto/credentials.ts";
import { signJwt } from "../../crypto/jwt.ts";
import type { OAuthToken } from "../../records/definition/definition.ts";
import { endOfGrant, madeAt, stateOfIdleSession } from "../../records/names/liveness.ts";
import { writeRequestData } from "../../records/names/request_data.ts";
import type {
  Authentication,
  Authorization,
  Redeemer,
  SignedToken,
  TokenResponse,
} from "../core/authorization.ts";
import { exposesAuthentication, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer, Grant } from "../core/server.ts";
import { type AttributeReads, recordClaims } from "../organizations/claims.ts";
import { tokenAlgorithm } from "../resources/audience.ts";
import { answerAgain, commitToken } from "./commit.ts";
import { signIdToken } from "./id_token.ts";

interface Issue extends Redeemer {
  readonly authorization: Authorization;
  readonly grant: Grant;
}

/**
 * Issues the tokens of an authorization. Everything is written or nothing, so after a failure the code or the
 * refresh token remains valid.
 */
export async function issueTokens(issue: Issue, server: AuthorizationServer): Promise<TokenResponse> {
  const { authorization, grant, origin } = issue;
  const { commit } = authorization;
  if (commit.kind === "earlier_answer") return answerAgain(commit, issue);
  // Other tokens that are ready to be stored wait for this one, so that all of them are stored in one commit.
  const signed = server.store.expectJob();
  let tokens: SignedToken;
  try {
    tokens = await signTokens(issue, server);
  } finally {
    signed();
  }
  const input = await commitToken(commit, tokens, issue, server);
  if (input !== tokens.answer) return input;
  const { app } = authorization.client;
  server.report({
    type: "token_issued",
    outcome: "success",
    actor:
      authorization.service_account === undefined
        ? { kind: "client", id: app.client_id }
        : { kind: "service_account", id: authorization.service_account.id },
    target: { table: "oauth_tokens", id: tokens.row.id },
    organization_id: app.organization_id,
    app_id: app.id,
    origin,
    counted_as: grant.statistic,
    details: {
      grant_type: grant.grant_type,
      ...(authorization.member && { organization: authorization.member.organization.id }),
    },
  });
  return input;
}

async function signTokens(
  { authorization, grant, sender, origin }: Issue,
  server: AuthorizationServer,
): Promise<SignedToken> {
  const { user, member, service_account, granted_scopes, authorized_scopes } = authorization;
  const { audience, authorized_audience, audience_source, authentication } = authorization;
  const { app } = authorization.client;
  const cnf = sender === undefined ? null : { jkt: sender.jkt };
  const created_at = server.now();
  const iat = Math.floor(created_at.getTime() / 1000);
  const exp = iat + app.access_token_ttl;
  const id = server.store.newId(created_at);
  const keys = await server.keys();
  const rules = rulesFor(app, server);
  const algorithm = tokenAlgorithm(authorization.resources, rules);
  const scope = granted_scopes.join(" ");

  const access_token = await signJwt(
    keys.signingKey(created_at, algorithm),
    "at+jwt",
    await accessTokenClaims(authorization, { id, iat, exp, cnf }, server),
  );
  const id_token =
    user !== undefined && granted_scopes.includes("openid")
      ? await signIdToken({
          key: keys.signingKey(created_at, rules.id_token_algorithm),
          authorization,
          user,
          access_token,
          iat,
          issuer: server.issuer,
          session_ends_at: await sessionEndFor(authorization, server),
          record_claims: await recordClaims(
            { ...claimedBy(authorization), resources: [] },
            "id_token",
            server,
          ),
        })
      : undefined;
  const refresh_token = authorization.refreshable
    ? newCredential(credentialPrefix.refresh_token, created_at)
    : undefined;

  const row: OAuthToken = {
    id,
    app_id: app.id,
    user_id: user?.id ?? null,
    service_account_id: service_account?.id ?? null,
    access_token_signature: signatureOf(access_token, created_at.getTime()),
    refresh_token_signature: refresh_token ? signatureOf(refresh_token, created_at.getTime()) : null,
    family_id: authorization.family_id,
    scopes: granted_scopes,
    audience,
    session_id: authentication?.session_id ?? null,
    request_data: writeRequestData({
      grant_type: grant.grant_type,
      scope: authorized_scopes.join(" "),
      ...(authorized_audience.length !== audience.length && { audience: authorized_audience }),
      ...(audience_source && { audience_source }),
      ...(authentication && signInClaims(authentication)),
      ...(authentication?.of_organization && { of_organization: true }),
      ...(authentication?.session_ends_at && { session_ends_at: authentication.session_ends_at }),
      ...(service_account && { key_pair_id: service_account.key_pair_id }),
    }),
    access_expires_at: new Date(exp * 1000),
    refresh_expires_at: refresh_token ? refreshExpiry(authorization, created_at) : null,
    revoked: false,
    revoked_at: null,
    revoked_reason: null,
    client_ip: origin.client_ip,
    user_agent: origin.user_agent,
    last_used_at: null,
    created_at: madeAt(created_at, endingsBefore(authorization)),
    rotated_at: null,
    cnf,
    membership_id: member?.membership.id ?? null,
  };
  const answer: TokenResponse = {
    access_token,
    token_type: sender === undefined ? "Bearer" : "DPoP",
    expires_in: app.access_token_ttl,
    ...(refresh_token !== undefined && { refresh_token }),
    scope,
    ...(id_token !== undefined && { id_token }),
  };
  return { row, answer };
}

function endingsBefore({
  client,
  user,
  member,
  resources,
  commit,
}: Authorization): readonly (Date | null | undefined)[] {
  const account = commit.kind === "assertion" ? commit.account : undefined;
  const owners = [
    client.app,
    client.organization,
    user,
    member?.organization,
    account,
    account?.organization,
  ];
  return [
    ...owners.map((owner) => owner?.tokens_not_before),
    user && endOfGrant(user, client.app.id),
    ...resources.map((each) => each.created_at),
  ];
}

async function sessionEndFor(
  { client, authentication }: Authorization,
  { store, now }: AuthorizationServer,
): Promise<Date | undefined> {
  if (!client.app.session_expiry_in_id_token || authentication === undefined) return undefined;
  const session = await store.find("sessions", { id: authentication.session_id });
  return session && stateOfIdleSession(session, now()) === "active" ? session.expires_at : undefined;
}

export type Claimed = Pick<
  Authorization,
  | ("client" | "user" | "member" | "service_account" | "granted_scopes")
  | ("audience" | "resources" | "authentication")
>;

export const claimedBy = (authorization: Claimed) => {
  const { client, user, member, service_account, granted_scopes, resources, audience } = authorization;
  const others = [service_account];
  return { user, member, scopes: granted_scopes, app: client.app, resources, audience, others };
};

/** Returns the payload of an access token (RFC 9068 2.2); times are in seconds. */
export async function accessTokenClaims(
  authorization: Claimed,
  {
    id,
    iat,
    exp,
    cnf,
  }: { readonly id: string; readonly iat: number; readonly exp: number; readonly cnf: object | null },
  server: Pick<AuthorizationServer, "settings"> & AttributeReads,
): Promise<Record<string, unknown>> {
  const { client, user, service_account, audience, granted_scopes, authentication } = authorization;
  return {
    iss: server.issuer,
    sub: user?.id ?? service_account?.id ?? client.app.id,
    aud: audience.length === 1 ? audience[0] : audience,
    exp,
    iat,
    jti: id,
    client_id: client.app.client_id,
    scope: granted_scopes.join(" "),
    ...(cnf && { cnf }),
    ...(authentication && exposesAuthentication(authorization, server) && signInClaims(authentication)),
    ...(await recordClaims(claimedBy(authorization), "access_token", server)),
  };
}

/**
 * The claims about the sign-in (RFC 9068 2.2.1, RFC 9470 6.1). The token's record also stores them, for later
 * refreshes (SU-8).
 */
const signInClaims = ({ auth_time, acr, amr }: Authentication) => ({
  ...(auth_time !== undefined && { auth_time }),
  acr,
  amr,
});

/**
 * A refresh token expires at the latest with its whole authorization (design 6.11) or with a limited session
 * (OR-12).
 */
function refreshExpiry({ client, family_ends_at, authentication }: Authorization, from: Date): Date {
  const expiry = from.getTime() + client.app.refresh_token_ttl * 1000;
  const session_end = (authentication?.session_ends_at ?? Number.POSITIVE_INFINITY) * 1000;
  return new Date(Math.min(expiry, family_ends_at.getTime(), session_end));
}
