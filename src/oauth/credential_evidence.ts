/**
 * Why a code or token is not usable, found out behind the answer: its presenter is told less, and waits for
 * none of it.
 */

import { type ClientRecord, isUsableSince, stateOfClient } from "../records/client_record.ts";
import type { OAuthApp, OAuthToken } from "../records/definition.ts";
import { type EvidenceKind, type EvidenceOf, evidence, fact, secondsBetween } from "../records/evidence.ts";
import { stateOfAccess, stateOfConsent, stateOfIdleSession, stateSince } from "../records/liveness.ts";
import type { Store } from "../storage/store.ts";

/** Where it is found out: of the server. */
export interface EvidenceSources {
  readonly store: Pick<Store, "find" | "findClientOfApp" | "findUser">;
  readonly now: () => Date;
}

type Pieces<K extends EvidenceKind> = readonly EvidenceOf<K>[];

/** The client that presents a credential. */
export interface Presenter {
  readonly app: Pick<OAuthApp, "client_id" | "organization_id" | "owner_id">;
}

/**
 * A credential that was issued to another app than presents it. Which one that is, is told only where the
 * same organization manages both, or the same person owns both.
 */
export function otherApp(
  name: string,
  issued_to: string,
  { app }: Presenter,
  { store }: EvidenceSources,
): () => Promise<Pieces<"other_app">> {
  return async () => {
    const other = (await store.findClientOfApp(issued_to))?.app;
    const together =
      other !== undefined &&
      other.organization_id === app.organization_id &&
      (app.organization_id !== null || other.owner_id === app.owner_id);
    return together
      ? evidence("other_app", name, app.client_id, other.client_id)
      : fact("other_app", name, "another_app", app.client_id);
  };
}

const inactiveFacts = {
  revoked: "app_revoked",
  inactive: "app_inactive",
  organization_inactive: "organization_inactive",
  active: "organization_inactive",
} as const;

/** Why a client is not usable. */
export function inactiveClient(client: ClientRecord): Pieces<"client_inactive"> {
  return fact("client_inactive", "client_id", inactiveFacts[stateOfClient(client)]);
}

/** What a code or a token stands on. */
export interface Ground {
  readonly app_id: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly created_at: Date;
}

/** What of that which a code or refresh token stands on has ended since it was made. */
export async function whyEnded(
  name: string,
  { app_id, user_id, session_id, created_at }: Ground,
  { store, now }: EvidenceSources,
): Promise<Pieces<"ended">> {
  const client = await store.findClientOfApp(app_id);
  const user = user_id === null ? undefined : await store.findUser(user_id);
  const session = session_id === null ? undefined : await store.find("sessions", { id: session_id });
  const consent = user_id === null ? undefined : await store.find("oauth_consents", { user_id, app_id });
  const app_ended = client === undefined || !isUsableSince(client, created_at);
  const user_ended = user_id !== null && (user === undefined || stateSince(user, created_at) !== "active");
  const session_ended =
    session_id !== null && (session === undefined || stateOfIdleSession(session, now()) !== "active");
  return [
    ...(app_ended ? fact("ended", name, "app_ended") : []),
    ...(user_ended ? fact("ended", name, "user_ended") : []),
    ...(session_ended ? fact("ended", name, "session_ended") : []),
    ...(consent !== undefined && stateOfConsent(consent) !== "active"
      ? fact("ended", name, "consent_ended")
      : []),
  ];
}

/** The row of a token, and which of its two halves was presented. */
export interface PresentedToken {
  readonly half: "access_token" | "refresh_token";
  readonly row: OAuthToken;
}

/** Why an access token that was presented as a bearer's is not active. */
export function whyNotActive(
  found: PresentedToken | undefined,
  server: EvidenceSources,
): Pieces<"unknown_credential" | "revoked" | "expired"> | Promise<Pieces<"ended">> {
  const name = "access_token";
  if (found === undefined) return fact("unknown_credential", name, "not_issued");
  if (found.half !== "access_token") return fact("unknown_credential", name, "not_access_token");
  const { row } = found;
  const { created_at, access_expires_at } = row;
  const now = server.now();
  const state = stateOfAccess(row, now);
  if (state === "revoked") return revokedToken(name, row);
  if (state === "expired") {
    return evidence(
      "expired",
      name,
      secondsBetween(created_at, now),
      secondsBetween(created_at, access_expires_at),
    );
  }
  return whyEnded(name, row, server);
}

export type Revoked = Pick<OAuthToken, "revoked_reason" | "revoked_at">;

/** A token that was revoked: why, in the word that is stored, and when. */
export function revokedToken(name: string, { revoked_reason, revoked_at }: Revoked): Pieces<"revoked"> {
  const facts = [revoked_reason, revoked_at?.toISOString()].filter((each) => typeof each === "string");
  return evidence("revoked", name, facts);
}
