/** The authorization endpoint and the consent page (spec 4.1). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OAuthError } from "../../errors.ts";
import { pageBrand } from "../../http/branding.ts";
import { formOf } from "../../http/form.ts";
import { localeOf } from "../../http/language.ts";
import { openClientOnPage } from "../../http/open_client.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { equivalentGet, queryOf, shortEnough, targetOf } from "../../http/target.ts";
import type { AuthorizeOutcome, ConsentOutcome } from "../../oauth/authorize/authorize.ts";
import { requestOfForm } from "../../oauth/authorize/consent_form.ts";
import { isPendingRequest } from "../../oauth/authorize/pending_request.ts";
import { isReference } from "../../oauth/authorize/pushed_request.ts";
import { type Params, readForm, refuseRepeated } from "../../oauth/core/params.ts";
import { releasedDetails } from "../../oauth/organizations/claims.ts";
import { isForMembers } from "../../oauth/organizations/context.ts";
import { protocol } from "../../oauth/protocol.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { clientLinksOf } from "../../records/definition/client_links.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { describedIn, ownScopeDescription } from "../../records/formats/metadata.ts";
import { destination } from "../../records/formats/redirect_uris.ts";
import { membershipScopes, openidScopes, releasesPhone } from "../../records/names/names.ts";
import type { Html } from "../../web/html/html.ts";
import { consentPage } from "../../web/pages/consent_page.ts";
import { formPostPage, submitScriptHash } from "../../web/pages/form_post_page.ts";
import { type OpenConsentPage, openConsentPage } from "../../web/pages/open_consent_page.ts";
import { type OwnDescriptions, scopeDescriptions } from "../../web/scope_descriptions.ts";
import { codeOf } from "../../web/words/language.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { stepUpPath } from "../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { membersOnlyPage } from "./members_only.page.ts";
import { selectAccountPage } from "./select_account.page.ts";
import { selectOrganizationPage } from "./select_organization.page.ts";
import { registerHref } from "./sign_up_for.http.ts";

export function authorizeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server } = context;

  async function answer(
    params: Params,
    url: string,
    browser: BrowserState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn } = browser;
    const outcome = await protocol.authorize({ params, url, signedIn, origin: originOf(request) }, server);
    return sendOutcome(outcome, browser, request, reply, context);
  }

  // HEAD is not answered, because a GET issues an authorization code and consumes a pushed request.
  app.get("/oauth/authorize", { config: { errorFormat: "page" } }, async (request, reply) => {
    const url = shortEnough(targetOf(request).url);
    return answer(queryOf(request), url, await findBrowserState(request, context), request, reply);
  });

  app.post("/oauth/authorize", { config: { errorFormat: "page" } }, async (request, reply) => {
    const url = equivalentGet(request, formOf(request));
    const browser = await findBrowserState(request, context);
    const params = readForm(url.slice(url.indexOf("?") + 1));
    // A POST from another site carries no Lax cookie. `prompt` depends on the session, and a pushed request
    // can be read only once (design 6.1).
    const mayRequest = params.all("prompt").length > 0 || isReference(params, server);
    if (!browser.has_session_cookie && mayRequest) return reply.redirect(url, 302);
    return answer(params, url, browser, request, reply);
  });

  app.post("/consent", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const browser = await findBrowserState(request, context);
    const { signedIn } = browser;
    if (signedIn === undefined) throw refuse("sign_in_ended");
    if (!isOwnForm(request, params, browser, context)) throw refuse("foreign_form");
    const decision = params.get("decision");
    if (decision !== "allow" && decision !== "deny") {
      throw refuse("decision", { received: decision });
    }
    const form = params.get("request") ?? "";
    const answered = { form, decision, signedIn, origin: originOf(request) } as const;
    const outcome = await protocol.answerConsent(answered, server).catch((error: unknown) => {
      const pressedTwice = error instanceof OAuthError && error.kind === "consent_form_answered";
      // A second "allow" from a browser restarts the authorization request. A second "deny", or a second
      // submission from a program, receives the error (A-21).
      const inBrowser = request.headers["sec-fetch-mode"] === "navigate";
      if (!pressedTwice || !inBrowser || decision !== "allow") throw error;
      return { type: "redirect", location: server.issuer + requestOfForm(form, server) } as const;
    });
    return sendOutcome(outcome, browser, request, reply, context);
  });
  organizationRoute(app, context);
}

function organizationRoute(app: FastifyInstance, context: HttpContext): void {
  const { server } = context;
  app.post("/organization", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const { url, location } = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    // The redirect repeats the authorization request, which shows the selection page again.
    if (!isOwnForm(request, params, browser, context) || !isPendingRequest(url))
      return reply.redirect(location, 302);
    const organization = {
      chosen: params.get("organization"),
      search: params.get("search"),
      denied: params.get("decision") === "deny",
    };
    const asked = { params: readForm(url.slice(url.indexOf("?") + 1)), url, organization };
    const { signedIn } = browser;
    const outcome = await protocol.authorize({ ...asked, signedIn, origin: originOf(request) }, server);
    return sendOutcome(outcome, browser, request, reply, context);
  });
}

/** With a 302, the browser uses GET after a POST and sends no body (A-1, A-22). */
async function sendOutcome(
  outcome: AuthorizeOutcome,
  browser: BrowserState,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const { issuer } = context.server;
  const readerFor = ({ url, ui_locales }: { url: string; ui_locales: string | undefined }) =>
    localeOf(request, url, ui_locales);
  switch (outcome.type) {
    case "login":
      return reply.redirect(loginHref(issuer + outcome.url), 302);
    case "register": {
      const waiting = issuer + outcome.url;
      const href = registerHref(outcome.client.organization, waiting, context) ?? loginHref(waiting);
      return reply.redirect(href, 302);
    }
    case "step_up":
      return reply.redirect(stepUpPath(issuer + outcome.url, outcome.acr), 302);
    case "redirect":
      return reply.redirect(outcome.location, 302);
    case "form_post": {
      const { client, redirect_uri, fields, ui_locales } = outcome;
      const page = formPostPage({
        ...localeOf(request, undefined, ui_locales),
        redirect_uri,
        redirect_to: destination(redirect_uri),
        fields,
        brand: pageBrand(client.organization, context),
      });
      return sendPage(reply, page, { posting: { action: redirect_uri, script: submitScriptHash } });
    }
    case "select_account": {
      const { user } = outcome.signedIn;
      const csrf_token = csrfToken(browser, reply, context);
      const page = selectAccountPage({
        ...readerFor(outcome),
        user,
        csrf_token,
        request: issuer + outcome.url,
        brand: pageBrand(outcome.client.organization, context),
      });
      return sendPage(reply, page);
    }
    case "members_only": {
      const { client, answer, url, is_reference } = outcome;
      const page = membersOnlyPage({
        ...readerFor(outcome),
        client: client.app,
        for_members: isForMembers(client.app),
        organization_name: client.organization?.name,
        back_href: answer.type === "redirect" ? answer.location : undefined,
        switch_account_href: is_reference ? withAnotherSignIn(issuer + url) : withAccountChoice(url),
        brand: pageBrand(client.organization, context),
      });
      return sendPage(reply, page, { status: 403 });
    }
    case "select_organization": {
      if (browser.signedIn === undefined) throw new Error("the organization page needs a signed-in user");
      const { client, organizations, url, is_reference } = outcome;
      const csrf_token = csrfToken(browser, reply, context);
      const page = selectOrganizationPage({
        ...outcome,
        ...readerFor(outcome),
        client: client.app,
        user: browser.signedIn.user,
        switch_account_href: is_reference ? withAnotherSignIn(issuer + url) : withAccountChoice(url),
        organizations: organizations.map((each) => ({
          ...each,
          logo_url: shownPicture(each.logo_url, context) ?? null,
        })),
        csrf_token,
        request: issuer + url,
        brand: pageBrand(client.organization, context),
      });
      return sendPage(reply, page);
    }
    case "consent": {
      if (browser.signedIn === undefined) throw new Error("consent was requested without a signed-in user");
      const csrf_token = csrfToken(browser, reply, context);
      const page = await pageOf(outcome, browser.signedIn, readerFor(outcome), csrf_token, context);
      return sendPage(reply, page);
    }
    default:
      return outcome satisfies never;
  }
}

