import type { OAuthApp } from "../../records/definition/definition.ts";
import { isSecureRedirect } from "../../records/formats/redirect_uris.ts";
import { evidence, fact, secondsBetween } from "../../records/names/evidence.ts";
import { responseTypes } from "../../records/names/names.ts";
import {
  allowedGrants,
  expired,
  invalidRequest,
  type Lifetime,
  missing,
  type Requested,
  refusalsOf,
  type Texts,
  unauthorizedClient,
  verifierLengths,
} from "./catalogued.ts";
import { inactiveClient } from "./credential_evidence.ts";
import { nearestFirst } from "./nearest.ts";

const loginRequired = refusalsOf("login_required");

type Received = Texts<"received">;

export interface Aged {
  readonly authenticated_at: Date | undefined;
  readonly now: Date;
  readonly max_age: string | undefined;
}

const notSupported = (name: "request" | "request_uri" | "registration") =>
  refusalsOf(`${name}_not_supported`)(`the parameter ${name} is not supported`, () =>
    evidence("not_supported", name),
  );

const unpostable = (needed: string) =>
  invalidRequest(`response_mode=form_post requires ${needed}`, () =>
    evidence("one_of", "response_mode", "form_post", ["query"]),
  );

/** Refusals of authorization requests (RFC 6749 4.1.1, OpenID Connect Core 3.1.2). */
export const authorizationRefusals = {
  // The next refusals are shown to the user, because there is no safe redirect.
  client_id: invalidRequest(
    "no client with this client_id is registered",
    ({ client_id }: Texts<"client_id">) => evidence("client_id", "client_id", client_id),
  ),
  client_inactive: invalidRequest("the client is not active", inactiveClient),
  redirect_uri: invalidRequest(
    "redirect_uri is not registered for this client",
    ({ redirect_uri, app }: { redirect_uri: string; app: Pick<OAuthApp, "redirect_uris"> }) =>
      evidence("redirect_uri", "redirect_uri", redirect_uri, nearestFirst(redirect_uri, app.redirect_uris)),
  ),
  redirect_uri_insecure: invalidRequest(
    "this client requires an https redirect_uri whose host is not loopback",
    ({ redirect_uri, app }: { redirect_uri: string; app: Pick<OAuthApp, "redirect_uris"> }) =>
      evidence("redirect_uri", "redirect_uri", redirect_uri, app.redirect_uris.filter(isSecureRedirect)),
  ),
  identifying_parameter_repeated: invalidRequest(
    ({ name }: { name: string; times: number }) => `the parameter ${name} must not be repeated`,
    ({ name, times }) => evidence("repeated", name, String(times), "1"),
  ),
  // The next refusals are sent to the client in the authorization response.
  request_not_supported: notSupported("request"),
  request_uri_not_supported: notSupported("request_uri"),
  registration_not_supported: notSupported("registration"),
  response_type: refusalsOf("unsupported_response_type")(
    "response_type must be code",
    ({ received }: Received) => evidence("one_of", "response_type", received, responseTypes),
  ),
  response_type_not_allowed: unauthorizedClient(
    "the client is not allowed to use this response_type",
    ({ allowed_response_types }: Pick<OAuthApp, "allowed_response_types">) =>
      evidence("allowed_response_types", "response_type", "code", allowed_response_types),
  ),
  code_grant_not_allowed: unauthorizedClient(
    "the client is not allowed to use the authorization code grant",
    (app: Pick<OAuthApp, "allowed_grants">) => allowedGrants("authorization_code", app),
  ),
  response_mode: invalidRequest(
    ({ offered }: Received & { offered: readonly string[] }) =>
      `response_mode must be ${offered.join(" or ")}`,
    ({ received, offered }) => evidence("one_of", "response_mode", received, offered),
  ),
  form_post_redirect_uri: unpostable("an http or https redirect_uri"),
  form_post_state: unpostable("that state has no line breaks"),
  prompt_none: invalidRequest(
    "prompt=none cannot be combined with other values",
    ({ received }: { received: readonly string[] }) => evidence("one_of", "prompt", received, ["none"]),
  ),
  max_age: invalidRequest("max_age must be a whole number of seconds", ({ received }: Received) =>
    evidence("malformed", "max_age", received, "0 – 9999999999"),
  ),
  id_token_hint: invalidRequest("id_token_hint is not an ID token issued by this server", () =>
    fact("id_token_hint", "id_token_hint", "not_ours"),
  ),
  not_signed_in: loginRequired("the user is not signed in; retry without prompt=none", () =>
    evidence("not_signed_in", "prompt", "none"),
  ),
  auth_age: loginRequired(
    "the sign-in is older than max_age; retry without prompt=none",
    ({ authenticated_at: from, now, max_age }: Aged) =>
      evidence("auth_age", "max_age", from === undefined ? null : secondsBetween(from, now), max_age),
  ),
  acr_not_held: loginRequired(
    "the sign-in does not meet the required authentication level; retry without prompt=none",
    ({ held, requested }: { held: string | undefined; requested: readonly string[] }) =>
      evidence("acr_not_held", "acr_values", held ?? null, requested),
  ),
  acr_unreachable: refusalsOf("unmet_authentication_requirements")(
    "the user has no authenticator that meets the authentication level this client requires",
    ({ highest, requested }: { highest: string | undefined; requested: readonly string[] }) =>
      evidence("acr_unreachable", "require_acr", highest ?? null, requested),
  ),
  other_user: loginRequired("the signed-in user is not the user named by id_token_hint", () =>
    fact("other_user", "id_token_hint", "another_user"),
  ),
  organizations_differ: invalidRequest(
    "the request names more than one organization",
    ({ received }: { received: readonly string[] }) => evidence("organization", "organization", received),
  ),
  // The same description for an organization that does not exist and for one that the user is not a member of
  // (OC-1).
  organization: refusalsOf("access_denied")(
    "the user is not a member of the requested organization",
    ({ received }: Received) => evidence("organization", "organization", received),
  ),
  members_only: refusalsOf("access_denied")(
    "the user is not a member of an organization whose members may sign in to this client",
    () => evidence("not_admitted", "who_may_sign_in"),
  ),
  role_or_group_lacking: refusalsOf("access_denied")(
    "only users with certain roles or in certain groups may sign in to this client, and the user is not one of them",
    () => evidence("not_admitted", "who_may_sign_in"),
  ),
  app_role_lacking: refusalsOf("access_denied")(
    "none of the user's app roles grants a requested scope",
    ({ requested, allowed }: Requested) => evidence("scope", "scope", requested, allowed),
  ),
  organization_lacking: refusalsOf("access_denied")(
    "this client requires an organization, and the user is not a member of any",
    () => evidence("not_admitted", "organization_mode"),
  ),
  organization_not_chosen: refusalsOf("interaction_required")(
    "the user must choose an organization; name one in the request or retry without prompt=none",
    () => evidence("organization", "organization"),
  ),
  consent: refusalsOf("consent_required")(
    "the user has not consented to this request; retry without prompt=none",
    ({ requested, allowed }: Requested) => evidence("consent", "scope", requested, allowed),
  ),
  denied: refusalsOf("access_denied")("the user denied the request", () =>
    evidence("denied", "decision", "deny"),
  ),
};

