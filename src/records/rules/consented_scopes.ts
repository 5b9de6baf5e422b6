/** Consent per API, because different APIs may use the same scope names (PR-93). */
import type { ApiResource, OAuthApp, OAuthConsent, User } from "../definition/definition.ts";
import { openidScopes } from "../names/names.ts";

type Consented = Pick<OAuthConsent, "scopes" | "scopes_by_resource">;
type Resources = readonly Pick<ApiResource, "id">[];

/** OpenID Connect scopes concern this server, regardless of the APIs that the token is for. */
const openid: ReadonlySet<string> = new Set(openidScopes);

function allowedAt(
  { scopes_by_resource }: Consented,
  { id }: Pick<ApiResource, "id">,
): readonly string[] | undefined {
  return scopes_by_resource?.[id] as readonly string[] | undefined;
}

/** Returns the scopes of a consent that count for every one of these APIs. */
export function consentedScopes(consent: Consented, resources: Resources): readonly string[] {
  if (consent.scopes_by_resource === null) return consent.scopes;
  return consent.scopes.filter(
    (name) => openid.has(name) || resources.every((each) => allowedAt(consent, each)?.includes(name)),
  );
}

/** Returns whether the consent covers every one of these APIs, even if only with `openid`. */
export function isConsentedFor(consent: Consented, resources: Resources): boolean {
  if (consent.scopes_by_resource === null) return true;
  return resources.every((each) => allowedAt(consent, each) !== undefined);
}

/** Returns the consented scopes by API id, with `scopes` added for each of `resource_ids`. */
export function withConsented(
  before: OAuthConsent["scopes_by_resource"],
  scopes: readonly string[],
  resource_ids: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const known = (before ?? {}) as Readonly<Record<string, readonly string[]>>;
  const added = resource_ids.map((id) => [id, [...new Set([...(known[id] ?? []), ...scopes])]] as const);
  return { ...known, ...Object.fromEntries(added) };
}

/**
 * Returns the user's consent to the app; undefined if there is none. If the app has a client document,
 * consent to an earlier version of it does not count (PR-12).
 */
export async function consentInForce(
  user: Pick<User, "id">,
  app: Pick<OAuthApp, "id" | "document_hash">,
  {
    store,
  }: { readonly store: { findConsent(user_id: string, app_id: string): Promise<OAuthConsent | undefined> } },
): Promise<OAuthConsent | undefined> {
  const consent = await store.findConsent(user.id, app.id);
  return consent?.document_hash === app.document_hash ? consent : undefined;
}
