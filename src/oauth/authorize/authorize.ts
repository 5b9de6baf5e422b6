/**
 * The authorization endpoint (spec 4.1, RFC 6749 4.1.1): a request is read, decided upon and answered by a
 * named outcome.
 */
import { OAuthError } from "../../errors.ts";
import type { ClientRecord } from "../../records/client_record.ts";
import type { Organization } from "../../records/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/people.ts";
import { isUnverifiableRedirect } from "../../records/redirect_uris.ts";
import type { Params } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import { coversScopes } from "../scope.ts";
import type { AuthorizationServer } from "../server.ts";
import {
  type AuthorizationRequest,
  identifyClient,
  readPrompt,
  readRequest,
} from "./authorization_request.ts";
import { consentForm } from "./consent_form.ts";
import { hintedUser, pendingParams, requiredInteraction } from "./fresh_sign_in.ts";
import { issueCode } from "./issue_code.ts";
import { type RedirectOutcome, redirectWithError } from "./redirect_back.ts";

/** What the person is asked: who asks, what for, as whom, and where the browser will go. */
export interface ConsentOutcome {
  readonly type: "consent";
  readonly url: string;
  readonly client: ClientRecord;
  readonly owner_name: string | undefined;
  readonly scopes: readonly { readonly name: string; readonly already_granted: boolean }[];
  readonly redirect_uri: string;
  /** The person never allowed this client anything. */
  readonly first_time: boolean;
  /** Nobody can assure that it is this client who asks (RFC 8252 8.6). */
  readonly unverified: boolean;
  /** The sealed request that the answer brings back. */
  readonly form: string;
}

export type AuthorizeOutcome =
  | { readonly type: "login"; readonly url: string }
  | {
      readonly type: "select_account";
      readonly url: string;
      readonly client: ClientRecord;
      readonly signedIn: SignedIn;
    }
  | ConsentOutcome
  | RedirectOutcome;

export interface AuthorizeInput {
  readonly params: Params;
  /**
   * Path and query as they were received: the request carries itself through sign-in and consent (design,
   * section 4).
   */
  readonly url: string;
  readonly signedIn: SignedIn | undefined;
  readonly requester: RequestOrigin;
}

/**
 * Answers an authorization request. Throws the `OAuthError`s that are for the person because nowhere is safe
 * to redirect; every other error is a redirect. The order is design 6.3's.
 */
export async function authorize(
  input: AuthorizeInput,
  server: AuthorizationServer,
): Promise<AuthorizeOutcome> {
  const { params, url, signedIn } = input;
  const identified = await identifyClient(params, server);
  try {
    const silent = readPrompt(params).has("none");
    if (signedIn === undefined) {
      if (silent) throw refuse("not_signed_in");
      return { type: "login", url };
    }
    const demand = requiredInteraction(params, url, signedIn, server.now());
    if (demand === "sign_in" && silent) {
      const { authenticated_at } = signedIn.session;
      throw refuse("auth_age", { authenticated_at, now: server.now(), max_age: params.get("max_age") });
    }
    if (demand === "sign_in") return { type: "login", url };
    const request = readRequest(params, identified);
    if (demand === "select_account")
      return { type: "select_account", url, client: identified.client, signedIn };
    const hinted = await hintedUser(params, server);
    if (hinted !== undefined && hinted !== signedIn.user.id) throw refuse("other_user");
    const question = await consentQuestion(request, signedIn, url, server);
    if (question === undefined) return await issueCode(request, url, signedIn, input.requester, server);
    if (silent) {
      const granted = question.scopes.filter(({ already_granted }) => already_granted);
      const names = (scopes: ConsentOutcome["scopes"]) => scopes.map(({ name }) => name);
      throw refuse("consent", { requested: names(question.scopes), allowed: names(granted) });
    }
    return question;
  } catch (error) {
    const { requester } = input;
    const refused = { endpoint: "/oauth/authorize", params, identified, signedIn, requester };
    return redirectWithError(error, refused, server);
  }
}

/**
 * What the person must be asked; undefined when nothing: first party, or allowed before (spec 2.6, 2.10,
 * design 6.16).
 */
async function consentQuestion(
  request: AuthorizationRequest,
  { user, session }: SignedIn,
  url: string,
  server: AuthorizationServer,
): Promise<ConsentOutcome | undefined> {
  const { client, redirect_uri, requested_scopes, prompt } = request;
  const { app } = client;
  if (app.first_party && !prompt.has("consent")) return undefined;
  const consent = await server.store.findConsent(user.id, app.id);
  const unverified = (app.public || app.app_type === "native") && isUnverifiableRedirect(redirect_uri);
  const allowed = consent !== undefined && coversScopes(consent.scopes, requested_scopes);
  if (allowed && !unverified && !prompt.has("consent")) {
    server.store.queueUse("oauth_consents", consent.id, server.now());
    return undefined;
  }
  const owner = client.organization ?? (await server.store.findUser(app.owner_id));
  return {
    type: "consent",
    url,
    client,
    owner_name: owner?.name,
    scopes: requested_scopes.map((name) => ({
      name,
      already_granted: consent?.scopes.includes(name) ?? false,
    })),
    redirect_uri,
    first_time: consent === undefined,
    unverified,
    form: consentForm(url, session.id, server),
  };
}

/** What the login page says of the request that waits behind it; `url` is its path and query. */
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
    const params = pendingParams(url);
    const { client, redirect_uri } = await identifyClient(params, server);
    const login_hint = params.get("login_hint");
    const { organization } = client;
    return {
      client_name: client.app.name,
      ...(organization !== undefined && { organization }),
      redirect_uri,
      ...(login_hint !== undefined && { login_hint }),
    };
  } catch (error) {
    // The login page serves any pending address; the authorization endpoint will say what is wrong with this
    // one.
    if (error instanceof OAuthError) return {};
    throw error;
  }
}
