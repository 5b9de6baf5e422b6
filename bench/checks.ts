/** Whether what a server answers is right: a fast wrong answer is a failure. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import type { ClientCredentials, RunningServer } from "./contender.ts";

export interface Endpoints {
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly introspection_endpoint: string;
  readonly jwks_uri: string;
}

/** The addresses that the server itself publishes (OpenID Connect Discovery 1.0, section 4). */
export async function discover(server: RunningServer): Promise<Endpoints> {
  return (await answerOf(new URL("/.well-known/openid-configuration", server.url))) as Endpoints;
}

/**
 * Issues tokens and asks about them. Throws where a JWT does not verify against the published keys, where a token just
 * issued is not found active, and where one that nobody issued is.
 */
export async function checkServer(server: RunningServer, endpoints: Endpoints): Promise<void> {
  await checkJwts(server, endpoints, [await issue(server, endpoints, server.jwt_request)]);
  const token = accessToken(await issue(server, endpoints, server.introspectable_request));
  if (!(await isActive(server, endpoints, token))) throw new Error("a token just issued is not active");
  if (await isActive(server, endpoints, `${token}x`)) throw new Error("a token that nobody issued is active");
}

/**
 * Checks token responses (RFC 6749 section 5.1) that hold JWT access tokens (RFC 9068): each verifies against the
 * published keys, each is another one, and where the server introspects JWTs each is found active. Throws otherwise.
 */
export async function checkJwts(
  server: RunningServer,
  endpoints: Endpoints,
  responses: readonly string[],
): Promise<void> {
  const keys = createLocalJWKSet((await answerOf(endpoints.jwks_uri)) as JSONWebKeySet);
  const ids = new Set<unknown>();
  for (const response of responses) {
    const token = accessToken(response);
    const { payload } = await jwtVerify(token, keys, {
      issuer: endpoints.issuer,
      typ: "at+jwt",
      algorithms: ["RS256"],
      requiredClaims: ["exp", "iat", "jti", "client_id"],
    });
    if (payload.client_id !== server.client.client_id) throw new Error("a token names another client");
    ids.add(payload.jti);
    if (server.introspects_jwts && !(await isActive(server, endpoints, token))) {
      throw new Error("a token answered under load is not active");
    }
  }
  if (ids.size !== responses.length) throw new Error("two answers hold the same token");
}

/** Checks introspection responses (RFC 7662 section 2.2) about the client's tokens. Throws where one is not as it must be. */
export function checkIntrospections(server: RunningServer, responses: readonly string[]): void {
  for (const response of responses) {
    const { active, client_id, exp } = JSON.parse(response) as Record<string, unknown>;
    if (active !== true || client_id !== server.client.client_id || typeof exp !== "number") {
      throw new Error(`an introspection answered ${response}`);
    }
  }
}

/** The token in a token response. */
export function accessToken(response: string): string {
  const { access_token } = JSON.parse(response) as Record<string, unknown>;
  if (typeof access_token !== "string") throw new Error("a token response holds no access_token");
  return access_token;
}

/** The header of client_secret_basic. The names and secrets of the benchmark need no form-encoding (RFC 6749 section 2.3.1). */
export function basic({ client_id, client_secret }: ClientCredentials): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
}

async function issue(
  server: RunningServer,
  { token_endpoint }: Endpoints,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  return JSON.stringify(await answerOf(token_endpoint, post(server.client, form)));
}

async function isActive(
  server: RunningServer,
  { introspection_endpoint }: Endpoints,
  token: string,
): Promise<boolean> {
  const answer = await answerOf(introspection_endpoint, post(server.introspector, { token }));
  return (answer as { active: unknown }).active === true;
}

function post(as: ClientCredentials, form: Readonly<Record<string, string>>): RequestInit {
  return { method: "POST", headers: { authorization: basic(as) }, body: new URLSearchParams(form) };
}

async function answerOf(url: string | URL, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 300)}`);
  return JSON.parse(body);
}
