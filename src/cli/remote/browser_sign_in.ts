/**
 * Signs the command line in through the browser (RFC 8252), with PKCE and a loopback redirect. A server that
 * allows this has `postern_cli_client_id` in its metadata.
 */
import type { AuthorizationServer, Client, TokenEndpointResponse } from "oauth4webapi";
import { manageScope, readScope } from "../../records/definition/permissions.ts";
import type { Terminal } from "../core/terminal.ts";
import { listenForRedirect } from "./loopback_redirect.ts";
import type { Session } from "./remotes.ts";

export interface SignInOptions {
  readonly reads: boolean;
  readonly fresh: boolean;
  readonly port: number;
  readonly seconds: number;
  /** Whether the browser is opened. The URL is printed in any case. */
  readonly opens: boolean;
}

/** An access token that expires within this many seconds is no longer sent. */
const margin = 30;

async function discover(url: string) {
  const oauth = await import("oauth4webapi");
  const issuer = new URL(url);
  // `exchange` has already refused plain http to other machines.
  const http = issuer.protocol === "http:" ? { [oauth.allowInsecureRequests]: true } : {};
  const as = await reached(url, async () => {
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http });
    return oauth.processDiscoveryResponse(issuer, response);
  });
  return { oauth, as, http };
}

/** Signs the user in at the server. On failure, throws an Error that says what the user can do. */
export async function signInByBrowser(
  url: string,
  { reads, fresh, port, seconds, opens }: SignInOptions,
  terminal: Terminal,
): Promise<Session> {
  const { oauth, as, http } = await discover(url);
  const client = clientOf(as, url);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  // Any website can redirect a browser to loopback, so a request with another `state` is ignored.
  const listening = await listenForRedirect(
    { port, path: "/callback", seconds },
    ({ searchParams }) => searchParams.get("state") === state,
  );
  const { redirect_uri, came } = listening;
  try {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri,
      response_type: "code",
      scope: reads ? readScope : manageScope,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      ...(fresh && { max_age: "0" }),
    });
    const address = authorizationAddress(as, url);
    address.search = String(
      as.pushed_authorization_request_endpoint === undefined
        ? query
        : await reached(url, async () => {
            const pushed = await oauth.pushedAuthorizationRequest(as, client, oauth.None(), query, http);
            const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, pushed);
            return new URLSearchParams({ client_id: client.client_id, request_uri });
          }),
    );
    terminal.err(`Sign in with this address in your browser:\n\n${address}\n\n`);
    if (opens) await terminal.openBrowser?.(address.href);
    terminal.err(`Waiting for the browser at ${redirect_uri} …\n`);
    const answer = await came;
    return await reached(url, async () => {
      const params = oauth.validateAuthResponse(as, client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        oauth.None(),
        params,
        redirect_uri,
        verifier,
        http,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
      return sessionOf(client, tokens, terminal.now());
    });
  } finally {
    listening.close();
  }
}

function clientOf(as: AuthorizationServer, url: string): Client {
  const { postern_cli_client_id: client_id } = as;
  if (typeof client_id === "string") return { client_id };
  throw new Error(
    `${url} does not allow command line sign-in. Its operator can enable it (POSTERN_EXTRA_FEATURES=cli). An API key works without it: --api-key-stdin.`,
  );
}

/**
 * Users type passwords on the sign-in page, so it must have the origin of the URL that they gave to the
 * command.
 */
function authorizationAddress({ authorization_endpoint }: AuthorizationServer, url: string): URL {
  const address = URL.parse(authorization_endpoint ?? "");
  if (address === null || address.origin !== new URL(url).origin)
    throw new Error(`${url} has its sign-in page on another origin.`);
  return address;
}

/** Returns the next tokens; undefined if the sign-in has ended. Throws if the server cannot be reached. */
export async function refreshSession(
  url: string,
  { client_id, refresh_token }: Session,
  now: () => Date,
): Promise<Session | undefined> {
  const { oauth, as, http } = await discover(url);
  const client = { client_id };
  try {
    return await reached(url, async () => {
      const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refresh_token, http);
      return sessionOf(client, await oauth.processRefreshTokenResponse(as, client, response), now());
    });
  } catch (error) {
    const { cause } = error as Error;
    const isEnded =
      cause instanceof oauth.ResponseBodyError && ["invalid_grant", "invalid_client"].includes(cause.error);
    if (isEnded || cause instanceof oauth.WWWAuthenticateChallengeError) return undefined;
    throw error;
  }
}

/** Ends the sign-in at the server (RFC 7009). Throws an Error if the server cannot be reached or refuses. */
export async function revokeSession(url: string, { client_id, refresh_token }: Session): Promise<void> {
  const { oauth, as, http } = await discover(url);
  await reached(url, async () => {
    const response = await oauth.revocationRequest(as, { client_id }, oauth.None(), refresh_token, http);
    await oauth.processRevocationResponse(response);
  });
}

function sessionOf({ client_id }: Client, tokens: TokenEndpointResponse, now: Date): Session {
  const { access_token, refresh_token, expires_in = 0 } = tokens;
  if (refresh_token === undefined) throw new Error("the server returned no refresh token");
  const expires_at = new Date(now.getTime() + expires_in * 1000).toISOString();
  return { client_id, access_token, refresh_token, expires_at };
}

export function isFresh({ expires_at }: Session, now: Date): boolean {
  return Date.parse(expires_at) - margin * 1000 > now.getTime();
}

async function reached<R>(url: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const { error: code, error_description: description, message } = error as Error & Record<string, unknown>;
    if (typeof code === "string") {
      const why = typeof description === "string" ? `: ${description}` : "";
      throw new Error(`${url} returned ${code}${why}`, { cause: error });
    }
    if (error instanceof TypeError && message === "fetch failed")
      throw new Error(`${url} cannot be reached.`, { cause: error });
    throw new Error(`${url} is not a Postern server, or its response is invalid (${message}).`, {
      cause: error,
    });
  }
}