async function pageOf(
  outcome: ConsentOutcome,
  { user }: SignedIn,
  locale: PageLocale,
  csrf_token: string,
  context: HttpContext,
): Promise<Html> {
  const { client, owner_name, first_time, unverified, redirect_uri, url, is_reference, form } = outcome;
  const { app } = client;
  const scopes = ownScopesFirst(outcome.scopes);
  const { issuer } = context.server;
  const names = scopes.map((scope) => scope.name);
  const own = (scope: string) => ownScopeDescription(app, scope, codeOf(locale.language));
  const described = scopeDescriptions(
    names,
    locale,
    own,
    ofResources(outcome, locale),
    outcome.organization?.name,
  );
  const requested = {
    ...locale,
    user,
    scopes: scopes.map((scope, index) => ({ ...scope, ...described[index] })),
    organization_name: outcome.organization?.name,
    details: await releasedDetails(app, outcome.organization, names, context.server),
    resources: outcome.resources.map(({ name, identifier }) => ({ name, identifier })),
    redirect_to: destination(redirect_uri),
    csrf_token,
    request: form,
    switch_account_href: is_reference ? withAnotherSignIn(issuer + url) : withAccountChoice(url),
  };
  const open = await openClientOnPage(app, context);
  if (open !== undefined) {
    return openConsentPage({ ...requested, client: open, answers: answersAt(redirect_uri) });
  }
  const { name, description } = app;
  const logo_url = shownPicture(app.logo_url, context);
  return consentPage({
    ...requested,
    client: { name, logo_url, description, owner_name, first_time, unverified, links: clientLinksOf(app) },
    brand: pageBrand(client.organization, context),
  });
}