const invalidReference = refusalsOf("invalid_request_uri");

export const pushedRefusals = {
  // The next refusals are returned to the client that pushes a request.
  pushed_reference: invalidRequest(
    ({ name }: Texts<"name">) => `the parameter ${name} is not allowed in a pushed request`,
    ({ name }) => evidence("not_supported", name),
  ),
  pushed_too_long: refusalsOf("invalid_request", 413)(
    ({ most }: { length: number; most: number }) => `the pushed request is longer than ${most} characters`,
    ({ length, most }) => evidence("too_large", "body", String(length), String(most)),
  ),
  pushed_too_many: refusalsOf("temporarily_unavailable", 429)(
    "this client has too many unused pushed requests; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
  // The next refusals are shown to the user, because the redirect URI is known only from the pushed request.
  pushed_unknown: invalidReference("request_uri was not issued to this client", () =>
    fact("pushed_request", "request_uri", "not_issued"),
  ),
  pushed_expired: invalidReference(
    "the pushed request has expired; start again from the application",
    (lifetime: Lifetime) => [
      ...fact("pushed_request", "request_uri", "expired"),
      ...expired("request_uri")(lifetime),
    ],
  ),
  pushed_used: invalidReference("the pushed request was already used; start again from the application", () =>
    fact("pushed_request", "request_uri", "used"),
  ),
  // This refusal is sent to the client in the authorization response.
  push_required: invalidRequest("this client must use pushed authorization requests (RFC 9126)", () =>
    evidence("push_required", "request_uri"),
  ),
};

const consentForm = (why: string) => `the consent form ${why}; start again from the application`;

/** Refusals of submitted consent forms, shown to the user. */
export const consentFormRefusals = {
  consent_form_unreadable: invalidRequest(consentForm("cannot be read"), () =>
    fact("consent_form", "request", "unreadable"),
  ),
  consent_form_of_other_session: invalidRequest(consentForm("belongs to another session"), () =>
    fact("consent_form", "request", "other_session"),
  ),
  consent_form_too_old: invalidRequest(consentForm("has expired"), (lifetime: Lifetime) => [
    ...fact("consent_form", "request", "too_old"),
    ...expired("request")(lifetime),
  ]),
  consent_form_of_other_document: invalidRequest(
    consentForm("is out of date because the client metadata document has changed"),
    () => fact("consent_form", "request", "changed_meanwhile"),
  ),
  consent_form_answered: invalidRequest(consentForm("was already submitted"), () =>
    fact("consent_form", "request", "answered"),
  ),
};

const methodOfChallenge = (received: string | null, allowed: readonly string[]) =>
  evidence("pkce_method", "code_challenge_method", received, allowed);

/** Refusals of PKCE code challenges (RFC 7636 4.3, 4.4.1). */
export const challengeRefusals = {
  challenge_missing: invalidRequest(
    "code_challenge_method was sent without a code_challenge",
    missing("code_challenge"),
  ),
  pkce_required: invalidRequest("the parameter code_challenge is missing: this client must use PKCE", () =>
    evidence("pkce_required", "code_challenge"),
  ),
  challenge_method_missing: invalidRequest(
    "the parameter code_challenge_method is missing; it must be S256",
    ({ allowed }: Pick<Requested, "allowed">) => methodOfChallenge(null, allowed),
  ),
  challenge_method: invalidRequest(
    "code_challenge_method must be S256",
    ({ received, allowed }: Received & Pick<Requested, "allowed">) => methodOfChallenge(received, allowed),
  ),
  challenge_malformed: invalidRequest(
    "code_challenge must be 43 to 128 characters from A-Z a-z 0-9 - . _ ~",
    ({ received }: Received) =>
      evidence("pkce_challenge", "code_challenge", String(received.length), verifierLengths),
  ),
};
