/** The steps of a flow as a test expresses them, without HTTP. */
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { type AuthorizeOutcome, authorize } from "../../src/oauth/authorize/authorize.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import type { TokenResponse } from "../../src/oauth/core/authorization.ts";
import { readForm } from "../../src/oauth/core/params.ts";
import type { EndpointRequest } from "../../src/oauth/core/server.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../src/records/definition/request_origin.ts";
import type { TestServer } from "./authorization_server.ts";
import { aSecret, aSession, later } from "./builders.ts";

export const origin: RequestOrigin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

/** A verifier and its challenge (RFC 7636 4.1). */
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = sha256Base64url(verifier);

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns `application/x-www-form-urlencoded` text; a list repeats its parameter, and undefined omits it. */
export function formOf(parameters: Parameters): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of typeof value === "string" ? [value] : (value ?? [])) form.append(name, each);
  }
  return form.toString();
}

/** Creates a user who has just signed in. */
export async function signedIn({ store, clock }: TestServer, user: User): Promise<SignedIn> {
  const now = clock.now();
  const session = await aSession(store, {
    user_id: user.id,
    authenticated_at: now,
    last_seen_at: now,
    created_at: now,
    expires_at: later(604_800, now),
  });
  return { session, user };
}

/** Returns a complete request for a code; the arguments replace its parameters. */
export function authorizeParameters(app: OAuthApp, overrides: Parameters = {}): Parameters {
  return {
    response_type: "code",
    client_id: app.client_id,
    redirect_uri: app.redirect_uris[0],
    scope: "openid",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...overrides,
  };
}

/** Sends a request to the authorization endpoint. */
export function ask(
  test: TestServer,
  who: SignedIn | undefined,
  parameters: Parameters,
): Promise<AuthorizeOutcome> {
  const form = formOf(parameters);
  return authorize(
    { params: readForm(form), url: `/oauth/authorize?${form}`, signedIn: who, origin },
    test.server,
  );
}

/** Requests a code, and consents; returns the parameters of the redirect. */
export async function authorizeAndConsent(
  test: TestServer,
  who: SignedIn,
  parameters: Parameters,
): Promise<URLSearchParams> {
  let outcome = await ask(test, who, parameters);
  if (outcome.type === "consent") {
    const { form } = outcome;
    outcome = await answerConsent({ form, decision: "allow", signedIn: who, origin }, test.server);
  }
  return redirected(outcome);
}

/** Returns the parameters of a redirect; fails on any other outcome. */
export function redirected(outcome: AuthorizeOutcome): URLSearchParams {
  if (outcome.type !== "redirect") throw new Error(`expected a redirect, got ${outcome.type}`);
  return new URL(outcome.location).searchParams;
}

/** Returns the Authorization header of client_secret_basic (RFC 6749 2.3.1). */
export function basic(client_id: string, secret: string): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
  return `Basic ${Buffer.from(`${encode(client_id)}:${encode(secret)}`).toString("base64")}`;
}

/** Returns a request to the token, introspection or revocation endpoint. */
export function endpointRequest(parameters: Parameters, authorization?: string): EndpointRequest {
  return { params: readForm(formOf(parameters)), authorization, origin };
}

/** Returns the credentials of a client; a confidential one gets a new secret. */
export async function credentialsOf(test: TestServer, app: OAuthApp): Promise<string | undefined> {
  if (app.public) return undefined;
  const value = `secret of ${app.client_id}`;
  await aSecret(test.store, {
    app_id: app.id,
    secret_hash: await test.server.passwords.hash(value),
    secret_prefix: "secr",
  });
  return basic(app.client_id, value);
}

/** Redeems a grant at the token endpoint. */
export function redeem(
  test: TestServer,
  app: OAuthApp,
  authorization: string | undefined,
  parameters: Parameters,
): Promise<TokenResponse> {
  const client_id = authorization === undefined ? app.client_id : undefined;
  return token(endpointRequest({ client_id, ...parameters }, authorization), test.server);
}

/** Runs a code flow from the request to the tokens. */
export async function codeFlow(
  test: TestServer,
  app: OAuthApp,
  authorization: string | undefined,
  who: SignedIn,
  overrides: Parameters = {},
): Promise<TokenResponse & { code: string }> {
  const answer = await authorizeAndConsent(test, who, authorizeParameters(app, overrides));
  const code = answer.get("code");
  if (code === null) throw new Error(`no code: ${answer.get("error")} ${answer.get("error_description")}`);
  const tokens = await redeem(test, app, authorization, codeParameters(app, code));
  return { ...tokens, code };
}

/** Returns the parameters that redeem a code of `authorizeParameters`. */
export function codeParameters(app: OAuthApp, code: string, overrides: Parameters = {}): Parameters {
  return {
    grant_type: "authorization_code",
    code,
    redirect_uri: app.redirect_uris[0],
    code_verifier: verifier,
    ...overrides,
  };
}
