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

interface FoundToken {
  readonly half: TokenHalf;
  readonly row: OAuthToken;
}

/**
 * Returns the record of a presented token regardless of its state. The look-up uses a hash of the whole
 * token, so a token altered anywhere, including its signature, is not found
 * (docs/decisions/keys-and-signatures.md). Access tokens and refresh tokens have different formats, so
 * `token_type_hint` is not used (RFC 7662 2.1).
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

/** `asked_about`: a client introspects the token. Otherwise, its holder presents it. */
type Presentation = "asked_about" | { readonly scheme: TokenType; readonly sender: Sender | undefined };

export interface ActiveToken extends FoundToken {
  readonly client: ClientRecord;
  readonly user: User | undefined;
  readonly member: Member | undefined;
  readonly service_account: KnownAccount | undefined;
  readonly expires_at: Date;
}

/**
 * Returns the token if it and every record that it depends on are active (design 6.18). Throws
 * `invalid_token` if the scheme or the sender's key does not fit the token (RFC 9449 7). Throws
 * `invalid_dpop_proof` if the client may not use the algorithm of the proof.
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

export interface PresentedToken {
  readonly scheme: TokenType;
  readonly text: string;
}

/**
 * Returns the access token in an `Authorization` header; undefined for another scheme, and `malformed` if no
 * token follows. Schemes are case-insensitive (RFC 9110 11.1).
 */
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
