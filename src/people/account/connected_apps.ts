/**
 * The apps with access to a user's account, through a consent or, for first-party apps, through tokens issued
 * without one.
 */

import type {
  ApiResource,
  OAuthApp,
  OAuthConsent,
  OAuthToken,
  User,
} from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { stateOfConsent, stateOfToken, stateSince } from "../../records/names/liveness.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { isUsable, ownerName } from "../../records/rules/client_record.ts";
import { withConsented } from "../../records/rules/consented_scopes.ts";
import type { Clients, Reports, Rows } from "../../storage/ports.ts";
import type { IdentityContext } from "../core/context/context.ts";

export interface ConnectedApp {
  readonly app: OAuthApp;
  readonly owner_name: string | undefined;
  readonly scopes: readonly string[];
  /**
   * The keys are IDs of APIs and organizations. Without a consent, they are audiences of tokens and IDs of
   * memberships.
   */
  readonly scopes_by_place: Readonly<Record<string, readonly string[]>>;
  readonly since: Date;
  readonly last_used_at: Date | null;
  /** The app has tokens, but no active consent; first-party apps need none. */
  readonly unasked: boolean;
  readonly off: boolean;
}

export const newestTokens = { order_by: "id", descending: true, limit: 200 } as const;

type Access = Pick<ConnectedApp, "scopes" | "scopes_by_place" | "since" | "last_used_at" | "unasked">;

const mostPlaces = 200;

export interface Places {
  readonly apis: ReadonlyMap<string, ApiResource>;
  readonly organizations: ReadonlyMap<string, string>;
}

/** Returns the APIs and organizations that the keys of `scopes_by_place` name, from at most 200 keys. */
export async function placesOf(
  apps: readonly Pick<ConnectedApp, "scopes_by_place">[],
  user: User,
  { store }: { readonly store: Rows & Reports & Pick<Clients, "findResource"> },
): Promise<Places> {
  const named = new Set(apps.flatMap(({ scopes_by_place }) => Object.keys(scopes_by_place)));
  const places = [...named].slice(0, mostPlaces);
  if (places.length === 0) return { apis: new Map(), organizations: new Map() };
  const memberships = (await store.list("memberships", { user_id: user.id })).filter(
    ({ id, organization_id }) => places.includes(id) || places.includes(organization_id),
  );
  const audiences = places.filter((place) => !isUuid(place));
  const [recorded, requested, names] = await Promise.all([
    store.rowsSeen("resources", places),
    Promise.all(audiences.map(async (place) => [place, await store.findResource(place)] as const)),
    store.namesOf(
      "organizations",
      memberships.map(({ organization_id }) => organization_id),
    ),
  ]);
  return {
    apis: new Map([
      ...recorded.map((api) => [api.id, api] as const),
      ...requested.flatMap(([place, api]) => (api === undefined ? [] : [[place, api] as const])),
    ]),
    organizations: new Map(
      memberships.flatMap(({ id, organization_id }) => {
        const name = names.get(organization_id)?.name;
        return name === undefined ? [] : [id, organization_id].map((place) => [place, name] as const);
      }),
    ),
  };
}

/** Returns the connected apps, sorted by name. */
export async function connectedApps(user: User, context: IdentityContext): Promise<ConnectedApp[]> {
  const { store } = context;
  const consents = await store.list("oauth_consents", { user_id: user.id });
  const byApp = new Map<string, Access>(
    consents
      .filter((consent) => stateOfConsent(consent) === "active")
      .map((consent) => [consent.app_id, accessOf(consent)]),
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

export async function findConnectedApp(
  user: User,
  app_id: string,
  context: IdentityContext,
): Promise<ConnectedApp | undefined> {
  const { store } = context;
  const client = await store.findClientOfApp(app_id);
  if (client === undefined) return undefined;
  const consent = await store.findConsent(user.id, app_id);
  if (consent !== undefined) return described(client, accessOf(consent), context);
  const tokens = await store.list("oauth_tokens", { user_id: user.id, app_id, revoked: false }, newestTokens);
  const access = unasked(tokens, user, context.now()).get(app_id);
  return access && described(client, access, context);
}

function accessOf({ scopes, scopes_by_resource, granted_at, last_used_at }: OAuthConsent): Access {
  const scopes_by_place = (scopes_by_resource ?? {}) as Access["scopes_by_place"];
  return { scopes, scopes_by_place, since: granted_at, last_used_at, unasked: false };
}

async function described(
  { app, organization }: ClientRecord,
  access: Access,
  { store }: IdentityContext,
): Promise<ConnectedApp> {
  const owner = organization ?? (await store.findUser(app.owner_id));
  const off = !isUsable({ app, organization });
  return { app, owner_name: ownerName(owner), off, ...access };
}

function unasked(tokens: readonly OAuthToken[], user: User, now: Date): Map<string, Access> {
  const found = new Map<string, Access>();
  for (const token of tokens) {
    if (!isLive(token, user, now)) continue;
    const { app_id, scopes, created_at, audience, membership_id } = token;
    const used_at = token.last_used_at ?? created_at;
    const known = found.get(app_id);
    const places = membership_id === null ? audience : [...audience, membership_id];
    found.set(app_id, {
      scopes: [...new Set([...(known?.scopes ?? []), ...scopes])],
      scopes_by_place: withConsented(known?.scopes_by_place ?? null, scopes, places),
      since: known === undefined || created_at < known.since ? created_at : known.since,
      last_used_at: known?.last_used_at && known.last_used_at > used_at ? known.last_used_at : used_at,
      unasked: true,
    });
  }
  return found;
}

/** Returns whether the access token or its refresh token is still valid for this user. */
export function isLive(token: OAuthToken, user: User, now: Date): boolean {
  return stateSince(user, token.created_at) === "active" && stateOfToken(token, now) === "active";
}
