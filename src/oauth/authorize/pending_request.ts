/** Authorization requests whose path and query the sign-in pages pass on until the user has signed in. */
import { OAuthError } from "../../errors.ts";
import type { Organization } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { isSignUpOpen } from "../../records/formats/sign_up.ts";
import { provenName } from "../../records/rules/open_clients.ts";
import { readForm } from "../core/params.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { identifyClient } from "./authorization_request.ts";
import type { IdentifiedClient } from "./identified_client.ts";
import { type RequiredInteraction, readInteraction, signInFor } from "./interaction.ts";
import { type ResolvedRequest, resolveRequest } from "./pushed_request.ts";

/** Returns the authorization request in this path and query. Throws as the authorization endpoint would. */
export function pendingRequest(url: string, server: AuthorizationServer): Promise<ResolvedRequest> {
  const question = url.indexOf("?");
  const params = readForm(question === -1 ? "" : url.slice(question + 1));
  return resolveRequest({ params, url }, server, { for: "pending" });
}

/**
 * Returns the step that a signed-in user must still take for the pending request; undefined if none is left
 * or the request is not valid.
 */
export async function pendingInteraction(
  url: string,
  signedIn: SignedIn,
  server: AuthorizationServer,
): Promise<RequiredInteraction> {
  const now = server.now();
  try {
    const { params } = await pendingRequest(url, server);
    const anyClient = readInteraction(params, { require_acr: null });
    // Only `max_age` and `prompt=create` need the client's record, so a request without them needs no
    // look-up.
    if (anyClient.max_age === undefined && !anyClient.prompt.has("create"))
      return signInFor(anyClient, signedIn, { url, now, registers: false }).required;
    const { client } = await identifyClient(params, { for: "pending" }, server);
    const interaction = readInteraction(params, client.app);
    const registers =
      interaction.prompt.has("create") && isSignUpOpen(client.organization, server.settings.sign_up);
    const { required } = signInFor(interaction, signedIn, { url, now, registers });
    return required === "register" ? "sign_in" : required;
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

export const isPendingRequest = (url: string): boolean => url.startsWith("/oauth/authorize?");

/**
 * Returns the client, redirect URI and parameters of the pending request at `url`; undefined if `url` is not
 * an authorization request, or its client cannot be identified.
 */
export async function waitingClient(
  url: string,
  server: AuthorizationServer,
): Promise<IdentifiedClient | undefined> {
  if (!isPendingRequest(url)) return undefined;
  try {
    const { params } = await pendingRequest(url, server);
    return await identifyClient(params, { for: "pending" }, server);
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

export async function describePending(
  url: string,
  server: AuthorizationServer,
): Promise<{
  client_name?: string;
  organization?: Organization;
  login_hint?: string;
  redirect_uri?: string;
  ui_locales?: string;
}> {
  const waiting = await waitingClient(url, server);
  if (waiting === undefined) return {};
  const { client, redirect_uri, params } = waiting;
  const { login_hint } = readInteraction(params, client.app);
  const { organization } = client;
  const name = provenName(client.app);
  const ui_locales = params.get("ui_locales");
  return {
    ...(name !== undefined && { client_name: name }),
    ...(organization !== undefined && { organization }),
    redirect_uri,
    ...(ui_locales !== undefined && { ui_locales }),
    ...(login_hint !== undefined && { login_hint }),
  };
}

/** Returns the parameters of the pending request that are sent on to an external provider (EP-15). */
export async function wantedFreshness(
  url: string,
  server: AuthorizationServer,
): Promise<{ prompt?: "login" | "select_account"; max_age?: number; login_hint?: string }> {
  if (!isPendingRequest(url)) return {};
  try {
    const { params } = await pendingRequest(url, server);
    // The sign-in level that the app requires is left out, because the user steps up at this server and not
    // at the provider.
    const { prompt, max_age, login_hint } = readInteraction(params, { require_acr: null });
    const wanted = (["login", "select_account"] as const).find((each) => prompt.has(each));
    return {
      ...(wanted !== undefined && { prompt: wanted }),
      ...(max_age !== undefined && /^\d{1,10}$/.test(max_age) && { max_age: Number(max_age) }),
      ...(login_hint !== undefined && { login_hint }),
    };
  } catch (error) {
    if (error instanceof OAuthError) return {};
    throw error;
  }
}
