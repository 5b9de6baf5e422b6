import type { FastifyReply, FastifyRequest } from "fastify";
import type { Detail } from "../errors/details.ts";
import { OAuthError, type OAuthErrorCode, Problem } from "../errors.ts";
import { describesItself, offersFeature } from "../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { currentNonce, dpopAlgorithms } from "../oauth/dpop/proof.ts";
import { refusalUri } from "../oauth/refusals/note_refusal.ts";
import { isRefusal } from "../oauth/refusals/refuse.ts";
import { metadataAddress, resourceAt } from "../oauth/resources/protected_resources.ts";
import { demandsOnAll } from "../records/names/profiles.ts";
import { InsufficientSignIn } from "./fresh_sign_in.ts";
import { targetOf } from "./target.ts";

/** `presented` states whether the request contained a credential (RFC 6750, section 3.1). */
export class UnknownCaller extends Problem {
  readonly presented: boolean;
  /** The OAuth error of the token or of its DPoP proof (RFC 6750, section 3.1; RFC 9449, section 7.1). */
  readonly refused: OAuthErrorCode;

  constructor(presented: boolean, explanation: Detail, refused: OAuthErrorCode = "invalid_token") {
    super("unauthorized", explanation);
    this.name = "UnknownCaller";
    this.presented = presented;
    this.refused = refused;
  }
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The scopes that the route requires, separated by spaces, for the challenge of a 401 or 403. */
    scope?: string;
  }
}

interface Challenged {
  readonly short_id: string | undefined;
  readonly server: AuthorizationServer;
}

interface Challenger {
  readonly path: string;
  readonly scope?: string | undefined;
  readonly server: AuthorizationServer;
}

interface TokenError {
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  readonly error_uri?: string | undefined;
  readonly scope?: string | undefined;
  /** The required sign-in level (RFC 9470, section 3). */
  readonly acr_values?: string | undefined;
  readonly max_age?: string | undefined;
}

export function challenge(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  challenged: Challenged,
): void {
  const text = challengeOf(error, request, challenged);
  if (text !== undefined) reply.header("www-authenticate", text);
  if (wantsNonce(error)) reply.header("dpop-nonce", currentNonce(challenged.server));
}

/**
 * Challenges for client credentials follow RFC 6749, section 5.2 and RFC 7617; those for tokens follow RFC
 * 6750, section 3 and RFC 9449, section 7.1.
 */
function challengeOf(
  error: unknown,
  request: FastifyRequest,
  { short_id, server }: Challenged,
): string | undefined {
  const at = { path: targetOf(request).path, scope: request.routeOptions.config.scope, server };
  if (isRefusal(error, "access_token_missing")) return tokenChallenge({}, at);
  if (error instanceof UnknownCaller) {
    return tokenChallenge({ error: error.presented ? error.refused : undefined }, at);
  }
  if (error instanceof InsufficientSignIn) {
    const { acr: acr_values, max_age } = error;
    const wanted = { acr_values, max_age: String(max_age) };
    return tokenChallenge({ error: "insufficient_user_authentication", ...wanted }, at);
  }
  if (error instanceof Problem) {
    // A browser session has no scopes, so none can be missing.
    const isToken = request.headers.authorization !== undefined && describesItself(server);
    if (!isToken || error.detail.code !== "scope_needed") return undefined;
    return tokenChallenge({ error: "insufficient_scope", scope: error.detail.params.scope }, at);
  }
  if (!(error instanceof OAuthError)) return undefined;
  const error_uri = short_id === undefined ? undefined : refusalUri(short_id, server);
  const { code, status, description } = error;
  return refusalChallenge({ code, status, description, error_uri }, at);
}

interface CodedRefusal {
  /** An `OAuthErrorCode`; the test kit may use any code. */
  readonly code: string;
  readonly status: number;
  readonly description: string;
  readonly error_uri?: string | undefined;
}

function refusalChallenge(
  { code, status, description, error_uri }: CodedRefusal,
  at: Challenger,
): string | undefined {
  if (code === "invalid_client") return `Basic realm="${at.server.issuer}", charset="UTF-8"`;
  if (status !== 401 && code !== "insufficient_scope") return undefined;
  const scope = code === "insufficient_scope" ? (at.scope ?? "openid") : undefined;
  return tokenChallenge({ error: code, description, error_uri, scope }, at);
}

/** Returns those of the headers `WWW-Authenticate` and `DPoP-Nonce` that an OAuth error requires. */
export function challengeHeaders(refusal: CodedRefusal, at: Challenger): Record<string, string> {
  const text = refusalChallenge(refusal, at);
  return {
    ...(text !== undefined && { "www-authenticate": text }),
    ...(refusal.code === "use_dpop_nonce" && { "dpop-nonce": currentNonce(at.server) }),
  };
}

function tokenChallenge(
  { error, description, error_uri, scope, ...sign_in }: TokenError,
  at: Challenger,
): string {
  const { server } = at;
  const { issuer } = server;
  // A client that knows only the resource finds this server through the metadata URL (RFC 9728, section 5.1).
  const metadata = describesItself(server) ? metadataAddress(resourceAt(at.path), server) : undefined;
  const wanted = scope ?? (metadata && at.scope);
  const more = Object.entries({
    error,
    error_description: description,
    error_uri,
    scope: wanted,
    ...sign_in,
    resource_metadata: metadata,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `, ${name}="${value}"`)
    .join("");
  const bearer = `Bearer realm="${issuer}"${more}`;
  if (!offersFeature(server, "dpop")) return bearer;
  const algorithms = dpopAlgorithms(demandsOnAll(server.settings)).join(" ");
  const dpop = `DPoP realm="${issuer}"${more}, algs="${algorithms}"`;
  return error === "invalid_dpop_proof" || error === "use_dpop_nonce" ? dpop : `${bearer}, ${dpop}`;
}

/**
 * Returns whether the client must repeat the request with a nonce in its DPoP proof (RFC 9449, sections 8 and
 * 9).
 */
function wantsNonce(error: unknown): boolean {
  const code = error instanceof UnknownCaller ? error.refused : error instanceof OAuthError && error.code;
  return code === "use_dpop_nonce";
}