function ownScopesFirst(scopes: ConsentOutcome["scopes"]): ConsentOutcome["scopes"] {
  const usual: readonly string[] = [...openidScopes, ...membershipScopes];
  return [
    ...scopes.filter(({ name }) => !usual.includes(name)),
    ...scopes.filter(({ name }) => usual.includes(name)),
  ];
}

function ofResources({ client, resources }: ConsentOutcome, { language }: PageLocale): OwnDescriptions {
  return (scope) =>
    releasesPhone(client.app, scope)
      ? undefined
      : resources
          .map(({ scopes }) => describedIn(scopes, scope, codeOf(language)))
          .find((description) => description !== undefined);
}

function answersAt(redirect_uri: string): OpenConsentPage["answers"] {
  const protocol = URL.parse(redirect_uri)?.protocol;
  if (protocol === "https:") return "site";
  return protocol === "http:" ? "loopback" : "private_scheme";
}

/**
 * Adds `prompt=select_account` to an authorization request. `url` is the path and query of a valid request,
 * so it contains `prompt` at most once.
 */
export function withAccountChoice(url: string): string {
  const question = url.indexOf("?");
  const path = question === -1 ? url : url.slice(0, question);
  const parts = question === -1 ? [] : url.slice(question + 1).split("&");
  const isPrompt = (part: string) => new URLSearchParams(part).has("prompt");
  const prompt = parts.flatMap((part) => new URLSearchParams(part).get("prompt")?.split(" ") ?? []);
  const requested = new Set([...prompt.filter((value) => value !== ""), "select_account"]);
  const others = parts.filter((part) => part !== "" && !isPrompt(part));
  return `${path}?${[...others, `prompt=${[...requested].map(encodeURIComponent).join("+")}`].join("&")}`;
}

/** A `prompt` would be ignored next to the `request_uri` of a pushed request. */
function withAnotherSignIn(location: string): string {
  return `${loginHref(location)}&account=another`;
}
