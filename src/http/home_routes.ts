/** Where somebody lands who comes without a request, and how they sign out. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endSession as endOwnSession } from "../identity/sessions.ts";
import { awaitsSetup, setupLinkHours } from "../identity/setup.ts";
import { type EndSessionOutcome, endSession } from "../oauth/end_session.ts";
import { type Params, paramsOf, refuseRepeated } from "../oauth/params.ts";
import { refuse } from "../oauth/refusals/refuse.ts";
import { logoutPage } from "../web/pages/logout_page.ts";
import { awaitingSetupPage } from "../web/pages/setup_page.ts";
import { signedOutPage } from "../web/pages/signed_out_page.ts";
import type { PageLocale } from "../web/words/page_locale.ts";
import { pageBrand } from "./branding.ts";
import { type BrowserState, csrfToken, findBrowserState, isOwnForm } from "./browser_state.ts";
import type { HttpContext } from "./context.ts";
import { clearCookie } from "./cookies.ts";
import { formOf } from "./form.ts";
import { getAndHead } from "./get_and_head.ts";
import { localeOf } from "./language.ts";
import { sendPage } from "./page.ts";
import { originOf } from "./request_origin.ts";
import { equivalentGet, queryOf } from "./target.ts";

export function homeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, secure } = context;

  getAndHead(app, "/", { config: { errorFormat: "page" } }, async (request, reply) => {
    const { signedIn } = await findBrowserState(request, context);
    if (signedIn !== undefined) return reply.redirect("/account", 302);
    if (await awaitsSetup(identity)) {
      return sendPage(reply, awaitingSetupPage({ ...localeOf(request), hours: setupLinkHours }));
    }
    return reply.redirect("/login", 302);
  });

  getAndHead(app, "/logout", { config: { errorFormat: "page" } }, async (request, reply) => {
    const browser = await findBrowserState(request, context);
    if (browser.signedIn === undefined) return sendPage(reply, signedOutPage(localeOf(request)));
    const csrf_token = csrfToken(browser, reply, context);
    return sendPage(reply, logoutPage({ ...localeOf(request), csrf_token, fields: {}, action: "/logout" }));
  });

  app.post("/logout", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const browser = await findBrowserState(request, context);
    if (browser.signedIn !== undefined) {
      if (!isOwnForm(request, params, browser, context)) throw refuse("foreign_form");
      await endOwnSession(browser.signedIn, originOf(request), identity);
    }
    clearCookie(reply, "session", secure);
    return sendPage(reply, signedOutPage(localeOf(request, "/logout")));
  });
}

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0 2). */
export function endSessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server } = context;

  async function answer(
    params: Params,
    confirmed: boolean,
    browser: BrowserState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn } = browser;
    const origin = originOf(request);
    const outcome = await endSession({ params, signedIn, confirmed, origin }, server);
    const return_to = equivalentGet(request, request.method === "POST" ? params : paramsOf([]));
    return sendEnding(outcome, browser, localeOf(request, return_to), reply, context);
  }

  // No HEAD: a GET ends the session whose token it shows, and nobody who only looks is to do that.
  app.get("/oauth/logout", { config: { errorFormat: "page" } }, async (request, reply) =>
    answer(queryOf(request), false, await findBrowserState(request, context), request, reply),
  );

  app.post("/oauth/logout", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    const browser = await findBrowserState(request, context);
    // From another site a POST comes without the Lax cookie; the GET brings it (design 6.1).
    if (!browser.has_session_cookie) return reply.redirect(equivalentGet(request, params), 302);
    const confirmed = params.get("confirmed") === "yes" && isOwnForm(request, params, browser, context);
    return answer(params, confirmed, browser, request, reply);
  });
}

function sendEnding(
  outcome: EndSessionOutcome,
  browser: BrowserState,
  locale: PageLocale,
  reply: FastifyReply,
  context: HttpContext,
): FastifyReply {
  const { client_name } = outcome;
  const brand = pageBrand(outcome.organization, context);
  switch (outcome.type) {
    case "ask": {
      const csrf_token = csrfToken(browser, reply, context);
      const fields = { ...outcome.fields, confirmed: "yes" };
      const page = logoutPage({ ...locale, csrf_token, client_name, fields, action: "/oauth/logout", brand });
      return sendPage(reply, page);
    }
    case "unproven": {
      const return_href = outcome.location;
      return sendPage(
        reply,
        signedOutPage({ ...locale, return_to: "/logout", return_href, client_name, brand }),
      );
    }
    case "ended":
      clearCookie(reply, "session", context.secure);
      if (outcome.location !== undefined) return reply.redirect(outcome.location, 302);
      return sendPage(reply, signedOutPage({ ...locale, return_to: "/logout", client_name, brand }));
    default:
      return outcome satisfies never;
  }
}
