/** Explains a token or API key to an administrator: its state and, if it is inactive, the reason. */

import { apiKeyHash, apiKeyPrefix, isApiKey } from "../../crypto/api_keys.ts";
import { accessTokenSignature, credentialPrefix, findSignature } from "../../crypto/credentials.ts";
import type { OAuthToken, User } from "../../records/definition/definition.ts";
import { stateOfAccess, stateOfRefresh } from "../../records/names/liveness.ts";
import { readRequestData, type TokenRequestData } from "../../records/names/request_data.ts";
import { type ApiKeyRecord, stateOfApiKey } from "../../records/rules/client_record.ts";
import { type Dependency, dependenciesOf } from "../../records/rules/dependencies.ts";
import { mayDo } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";

type Half = "access_token" | "refresh_token";

/**
 * Like an introspection response (RFC 7662, section 2.2), but an inactive token also has its fields and a
 * `reason`.
 */
interface TokenReport {
  readonly active: boolean;
  readonly reason?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly client_id?: string;
  readonly username?: string;
  /** `exp` and `iat` are Unix times in seconds. */
  readonly exp?: number;
  readonly iat?: number;
  readonly sub?: string;
  readonly aud?: readonly string[];
  readonly jti?: string;
  readonly family_id?: string;
}

const unknown: TokenReport = { active: false, reason: "this server does not recognize the token" };

type Inspecting = Pick<AdminContext, "actor" | "store" | "now">;

/**
 * Returns the state of an access token, refresh token or API key. For a token that does not exist or that the
 * actor may not read, reports that it is not recognized.
 */
export async function inspectToken(context: Inspecting, token: string): Promise<TokenReport> {
  const { store, now } = context;
  if (token.startsWith(apiKeyPrefix)) return inspectApiKey(context, token);
  const refresh = findSignature(credentialPrefix.refresh_token, token);
  const access = accessTokenSignature(token);
  const row =
    refresh !== undefined
      ? await store.findByRefreshToken(refresh)
      : access && (await store.findByAccessToken(access));
  if (row === undefined || !(await mayDo(context, "tokens:read", "oauth_tokens", row.id))) return unknown;

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
    ...(await usernameOf(context, user)),
    ...(expires_at === null ? {} : { exp: Math.floor(expires_at.getTime() / 1000) }),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: row.user_id ?? row.service_account_id ?? row.app_id,
    aud: row.audience,
    jti: row.id,
    family_id: row.family_id,
  };
}

async function usernameOf(
  context: Inspecting,
  user: Pick<User, "id" | "email"> | undefined,
): Promise<{ readonly username?: string }> {
  if (user === undefined || !(await mayDo(context, "users:read", "users", user.id))) return {};
  return { username: user.email };
}

async function inspectApiKey(context: Inspecting, presented: string): Promise<TokenReport> {
  if (!isApiKey(presented))
    return { active: false, reason: "this is not a complete API key: its checksum is wrong" };
  const record = await context.store.findApiKey(apiKeyHash(presented));
  if (record === undefined || !(await mayDo(context, "api_keys:read", "api_keys", record.key.id)))
    return { active: false, reason: "this server does not recognize the API key" };
  const { key, user } = record;
  const reason = whyKeyInactive(record, context.now());
  return {
    active: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    token_type: "api_key",
    scope: key.scopes.join(" "),
    ...(await usernameOf(context, user)),
    ...(key.expires_at === null ? {} : { exp: Math.floor(key.expires_at.getTime() / 1000) }),
    iat: Math.floor(key.created_at.getTime() / 1000),
    ...ownerOf(record),
    jti: key.id,
  };
}

function ownerOf({ user, organization }: ApiKeyRecord): { readonly sub?: string } {
  const owner = user ?? organization;
  return owner === undefined ? {} : { sub: owner.id };
}

function whyKeyInactive(record: ApiKeyRecord, now: Date): string | undefined {
  const { key, user } = record;
  const state = stateOfApiKey(record, now);
  switch (state) {
    case "active":
      return undefined;
    case "inactive":
      return "it is deactivated";
    case "revoked":
      return "it was revoked";
    case "expired":
      return `it expired at ${key.expires_at?.toISOString()}`;
    case "owner_inactive":
      return `its ${user?.active === false ? nouns.user : nouns.app_organization} ${stateWords.inactive}`;
    default:
      return state satisfies never;
  }
}

async function whyInactive(
  store: AdminContext["store"],
  row: OAuthToken,
  half: Half,
  now: Date,
): Promise<string | undefined> {
  const state = half === "access_token" ? stateOfAccess(row, now) : stateOfRefresh(row, now);
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  if (state === undefined) return "it has no refresh token";
  if (state === "used") return `it was exchanged for a new one at ${row.rotated_at?.toISOString()}`;
  if (state === "revoked") return `it was revoked (${row.revoked_reason ?? "no reason given"})`;
  if (state === "expired") return `it expired at ${expires_at?.toISOString()}`;

  const { dependencies } = await dependenciesOf(row, store);
  const ended = dependencies.find((dependency) => dependency.state !== "active");
  return ended && `its ${nouns[ended.noun]} ${stateWords[ended.state]}`;
}

const nouns: Readonly<Record<Dependency["noun"], string>> = {
  app: "app",
  app_organization: "organization",
  user: "user",
  grant: "authorization",
  membership: "membership",
  membership_organization: "organization",
  service_account: "service account",
  service_account_organization: "organization",
  key_pair: "key pair",
};

const stateWords: Readonly<Record<Dependency["state"], string>> = {
  active: "is active",
  unknown: "was deleted",
  inactive: "is not active",
  revoked: "was revoked",
  ended: "was revoked after the token was issued",
};
