/** What an operator may ask of a token without being a client: its state, and why it is not active. */

import { accessTokenSignature, credentialPrefix, findSignature } from "../../crypto/credentials.ts";
import type { OAuthToken } from "../../records/definition.ts";
import { type EndableRecord, stateOfAccess, stateOfRefresh, stateSince } from "../../records/liveness.ts";
import { readRequestData, type TokenRequestData } from "../../records/request_data.ts";
import type { AdminContext } from "../access/actor.ts";

type Half = "access_token" | "refresh_token";

/** RFC 7662 2.2 with more than a client is told: the members of a dead token too, and `reason`. */
export interface TokenReport {
  readonly active: boolean;
  /** Why it is not active. */
  readonly reason?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly client_id?: string;
  readonly username?: string;
  /** Unix time, seconds. */
  readonly exp?: number;
  readonly iat?: number;
  readonly sub?: string;
  readonly aud?: readonly string[];
  readonly jti?: string;
  readonly family_id?: string;
}

/** The state of a presented access or refresh token; it is found by the hash of its whole text alone. */
export async function inspectToken(
  { store, now }: Pick<AdminContext, "store" | "now">,
  token: string,
): Promise<TokenReport> {
  const refresh = findSignature(credentialPrefix.refresh_token, token);
  const access = accessTokenSignature(token);
  const row =
    refresh !== undefined
      ? await store.findByRefreshToken(refresh)
      : access && (await store.findByAccessToken(access));
  if (row === undefined) return { active: false, reason: "this server knows no such token" };

  const half: Half = refresh === undefined ? "access_token" : "refresh_token";
  const reason = await whyInactive(store, row, half, now());
  const app = await store.find("oauth_apps", { id: row.app_id });
  const user = row.user_id === null ? undefined : await store.find("users", { id: row.user_id });
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  const whole = readRequestData<TokenRequestData>(row.request_data).scope;
  return {
    active: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    token_type: half === "access_token" ? "Bearer" : "refresh_token",
    scope: half === "refresh_token" && whole ? whole : row.scopes.join(" "),
    ...(app === undefined ? {} : { client_id: app.client_id }),
    ...(user === undefined ? {} : { username: user.email }),
    ...(expires_at === null ? {} : { exp: Math.floor(expires_at.getTime() / 1000) }),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: row.user_id ?? row.service_account_id ?? row.app_id,
    aud: row.audience,
    jti: row.id,
    family_id: row.family_id,
  };
}

async function whyInactive(
  store: AdminContext["store"],
  row: OAuthToken,
  half: Half,
  now: Date,
): Promise<string | undefined> {
  const state = half === "access_token" ? stateOfAccess(row, now) : stateOfRefresh(row, now);
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  if (state === undefined) return "it has no refresh half";
  if (state === "used") return `it was exchanged for a new one at ${row.rotated_at?.toISOString()}`;
  if (state === "revoked") return `it was revoked (${row.revoked_reason ?? "no reason given"})`;
  if (state === "expired") return `it expired at ${expires_at?.toISOString()}`;

  const app = await store.find("oauth_apps", { id: row.app_id });
  const account =
    row.service_account_id === null
      ? undefined
      : await store.find("service_accounts", { id: row.service_account_id });
  const grounds: [string, EndableRecord | undefined][] = [["app", app]];
  if (row.user_id !== null) grounds.push(["user", await store.find("users", { id: row.user_id })]);
  if (row.service_account_id !== null) grounds.push(["service account", account]);
  for (const id of [account?.organization_id, app?.organization_id]) {
    if (id) grounds.push(["organization", await store.find("organizations", { id })]);
  }
  for (const [noun, ground] of grounds) {
    if (ground === undefined) return `its ${noun} is gone`;
    const its = stateSince(ground, row.created_at);
    if (its === "inactive") return `its ${noun} is not active`;
    if (its === "revoked") return `its ${noun} was revoked`;
    if (its === "ended") return `its ${noun} was ended after the token was made`;
  }
  return undefined;
}
