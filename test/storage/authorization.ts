/** The active records that a code and a refresh token depend on. */
import type {
  OAuthApp,
  OAuthAuthCode,
  OAuthToken,
  Organization,
  Session,
  User,
} from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import type { RedemptionOutcome } from "../../src/storage/tokens/grants.ts";
import {
  aCode,
  aConsent,
  anApp,
  anOrganization,
  aSession,
  aToken,
  aUser,
  later,
  start,
  tokenOf,
} from "../support/builders.ts";
import {
  deactivate,
  deleteApp,
  deleteOrganization,
  deleteUser,
  revokeApp,
  withdrawConsent,
} from "../support/endings.ts";

export interface Authorization {
  readonly organization: Organization;
  readonly app: OAuthApp;
  readonly user: User;
  readonly session: Session;
  readonly code: OAuthAuthCode;
}

/** Ten seconds after all records were created. */
export const soon = later(10);

/** Creates an app of an organization, a user who consented to it and signed in, and a code. */
export async function anAuthorization(store: Store, app: Partial<OAuthApp> = {}): Promise<Authorization> {
  const user = await aUser(store);
  const organization = await anOrganization(store);
  const made = await anApp(store, { owner_id: user.id, organization_id: organization.id, ...app });
  await aConsent(store, { user_id: user.id, app_id: made.id });
  const session = await aSession(store, { user_id: user.id });
  const code = await aCode(store, { user_id: user.id, app_id: made.id });
  return { organization, app: made, user, session, code };
}

/** Returns the row of a token that descends from the code, without storing it. */
export function descendant(of: Authorization, created_at = soon): OAuthToken & { user_id: string } {
  return tokenOf({
    app_id: of.app.id,
    user_id: of.user.id,
    family_id: of.code.id,
    session_id: of.session.id,
    created_at,
  });
}

export function redeem(
  store: Store,
  of: Authorization,
  now = soon,
  token = descendant(of, now),
): Promise<RedemptionOutcome> {
  return store.redeemCode({ code_id: of.code.id, session_id: of.session.id, token, now });
}

/** Stores the first token of the code's family. */
export function firstToken(store: Store, of: Authorization): Promise<OAuthToken> {
  return aToken(store, descendant(of, start));
}

export function rotate(store: Store, of: Authorization, id: string, now = soon): Promise<RedemptionOutcome> {
  return store.rotateRefreshToken({ id, replacement: descendant(of, now), now });
}

/** Returns how many tokens of the family are not revoked. */
export function liveRows(store: Store, of: Authorization): Promise<number> {
  return store.count("oauth_tokens", { family_id: of.code.id, revoked: false });
}

/** Every record on which a grant depends, each with the change that ends it. */
export const collapses: Readonly<
  Record<string, (store: Store, of: Authorization, now: Date) => Promise<unknown>>
> = {
  "the app was deactivated": (store, { app }, now) => deactivate(store, "oauth_apps", app.id, now),
  "the app was revoked": (store, { app }, now) => revokeApp(store, app.id, now),
  "the app was deleted": (store, { app }) => deleteApp(store, app.id),
  "the organization was deactivated": (store, { organization }, now) =>
    deactivate(store, "organizations", organization.id, now),
  "the organization was deleted": (store, { organization }) => deleteOrganization(store, organization.id),
  "the user was deactivated": (store, { user }, now) => deactivate(store, "users", user.id, now),
  "the user was deleted": async (store, { user }, now) =>
    deleteUser(store, user.id, now, (await aUser(store)).id),
  "the password was changed": (store, { user }, now) =>
    store.endEverythingOf(user.id, "password_changed", now),
  "the consent was withdrawn": (store, { user, app }, now) =>
    withdrawConsent(store, user.id, app.id, "consent_withdrawn", now),
  "the session was ended": (store, { session }, now) => store.endSession(session.id, now),
};
