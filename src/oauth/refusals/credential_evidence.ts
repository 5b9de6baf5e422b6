/** The client neither waits for the reason why a code or token is not usable, nor learns it. */

import type { OAuthApp, OAuthToken } from "../../records/definition/definition.ts";
import { ownerOnRow, sharesOwner } from "../../records/definition/ownership.ts";
import { type EvidenceFact, evidence, fact } from "../../records/names/evidence.ts";
import { stateOfAccess, stateOfConsent, stateOfIdleSession } from "../../records/names/liveness.ts";
import { type ClientRecord, stateOfClient } from "../../records/rules/client_record.ts";
import {
  type Dependency,
  type DependencyReads,
  type Dependent,
  dependenciesOf,
} from "../../records/rules/dependencies.ts";
import type { Rows } from "../../storage/ports.ts";
import { expired, type Pieces } from "./catalogued.ts";

interface EvidenceSources {
  readonly store: DependencyReads & Pick<Rows, "find">;
  readonly now: () => Date;
}

export interface OfOtherApp {
  readonly issued_to: string;
  readonly client: { readonly app: Pick<OAuthApp, "client_id" | "organization_id" | "owner_id"> };
  readonly server: EvidenceSources;
}

/**
 * Returns the evidence for a code or token of another app. It names that app only if both apps have the same
 * organization or owner.
 */
export async function otherApp(
  name: string,
  { issued_to, client: { app }, server }: OfOtherApp,
): Promise<Pieces<"other_app">> {
  const other = (await server.store.findClientOfApp(issued_to))?.app;
  const ownerOf = (row: typeof app) => ownerOnRow("oauth_apps", row);
  return other !== undefined && sharesOwner(ownerOf(other), ownerOf(app))
    ? evidence("other_app", name, app.client_id, other.client_id)
    : fact("other_app", name, "another_app", app.client_id);
}

const inactiveFacts = {
  revoked: "app_revoked",
  inactive: "app_inactive",
  organization_inactive: "organization_inactive",
  active: "organization_inactive",
} as const;

export function inactiveClient(client: ClientRecord): Pieces<"client_inactive"> {
  return fact("client_inactive", "client_id", inactiveFacts[stateOfClient(client)]);
}

export interface Ended {
  readonly dependency: Dependent & Pick<OAuthToken, "session_id">;
  readonly server: EvidenceSources;
}

export async function whyEnded(name: string, { dependency, server }: Ended): Promise<Pieces<"ended">> {
  const { app_id, user_id, session_id } = dependency;
  const { store, now } = server;
  const { dependencies } = await dependenciesOf(dependency, store);
  const session = session_id === null ? undefined : await store.find("sessions", { id: session_id });
  const consent = user_id === null ? undefined : await store.find("oauth_consents", { user_id, app_id });
  const ended = new Set<EvidenceFact>(
    dependencies.flatMap(({ noun, state }) => (state === "active" ? [] : [endedFacts[noun]])),
  );
  if (session_id !== null && (session === undefined || stateOfIdleSession(session, now()) !== "active"))
    ended.add("session_ended");
  if (consent !== undefined && stateOfConsent(consent) !== "active") ended.add("consent_ended");
  return [...ended].flatMap((each) => fact("ended", name, each));
}

const endedFacts = {
  app: "app_ended",
  app_organization: "app_ended",
  user: "user_ended",
  grant: "consent_ended",
  membership: "membership_ended",
  membership_organization: "membership_ended",
  service_account: "service_account_ended",
  service_account_organization: "service_account_ended",
  key_pair: "key_pair_ended",
} as const satisfies Record<Dependency["noun"], EvidenceFact>;

export interface PresentedToken {
  readonly found: { readonly half: "access_token" | "refresh_token"; readonly row: OAuthToken } | undefined;
  readonly server: EvidenceSources;
}

export function whyNotActive({
  found,
  server,
}: PresentedToken): Pieces<"unknown_credential" | "revoked" | "expired"> | Promise<Pieces<"ended">> {
  const name = "access_token";
  if (found === undefined) return fact("unknown_credential", name, "not_issued");
  if (found.half !== "access_token") return fact("unknown_credential", name, "not_access_token");
  const { row } = found;
  const now = server.now();
  const state = stateOfAccess(row, now);
  if (state === "revoked") return revokedToken(name, row);
  if (state === "expired") {
    return expired(name)({ created_at: row.created_at, expires_at: row.access_expires_at, now });
  }
  return whyEnded(name, { dependency: row, server });
}

export type Revoked = Pick<OAuthToken, "revoked_reason" | "revoked_at">;

export function revokedToken(name: string, { revoked_reason, revoked_at }: Revoked): Pieces<"revoked"> {
  const facts = [revoked_reason, revoked_at?.toISOString()].filter((each) => typeof each === "string");
  return evidence("revoked", name, facts);
}
