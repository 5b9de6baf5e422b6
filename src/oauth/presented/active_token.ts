/** Finds the token that is presented, and whether it is active now: its row and each record it depends on. */
import { accessTokenSignature, credentialPrefix, findSignature } from "../../crypto/credentials.ts";
import type { OAuthToken, User } from "../../records/definition/definition.ts";
import { stateOfAccess, stateOfRefresh } from "../../records/names/liveness.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { dependenciesOf, type KnownAccount } from "../../records/rules/dependencies.ts";
import type { Member } from "../../records/rules/member.ts";
import type { Sender, TokenType } from "../core/authorization.ts";
import { offersFeature, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { requireBinding, requireProofAlgorithmAtResource } from "../dpop/sender.ts";

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

/** How a token came: a client asks about it, or its holder presents it with the keys that it proved. */
export type Presentation =
  | "asked_about"
  | { readonly scheme: TokenType; readonly sender: Sender | undefined };

/** A token that is alive, with the records it depends on. */
export interface ActiveToken extends FoundToken {
  readonly client: ClientRecord;
  readonly user: User | undefined;
  /** The membership whose organization it is for; undefined if it is for none. */
  readonly member: Member | undefined;
  readonly service_account: KnownAccount | undefined;
  readonly expires_at: Date;
}

/**
 * The token if it is alive: not revoked, spent or expired, and each record that it depends on is active
 * (design 6.18). Throws `invalid_token` if it is presented otherwise than it is bound (RFC 9449 7).
 */
export async function activeToken(
  found: FoundToken,
  presentation: Presentation,
  server: AuthorizationServer,
): Promise<ActiveToken | undefined> {
  const { row, half } = found;
  const expires_at = half === "access_token" ? row.access_expires_at : row.refresh_expires_at;
  const state =
    half === "access_token" ? stateOfAccess(row, server.now()) : stateOfRefresh(row, server.now());
  if (state !== "active" || expires_at === null) return undefined;
  if (presentation !== "asked_about") requireBinding(row, presentation);
  const { dependencies, client, user, member, service_account } = await dependenciesOf(row, server.store);
  if (client === undefined || dependencies.some((dependency) => dependency.state !== "active"))
    return undefined;
  if (presentation !== "asked_about") {
    requireProofAlgorithmAtResource(presentation.sender, rulesFor(client.app, server));
  }
  return { ...found, client, user, member, service_account, expires_at };
}

/** An access token in the header `Authorization` (RFC 6750 2.1, RFC 9449 7.1). */
export interface PresentedToken {
  readonly scheme: TokenType;
  readonly text: string;
}

/** Undefined if the scheme is another; schemes have no case (RFC 9110 11.1). */
export function readAccessToken(
  authorization: string,
  server: AuthorizationServer,
): PresentedToken | "malformed" | undefined {
  const named = /^\w+/.exec(authorization)?.[0].toLowerCase();
  const schemes: readonly TokenType[] = offersFeature(server, "dpop") ? ["Bearer", "DPoP"] : ["Bearer"];
  const scheme = schemes.find((each) => each.toLowerCase() === named);
  if (scheme === undefined) return undefined;
  const text = /^ +([A-Za-z0-9._~+/-]+=*) *$/.exec(authorization.slice(scheme.length))?.[1];
  return text === undefined ? "malformed" : { scheme, text };
}
