/** UserInfo (OpenID Connect Core 5.3) for a bearer of one of our access tokens (RFC 6750). */
import { OAuthError } from "../errors.ts";
import type { User } from "../records/definition.ts";
import type { RequestOrigin } from "../records/people.ts";
import { isForThisServer } from "./audience.ts";
import { whyNotActive } from "./credential_evidence.ts";
import { evidence, fact } from "./evidence.ts";
import { findToken, liveToken } from "./live_token.ts";
import type { Params } from "./params.ts";
import type { AuthorizationServer } from "./server.ts";

/** No token came at all: the challenge names no error then (RFC 6750 3.1). */
export class NoTokenError extends OAuthError {
  constructor() {
    super("invalid_token", "no access token in the request", {
      evidence: evidence("missing", "Authorization"),
    });
    this.name = "NoTokenError";
  }
}

export interface UserinfoRequest {
  readonly authorization: string | undefined;
  /** The form of a POST. */
  readonly params: Params | undefined;
  readonly requester: RequestOrigin;
}

/**
 * The claims that each scope releases, from the User record (OpenID Connect Core 5.4). Absent values are left
 * out.
 */
const claimsOf: Readonly<Record<string, (user: User) => Record<string, unknown>>> = {
  profile: ({ name, avatar_url, updated_at }) => ({
    name,
    ...(avatar_url !== null && { picture: avatar_url }),
    updated_at: Math.floor(updated_at.getTime() / 1000),
  }),
  email: ({ email }) => ({ email }),
};

/** Every claim that userinfo may hold. */
export const userinfoClaims = ["sub", "name", "picture", "updated_at", "email"] as const;

/**
 * The claims about the token's user. Throws `NoTokenError`, `invalid_token`, `insufficient_scope`,
 * `invalid_request`.
 */
export async function userinfo(
  request: UserinfoRequest,
  server: AuthorizationServer,
): Promise<Record<string, unknown>> {
  const found = await findToken(bearerToken(request), server);
  const live = found?.half === "access_token" ? await liveToken(found, server) : undefined;
  if (live === undefined) {
    throw new OAuthError("invalid_token", "the access token is not active", {
      // Its organization is not known without another look-up.
      app: found && { id: found.row.app_id, organization_id: null },
      evidence: whyNotActive(found, server),
    });
  }
  const { row, user, client } = live;
  // Asked first: a token without openid is for others for that very reason, and the scope is what it lacks.
  if (user === undefined || !row.scopes.includes("openid")) {
    throw new OAuthError("insufficient_scope", "the access token needs the scope openid", {
      app: client.app,
      evidence: evidence("scope_lacking", "scope", row.scopes, ["openid"]),
    });
  }
  // A token for another resource is not for this one, though it is ours (RFC 9068 4, RFC 8707 2).
  if (!isForThisServer(row.audience, server.issuer)) {
    throw new OAuthError("invalid_token", "the access token is for another audience", {
      app: client.app,
      evidence: evidence("audience", "aud", row.audience, [server.issuer]),
    });
  }
  server.store.queueUse("oauth_tokens", row.id, server.now());
  return Object.assign({ sub: user.id }, ...row.scopes.map((scope) => ownClaims(scope, user)));
}

function ownClaims(scope: string, user: User): Record<string, unknown> {
  return Object.hasOwn(claimsOf, scope) ? (claimsOf[scope]?.(user) ?? {}) : {};
}

/** RFC 6750 2: one way of sending the token in each request, never the query. */
function bearerToken({ authorization, params }: UserinfoRequest): string {
  const inForm = params?.get("access_token");
  if (params?.repeated !== undefined) {
    throw new OAuthError("invalid_request", "a parameter is repeated", {
      evidence: evidence("repeated", params.repeated),
    });
  }
  if (authorization === undefined) {
    if (inForm === undefined) throw new NoTokenError();
    return inForm;
  }
  if (inForm !== undefined) {
    throw new OAuthError("invalid_request", "the access token came in two ways", {
      evidence: fact("authorization_header", "access_token", "two_ways"),
    });
  }
  const match = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization);
  if (match?.[1] === undefined) {
    throw /^bearer\b/i.test(authorization)
      ? new OAuthError("invalid_token", "the access token is malformed", {
          evidence: fact("unknown_credential", "access_token", "not_shaped"),
        })
      : new NoTokenError();
  }
  return match[1];
}
