/**
 * Finding the token that somebody presents, and whether it is alive now: the row and everything it stands on.
 */

import { accessTokenSignature, credentialPrefix, findSignature } from "../crypto/credentials.ts";
import { type ClientRecord, isUsableSince } from "../records/client_record.ts";
import type { OAuthToken, ServiceAccount, User } from "../records/definition.ts";
import { type EndableRecord, stateOfAccess, stateOfRefresh, stateSince } from "../records/liveness.ts";
import { readRequestData, type TokenRequestData } from "../records/request_data.ts";
import type { AuthorizationServer } from "./server.ts";

const isActiveSince = (record: EndableRecord | undefined, made_at: Date) =>
  record !== undefined && stateSince(record, made_at) === "active";

export type TokenHalf = "access_token" | "refresh_token";

export interface FoundToken {
  readonly half: TokenHalf;
  readonly row: OAuthToken;
}

/**
 * The row of a presented token, whatever its state. It is looked up by a hash of the whole token, so that one
 * altered anywhere, signature included, finds nothing (docs/decisions: signatures begin with time). The two
 * kinds of token have different shapes: no hint is needed and a wrong one does no harm (RFC 7662 2.1).
 */
export async function findToken(
  presented: string,
  { store }: AuthorizationServer,
): Promise<FoundToken | undefined> {
  const refresh = findSignature(credentialPrefix.refresh_token, presented);
  if (refresh !== undefined) {
    const row = await store.findByRefreshToken(refresh);
    return row && { half: "refresh_token", row };
  }
  const access = accessTokenSignature(presented);
  const row = access && (await store.findByAccessToken(access));
  return row && { half: "access_token", row };
}

/** A token that is alive, with the records it stands on. */
export interface LiveToken extends FoundToken {
  readonly client: ClientRecord;
  readonly user: User | undefined;
  readonly service_account: ServiceAccount | undefined;
  readonly expires_at: Date;
}

/**
 * The token if it is alive: not revoked, spent or expired, and everything it stands on still stands (design
 * 6.18).
 */
export async function liveToken(
  found: FoundToken,
  server: AuthorizationServer,
): Promise<LiveToken | undefined> {
  const { row, half } = found;
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  const state =
    half === "access_token" ? stateOfAccess(row, server.now()) : stateOfRefresh(row, server.now());
  if (state !== "active" || expires_at === null) return undefined;
  const { store } = server;
  const client = await store.findClientOfApp(row.app_id);
  if (client === undefined || !isUsableSince(client, row.created_at)) return undefined;
  const user = row.user_id === null ? undefined : await store.findUser(row.user_id);
  if (row.user_id !== null && !isActiveSince(user, row.created_at)) return undefined;
  const service_account =
    row.service_account_id === null ? undefined : await activeAccount(row, row.service_account_id, server);
  if (row.service_account_id !== null && service_account === undefined) return undefined;
  return { ...found, client, user, service_account, expires_at };
}

/** The account of the token, if it, its organization and its key are still active. */
async function activeAccount(
  row: OAuthToken,
  id: string,
  server: AuthorizationServer,
): Promise<ServiceAccount | undefined> {
  const account = await server.store.findServiceAccount(id);
  if (account === undefined || !isActiveSince(account, row.created_at)) return undefined;
  const { organization } = account;
  if (organization !== undefined && !isActiveSince(organization, row.created_at)) return undefined;
  return (await isKeyKept(row, server)) ? account : undefined;
}

/**
 * A service account's token stands on the key that signed the assertion, and ends when that is revoked or
 * deleted.
 */
async function isKeyKept({ request_data }: OAuthToken, { store }: AuthorizationServer): Promise<boolean> {
  const { key_pair_id } = readRequestData<TokenRequestData>(request_data);
  if (key_pair_id === undefined) return true;
  const key = await store.find("service_account_key_pairs", { id: key_pair_id });
  return key !== undefined && !key.revoked;
}
