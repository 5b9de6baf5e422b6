/** The OAuth requests of the scenarios and checks. */
import { createHash } from "node:crypto";
import { type ClientCredentials, type RunningServer, redirect_uri, scope } from "./contender.ts";
import type { Step } from "./load_plan.ts";

/** Encodes `application/x-www-form-urlencoded`, but keeps the placeholders of the load generator. */
export function form(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString().replaceAll("%7B", "{").replaceAll("%7D", "}");
}

/**
 * Returns the header of client_secret_basic. The client IDs and secrets of the benchmark need no
 * form-encoding (RFC 6749 section 2.3.1).
 */
export function basic({ client_id, client_secret }: ClientCredentials): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
}

/** Returns a step that posts a form with client authentication. */
export function posted(
  url: string,
  as: ClientCredentials,
  fields: Readonly<Record<string, string>>,
): Pick<Step, "method" | "target" | "headers" | "body"> {
  return {
    method: "POST",
    target: new URL(url).pathname,
    headers: {
      Authorization: basic(as),
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "application/json",
    },
    body: form(fields),
  };
}

const code_verifier = "a-code-verifier-of-the-benchmark-43-characters-or-more";

/**
 * Returns the query of an authorization request (RFC 6749 section 4.1.1, RFC 7636, OpenID Connect Core
 * 1.0 section 3.1.2.1).
 */
export function authorizationQuery({ web_client, resource, user_scope = scope }: RunningServer): string {
  return form({
    response_type: "code",
    client_id: web_client.client_id,
    redirect_uri,
    scope: `openid ${user_scope}`,
    state: "af0ifjsldkj-af0ifjsldkj",
    nonce: "n-0S6_WzA2Mj-n-0S6_WzA2Mj",
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...resource,
  });
}

/** Returns the form that redeems a code of the request in `authorizationQuery`. */
export function codeForm({ resource }: RunningServer, code: string): Record<string, string> {
  return { grant_type: "authorization_code", code, redirect_uri, code_verifier, ...resource };
}

export function refreshForm({ resource }: RunningServer, refresh_token: string): Record<string, string> {
  return { grant_type: "refresh_token", refresh_token, ...resource };
}

/** Returns the cookies that a response sets, in the format of the Cookie header. */
export function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().flatMap((cookie) => cookie.split(";", 1));
}

/** Returns the `code` of a redirect to the client. Throws if the response is different. */
export function codeOf(response: Response): string {
  const location = response.headers.get("location") ?? "";
  const code = URL.parse(location)?.searchParams.get("code");
  if (!location.startsWith(redirect_uri) || !code) {
    throw new Error(`the authorization request returned ${response.status}, ${location}`);
  }
  return code;
}
