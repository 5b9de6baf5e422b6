/** An authorization request that waits behind the login page, carried as its path and query. */
import { OAuthError } from "../../errors.ts";
import type { Organization } from "../../records/definition.ts";
import type { SignedIn } from "../../records/people.ts";
import { type Params, readForm } from "../params.ts";
import type { AuthorizationServer } from "../server.ts";
import { identifyClient } from "./authorization_request.ts";
import {
  isSatisfied,
  type RequiredInteraction,
  readInteraction,
  requiredInteraction,
} from "./interaction.ts";

export function pendingParams(url: string): Params {
  const question = url.indexOf("?");
  return readForm(question === -1 ? "" : url.slice(question + 1));
}

/** The step that a person who is signed in still has to take for it; a malformed request asks for none. */
export function pendingInteraction(
  url: string,
  signedIn: SignedIn,
  server: AuthorizationServer,
): RequiredInteraction {
  const now = server.now();
  try {
    const satisfied = isSatisfied(url, signedIn, now);
    return requiredInteraction(readInteraction(pendingParams(url)), signedIn, satisfied, now);
  } catch (error) {
    // A malformed request is for the authorization endpoint to refuse.
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

/** What the login page says of it. */
export async function describePending(
  url: string,
  server: AuthorizationServer,
): Promise<{
  client_name?: string;
  organization?: Organization;
  login_hint?: string;
  redirect_uri?: string;
}> {
  if (!url.startsWith("/oauth/authorize?")) return {};
  try {
    const { client, redirect_uri, params } = await identifyClient(pendingParams(url), server);
    const { login_hint } = readInteraction(params);
    const { organization } = client;
    return {
      client_name: client.app.name,
      ...(organization !== undefined && { organization }),
      redirect_uri,
      ...(login_hint !== undefined && { login_hint }),
    };
  } catch (error) {
    // The login page serves any pending address; the authorization endpoint refuses a wrong one.
    if (error instanceof OAuthError) return {};
    throw error;
  }
}
