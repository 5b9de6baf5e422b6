/**
 * The apps with access to a user's account: through a consent or, for first-party apps, through tokens
 * issued without one.
 */

import type { OAuthApp, OAuthToken, User } from "../../records/definition/definition.ts";
import { stateOfConsent, stateOfToken, stateSince } from "../../records/names/liveness.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { isUsable } from "../../records/rules/client_record.ts";
import type { IdentityContext } from "../core/context/context.ts";

export interface ConnectedApp {
  readonly app: OAuthApp;
  /** The name of the organization or user that owns the app. */
  readonly owner_name: string | undefined;
  readonly scopes: readonly string[];
  readonly since: Date;
  readonly last_used_at: Date | null;
  /** True if the app is first-party and therefore needs no consent. */
  readonly unasked: boolean;
  /** True if the app or its organization is inactive or revoked. */
  readonly off: boolean;
}

/**
 * Maximum number of tokens that are examined, newest first, to find apps that hold some without a consent.
 */
export const newestTokens = { order_by: "id", descending: true, limit: 200 } as const;

type Access = Pick<ConnectedApp, "scopes" | "since" | "last_used_at" | "unasked">;

/**
 * Returns the connected apps, sorted by name. Apps without a consent are listed if they received one of the
 * user's newest 200 tokens.
 */
export async function connectedApps(user: User, context: IdentityContext): Promise<ConnectedApp[]> {
  const { store } = context;
  const consents = await store.list("oauth_consents", { user_id: user.id });
  const byApp = new Map<string, Access>(
    consents
      .filter((consent) => stateOfConsent(consent) === "active")
      .map(({ app_id, scopes, granted_at, last_used_at }) => [
        app_id,
        { scopes, since: granted_at, last_used_at, unasked: false },
      ]),
  );
  const newest = await store.list("oauth_tokens", { user_id: user.id, revoked: false }, newestTokens);
  for (const [app_id, access] of unasked(newest, user, context.now())) {
    if (!byApp.has(app_id)) byApp.set(app_id, access);
  }
  const found = await Promise.all(
    [...byApp].map(async ([app_id, access]) => {
      const client = await store.findClientOfApp(app_id);
      return client === undefined ? [] : [await described(client, access, context)];
    }),
  );
  return found.flat().sort((one, other) => one.app.name.localeCompare(other.app.name, "en"));
}

/** Returns one connected app by the ID of the app. */
export async function findConnectedApp(
  user: User,
  app_id: string,
  context: IdentityContext,
): Promise<ConnectedApp | undefined> {
  const { store } = context;
  const client = await store.findClientOfApp(app_id);
  if (client === undefined) return undefined;
  const consent = await store.findConsent(user.id, app_id);
  if (consent !== undefined) {
    const { scopes, granted_at: since, last_used_at } = consent;
    return described(client, { scopes, since, last_used_at, unasked: false }, context);
  }
  const tokens = await store.list("oauth_tokens", { user_id: user.id, app_id, revoked: false }, newestTokens);
  const access = unasked(tokens, user, context.now()).get(app_id);
  return access && described(client, access, context);
}

async function described(
  { app, organization }: ClientRecord,
  access: Access,
  { store }: IdentityContext,
): Promise<ConnectedApp> {
  const owner = organization ?? (await store.findUser(app.owner_id));
  const off = !isUsable({ app, organization });
  return { app, owner_name: owner?.name, off, ...access };
}

/** Returns the scopes of active tokens, by app. */
function unasked(tokens: readonly OAuthToken[], user: User, now: Date): Map<string, Access> {
  const found = new Map<string, Access>();
  for (const token of tokens) {
    if (!isLive(token, user, now)) continue;
    const { app_id, scopes, created_at } = token;
    const used_at = token.last_used_at ?? created_at;
    const known = found.get(app_id);
    found.set(app_id, {
      scopes: [...new Set([...(known?.scopes ?? []), ...scopes])],
      since: known === undefined || created_at < known.since ? created_at : known.since,
      last_used_at: known?.last_used_at && known.last_used_at > used_at ? known.last_used_at : used_at,
      unasked: true,
    });
  }
  return found;
}

/** Returns whether the token, or a refresh of it, is still valid for this user. */
export function isLive(token: OAuthToken, user: User, now: Date): boolean {
  return stateSince(user, token.created_at) === "active" && stateOfToken(token, now) === "active";
}
