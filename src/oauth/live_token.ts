/** Finding the token that somebody presents, and whether it is alive now: the row and everything it stands on. */
import { accessTokenSignature, credentialPrefix, findSignature } from "../crypto/credentials.ts";
import { type ClientRecord, clientStands } from "../records/client_record.ts";
import type { OAuthToken, User } from "../records/definition.ts";
import type { AuthorizationServer } from "./server.ts";

export type TokenHalf = "access_token" | "refresh_token";

export interface FoundToken {
  readonly half: TokenHalf;
  readonly row: OAuthToken;
}

/**
 * The row of a presented token, whatever its state. It is looked up by a hash of the whole token, so that one altered
 * anywhere, signature included, finds nothing (docs/decisions: signatures begin with time). The two kinds of token
 * have different shapes: no hint is needed and a wrong one does no harm (RFC 7662 2.1).
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
  readonly expires_at: Date;
}

/** The token if it is alive: not revoked, spent or expired, and everything it stands on still stands (design 6.18). */
export async function liveToken(
  found: FoundToken,
  server: AuthorizationServer,
): Promise<LiveToken | undefined> {
  const { row, half } = found;
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  if (row.revoked || expires_at === null || expires_at <= server.now()) return undefined;
  if (half === "refresh_token" && row.rotated_at !== null) return undefined;
  const { store } = server;
  const client = await store.findClientOfApp(row.app_id);
  if (client === undefined || !clientStands(client)) return undefined;
  if (endedSince(client.app, row) || endedSince(client.organization, row)) return undefined;
  const user = row.user_id === null ? undefined : await store.findUser(row.user_id);
  if (row.user_id !== null && (!user?.active || endedSince(user, row))) return undefined;
  if (row.service_account_id !== null) {
    const account = await store.findServiceAccount(row.service_account_id);
    if (!account?.active || endedSince(account, row)) return undefined;
    if (account.organization?.active === false || endedSince(account.organization, row)) return undefined;
  }
  return { ...found, client, user, expires_at };
}

/** Whether the record was ended after the token was made. */
function endedSince(record: { tokens_not_before: Date | null } | undefined, row: OAuthToken): boolean {
  const ended = record?.tokens_not_before ?? null;
  return ended !== null && row.created_at <= ended;
}
