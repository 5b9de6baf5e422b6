/** Verifies the responses of a server, because a fast wrong response would otherwise count as fast. */
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { ClientCredentials, RunningServer } from "./contender.ts";
import { authorizationQuery, basic, codeForm, codeOf, refreshForm } from "./requests.ts";

/**
 * The endpoints from the server's discovery document (OpenID Connect Discovery 1.0, section 4). Their origin
 * is replaced by the address to which the benchmark sends its requests.
 */
export interface Endpoints {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly introspection_endpoint: string;
  readonly revocation_endpoint: string;
  /** Empty if the server has none. */
  readonly userinfo_endpoint: string;
  readonly jwks_uri: string;
}

export const discoveryPath = "/.well-known/openid-configuration";

export async function discover(server: RunningServer): Promise<Endpoints> {
  const published = (await answerOf(new URL(discoveryPath, server.url))) as Record<string, string>;
  const here = (name: string) => {
    const path = URL.parse(published[name] ?? "")?.pathname;
    return path === undefined ? "" : new URL(path, server.url).href;
  };
  return {
    issuer: published.issuer ?? "",
    authorization_endpoint: here("authorization_endpoint"),
    token_endpoint: here("token_endpoint"),
    introspection_endpoint: here("introspection_endpoint"),
    revocation_endpoint: here("revocation_endpoint"),
    userinfo_endpoint: here("userinfo_endpoint"),
    jwks_uri: here("jwks_uri"),
  };
}

/**
 * Issues tokens and introspects them. Throws if a JWT does not verify against the published keys, if a new
 * token is not active, or if a token that was never issued is active.
 */
export async function checkServer(server: RunningServer, endpoints: Endpoints): Promise<void> {
  if (!server.issues_tokens) return;
  const { client, jwt_request, introspectable_request } = server;
  const issued = await redeem(endpoints, client, jwt_request);
  await checkTokens(server, endpoints, client, [JSON.stringify(issued)]);
  const { access_token } = await redeem(endpoints, client, introspectable_request);
  if (!(await isActive(server, endpoints, access_token)))
    throw new Error("a token that was just issued is not active");
  if (await isActive(server, endpoints, `${access_token}x`))
    throw new Error("a token that was never issued is active");
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/**
 * Checks token responses (RFC 6749 section 5.1) with JWT access tokens (RFC 9068). Throws if an access token
 * is not unique, does not verify against the published keys, or is reported as inactive although it is
 * `still_active`. Throws if an id_token does not verify, has another audience than the client, or has another
 * subject (OpenID Connect Core 1.0, section 3.1.3.7). If the server does not introspect JWTs, introspection
 * is skipped.
 */
export async function checkTokens(
  server: RunningServer,
  endpoints: Endpoints,
  { client_id }: ClientCredentials,
  responses: readonly string[],
  { still_active }: { still_active: boolean } = { still_active: true },
): Promise<void> {
  const keys = createLocalJWKSet((await answerOf(endpoints.jwks_uri)) as JSONWebKeySet);
  const { issuer } = endpoints;
  const ids = new Set<unknown>();
  for (const response of responses) {
    const { access_token, id_token } = tokenAnswer(response);
    const { payload } = await jwtVerify(access_token, keys, {
      issuer,
      typ: "at+jwt",
      algorithms: [server.algorithm],
      requiredClaims: ["exp", "iat", "jti", "client_id"],
    });
    if (payload.client_id !== client_id) throw new Error("a token names another client");
    ids.add(payload.jti);
    if (still_active && server.introspects_jwts && !(await isActive(server, endpoints, access_token))) {
      throw new Error("a token issued under load is not active");
    }
    if (id_token === undefined) continue;
    const id = await jwtVerify<JWTPayload>(id_token, keys, {
      issuer,
      audience: client_id,
      algorithms: [server.algorithm],
    });
    if (id.payload.sub !== payload.sub)
      throw new Error("the subjects of an id_token and its access token differ");
  }
  if (ids.size !== responses.length) throw new Error("two responses have the same token");
}

/**
 * Checks token responses of a user. Throws if one lacks the access token, the refresh token or the id_token.
 */
export async function checkUserTokens(
  server: RunningServer,
  endpoints: Endpoints,
  responses: readonly string[],
  options?: { still_active: boolean },
): Promise<void> {
  await checkTokens(server, endpoints, server.web_client, responses, options);
  for (const response of responses) {
    const { id_token, refresh_token } = tokenAnswer(response);
    if (!id_token || !refresh_token) throw new Error("a token response lacks the ID token or refresh token");
  }
}

/**
 * Checks introspection responses (RFC 7662 section 2.2) about the client's tokens. Throws if one is
 * wrong.
 */
export function checkIntrospections(server: RunningServer, responses: readonly string[]): void {
  for (const response of responses) {
    const { active, client_id, exp } = JSON.parse(response) as Record<string, unknown>;
    if (active !== true || client_id !== server.client.client_id || typeof exp !== "number") {
      throw new Error(`an introspection returned ${response}`);
    }
  }
}

/** Throws if one of these tokens is active. */
export async function checkRevoked(
  server: RunningServer,
  endpoints: Endpoints,
  tokens: readonly string[],
): Promise<void> {
  for (const token of tokens) {
    if (await isActive(server, endpoints, token)) throw new Error("a revoked token is still active");
  }
}

/** Returns the tokens in a token response. Throws if it has no access token. */
export function tokenAnswer(response: string): TokenAnswer {
  const answer = JSON.parse(response) as TokenAnswer;
  if (typeof answer.access_token !== "string") throw new Error("a token response has no access_token");
  return answer;
}

/** Completes a code flow in the browser with these cookies. Throws if it does not end with tokens. */
export async function flow(
  server: RunningServer,
  endpoints: Endpoints,
  cookie: string,
): Promise<TokenAnswer> {
  const requested = await fetch(`${endpoints.authorization_endpoint}?${authorizationQuery(server)}`, {
    headers: { cookie },
    redirect: "manual",
  });
  return redeem(endpoints, server.web_client, codeForm(server, codeOf(requested)));
}

/** Redeems a refresh token. Throws if the response has no tokens. */
export function refreshed(
  server: RunningServer,
  endpoints: Endpoints,
  refresh_token: string,
): Promise<TokenAnswer> {
  return redeem(endpoints, server.web_client, refreshForm(server, refresh_token));
}

async function redeem(
  { token_endpoint }: Endpoints,
  as: ClientCredentials,
  fields: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  return tokenAnswer(JSON.stringify(await answerOf(token_endpoint, post(as, fields))));
}

async function isActive(
  server: RunningServer,
  { introspection_endpoint }: Endpoints,
  token: string,
): Promise<boolean> {
  const answer = await answerOf(introspection_endpoint, post(server.introspector, { token }));
  return (answer as { active: unknown }).active === true;
}

function post(as: ClientCredentials, fields: Readonly<Record<string, string>>): RequestInit {
  return { method: "POST", headers: { authorization: basic(as) }, body: new URLSearchParams(fields) };
}

async function answerOf(url: string | URL, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 300)}`);
  return JSON.parse(body);
}
