/** The authorization endpoint (spec 4.1, RFC 6749 4.1.1). */

import type { ApiResource, Organization, User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { isUnverifiableRedirect } from "../../records/formats/redirect_uris.ts";
import { isSignUpOpen } from "../../records/formats/sign_up.ts";
import type { Acr } from "../../records/names/sign_in_methods.ts";
import { type ClientRecord, ownerName } from "../../records/rules/client_record.ts";
import { consentedScopes, consentInForce, isConsentedFor } from "../../records/rules/consented_scopes.ts";
import type { Member } from "../../records/rules/member.ts";
import type { Params } from "../core/params.ts";
import { rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import {
  maySignIn,
  notAdmitted,
  type OrganizationChoice,
  organizationFor,
  requireScopesOfRoles,
} from "../organizations/context.ts";
import { refuse } from "../refusals/refuse.ts";
import { defaultAudience } from "../resources/audience.ts";
import { allowedScopes, coversScopes } from "../resources/requested.ts";
import {
  type AuthorizationRequest,
  identifyClient,
  keepIdentified,
  readRequest,
} from "./authorization_request.ts";
import { consentForm } from "./consent_form.ts";
import { readInteraction, refuseOtherUser, signInFor, stepOfStranger, stepUpFor } from "./interaction.ts";
import { issueCode } from "./issue_code.ts";
import { type ResolvedRequest, resolveRequest } from "./pushed_request.ts";
import { type AnswerOutcome, answerWithError } from "./response_modes.ts";

export interface ConsentOutcome {
  readonly type: "consent";
  readonly url: string;
  /**
   * True if `url` refers to a pushed request (RFC 9126): the server then ignores all parameters of `url`
   * except `client_id` and `request_uri`.
   */
  readonly is_reference: boolean;
  readonly ui_locales: string | undefined;
  readonly client: ClientRecord;
  readonly owner_name: string | undefined;
  readonly scopes: readonly { readonly name: string; readonly already_granted: boolean }[];
  readonly resources: readonly ApiResource[];
  readonly redirect_uri: string;
  readonly organization: Organization | undefined;
  readonly first_time: boolean;
  /**
   * True if earlier consents do not count, because the redirect URI does not prove which app sent the request
   * (RFC 8252 8.6).
   */
  readonly unverified: boolean;
  readonly form: string;
}

interface OrganizationOutcome extends OrganizationChoice {
  readonly type: "select_organization";
  readonly url: string;
  readonly is_reference: boolean;
  readonly client: ClientRecord;
  readonly ui_locales: string | undefined;
}

/** `answer` reports `access_denied` to the client, because the user may not use the app. */
interface MembersOnlyOutcome {
  readonly type: "members_only";
  readonly url: string;
  readonly is_reference: boolean;
  readonly client: ClientRecord;
  readonly ui_locales: string | undefined;
  readonly answer: AnswerOutcome;
}

export type AuthorizeOutcome =
  | { readonly type: "login"; readonly url: string }
  | { readonly type: "register"; readonly url: string; readonly client: ClientRecord }
  | { readonly type: "step_up"; readonly url: string; readonly acr: Acr }
  | {
      readonly type: "select_account";
      readonly url: string;
      readonly client: ClientRecord;
      readonly redirect_uri: string;
      readonly ui_locales: string | undefined;
      readonly signedIn: SignedIn;
    }
  | OrganizationOutcome
  | MembersOnlyOutcome
  | ConsentOutcome
  | AnswerOutcome;

export interface AuthorizeInput {
  readonly params: Params;
  /** Path and query of the request. */
  readonly url: string;
  readonly signedIn: SignedIn | undefined;
  readonly origin: RequestOrigin;
  readonly organization?: {
    readonly chosen?: string | undefined;
    readonly search?: string | undefined;
    readonly denied?: boolean;
  };
}

/**
 * Checks an authorization request and returns the next step or the response to the client (design 6.3). If no
 * redirect is safe, throws an `OAuthError` that must be shown to the user.
 */
export async function authorize(
  { params, url: received, signedIn, origin, organization: answered }: AuthorizeInput,
  server: AuthorizationServer,
): Promise<AuthorizeOutcome> {
  const lookUp = { for: "authorize", origin } as const;
  const resolved = await resolveRequest({ params, url: received }, server, lookUp);
  const { url, pushed } = resolved;
  const found = await identifyClient(resolved.params, lookUp, server);
  const identified =
    signedIn === undefined ? found : await keepIdentified(found, { signedIn, origin }, server);
  try {
    const { app, organization } = identified.client;
    const interaction = readInteraction(identified.params, app);
    const silent = interaction.prompt.has("none");
    const registers = interaction.prompt.has("create") && isSignUpOpen(organization, server.settings.sign_up);
    const context = { url, now: server.now(), registers };
    const register = { type: "register", url, client: identified.client } as const;
    if (signedIn === undefined) {
      if (stepOfStranger(interaction, context) === "register") return register;
      if (silent) throw refuse("not_signed_in");
      return { type: "login", url };
    }
    const signIn = signInFor(interaction, signedIn, context);
    if (signIn.required === "register") return register;
    if (signIn.required === "sign_in") {
      const { auth_time } = signIn.authentication;
      if (silent) throw refuse("auth_age", { ...context, ...interaction, authenticated_at: auth_time });
      return { type: "login", url };
    }
    const read = await readRequest(identified, server, { pushed: pushed !== undefined });
    const stepped = await steppedUp(read, signedIn.user, server);
    if (signIn.required === "select_account") {
      const { client, redirect_uri } = identified;
      return {
        type: "select_account",
        url,
        client,
        redirect_uri,
        ui_locales: identified.params.get("ui_locales"),
        signedIn,
      };
    }
    await refuseOtherUser(interaction, signedIn, server);
    const acr = await stepUpFor(
      { requested: interaction.requested_acr, app, methods: signIn.methods, silent, signedIn },
      server,
    );
    if (acr !== undefined) return { type: "step_up", url, acr };
    const turnedAway = async (member?: Member): Promise<MembersOnlyOutcome | AnswerOutcome | undefined> => {
      if (await maySignIn(signedIn.user, app, server, member)) return undefined;
      const refused = { endpoint: "/oauth/authorize", identified, signedIn, origin };
      const answer = answerWithError(refuse(notAdmitted(app, "authorize")), refused, server);
      if (silent) return answer;
      const ui_locales = identified.params.get("ui_locales");
      const is_reference = pushed !== undefined;
      return { type: "members_only", url, is_reference, client: identified.client, ui_locales, answer };
    };
    if (answered?.denied) throw refuse("denied");
    const refused = await turnedAway();
    if (refused !== undefined) return refused;
    const scopes = stepped.requested_scopes;
    const wanted = { named: stepped.organization, scopes, ...answered, silent };
    const place = await organizationFor(wanted, app, signedIn.user, server);
    if (place !== undefined && "organizations" in place) {
      const { client } = identified;
      const ui_locales = identified.params.get("ui_locales");
      return {
        type: "select_organization",
        ...{ url, client, ui_locales, is_reference: pushed !== undefined },
        ...place,
      };
    }
    const member = place;
    const refusedHere = member && (await turnedAway(member));
    if (refusedHere !== undefined) return refusedHere;
    const request = grantable(stepped, member, server);
    const asked = { request, member, prompt: interaction.prompt };
    const question = await consentQuestion(asked, signedIn, resolved, server);
    if (question === undefined) {
      return await issueCode({ request, member, pushed, signedIn, signIn, origin }, server);
    }
    if (silent) throw refuse("consent", scopesOf(question));
    return question;
  } catch (error) {
    return answerWithError(error, { endpoint: "/oauth/authorize", identified, signedIn, origin }, server);
  }
}

/**
 * Removes scopes of `role_bound` APIs if no app role of the user grants them. Throws `access_denied` if no
 * requested scope remains.
 */
export function grantable(
  request: AuthorizationRequest,
  member: Member | undefined,
  server: AuthorizationServer,
): AuthorizationRequest {
  const { client, requested_scopes, resources: named } = request;
  const resources = named.length > 0 ? named : defaultAudience(client, requested_scopes, server).resources;
  const bound = { resources, member, app: client.app };
  return { ...request, requested_scopes: requireScopesOfRoles(requested_scopes, bound, "authorize") };
}

function scopesOf({ scopes }: ConsentOutcome) {
  const requested = scopes.map(({ name }) => name);
  const allowed = scopes.flatMap(({ name, already_granted }) => (already_granted ? [name] : []));
  return { requested, allowed };
}

interface AskedRequest {
  readonly request: AuthorizationRequest;
  readonly member: Member | undefined;
  readonly prompt: ReadonlySet<string>;
}

/**
 * Returns the consent question for the user, or undefined if none is needed (spec 2.6, 2.10, design 6.16).
 */
export async function consentQuestion(
  { request, member, prompt }: AskedRequest,
  { user, session }: SignedIn,
  { params, url, pushed }: ResolvedRequest,
  server: AuthorizationServer,
): Promise<ConsentOutcome | undefined> {
  const { client, redirect_uri, requested_scopes, resources } = request;
  const { app } = client;
  const organization = member?.organization;
  // An earlier consent must include the organization too, because consent in one organization does not count
  // in another (OC-3).
  const places = organization === undefined ? resources : [...resources, organization];
  if (app.first_party && !prompt.has("consent")) return undefined;
  const consent = await consentInForce(user, app, server);
  const unverified =
    rulesFor(app, server).consent_again === "unverifiable_redirects" && isUnverifiableRedirect(redirect_uri);
  const before = consent === undefined ? [] : consentedScopes(consent, places);
  const allowed =
    consent !== undefined && isConsentedFor(consent, places) && coversScopes(before, requested_scopes);
  if (allowed && !unverified && !prompt.has("consent")) {
    server.store.queueUse("oauth_consents", consent.id, server.now());
    return undefined;
  }
  const owner = client.organization ?? (await server.store.findUser(app.owner_id));
  return {
    type: "consent",
    url,
    is_reference: pushed !== undefined,
    ui_locales: params.get("ui_locales"),
    client,
    owner_name: ownerName(owner),
    scopes: requested_scopes.map((name) => ({
      name,
      already_granted: before.includes(name),
    })),
    resources,
    organization,
    redirect_uri,
    first_time: consent === undefined,
    unverified,
    form: consentForm(
      {
        url,
        document_hash: app.document_hash,
        scopes: requested_scopes,
        resource_ids: resources.map(({ id }) => id),
        ...(organization !== undefined && { organization_id: organization.id }),
      },
      session.id,
      server,
    ),
  };
}

/**
 * If the client's rules have `steps_up`, a request with a new scope also gets those scopes of the earlier
 * consent that are still allowed (PR-27). Many clients request only the scopes that they lack.
 */
export async function steppedUp(
  request: AuthorizationRequest,
  user: User,
  server: AuthorizationServer,
): Promise<AuthorizationRequest> {
  const { client, requested_scopes, resources } = request;
  if (!rulesFor(client.app, server).scopes.steps_up) return request;
  const consent = await consentInForce(user, client.app, server);
  const earlier = consent === undefined ? [] : consentedScopes(consent, resources);
  if (coversScopes(earlier, requested_scopes)) return request;
  const available = allowedScopes(client, resources);
  const kept = earlier.filter((name) => available.includes(name) && !requested_scopes.includes(name));
  return { ...request, requested_scopes: [...requested_scopes, ...kept] };
}
