import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OAuthError } from "../../errors.ts";
import { pageBrand } from "../../http/branding.ts";
import { clearCookie } from "../../http/cookies.ts";
import { sentence } from "../../http/error_answers.ts";
import { formOf } from "../../http/form.ts";
import { getAndHead } from "../../http/get_and_head.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { shortIdOf } from "../../http/refused.ts";
import { originOf, routeOf } from "../../http/request_origin.ts";
import { equivalentGet, queryOf } from "../../http/target.ts";
import { type Params, paramsOf, refuseRepeated } from "../../oauth/core/params.ts";
import type { EndSessionOutcome } from "../../oauth/end_session.ts";
import { protocol } from "../../oauth/protocol.ts";
import { isRefusal, refuse } from "../../oauth/refusals/refuse.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { toSignedOut } from "../core/pages/to_signed_out.http.ts";
import { endSession as endOwnSession } from "../core/sessions.ts";
import { appsThatKeepAccess, endAllAccess } from "./kept_access.ts";
import { logoutPage } from "./logout.page.ts";
import { awaitingSetupPage } from "./setup.page.ts";
import { awaitsSetup, setupLinkHours } from "./setup.ts";
import { type SignedOutPage, signedOutPage } from "./signed_out.page.ts";

export function homeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;

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
    const keeping = await appsThatKeepAccess(browser.signedIn.user, identity);
    const page = { ...localeOf(request), csrf_token, fields: {}, action: "/logout", keeping } as const;
    return sendPage(reply, logoutPage(page));
  });

  app.post("/logout", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const browser = await findBrowserState(request, context);
    if (browser.signedIn !== undefined) {
      if (!isOwnForm(request, params, browser, context)) throw refuse("foreign_form");
      const origin = originOf(request);
      if (params.get("everything") === "yes") await endAllAccess(browser.signedIn, origin, identity);
      await endOwnSession(browser.signedIn, origin, identity);
    }
    return toSignedOut(reply, context);
  });
}

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0, section 2). */
export function endSessionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity } = context;

  async function answer(
    params: Params,
    confirmed: boolean,
    browser: BrowserState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn } = browser;
    const origin = originOf(request);
    if (confirmed && signedIn !== undefined && params.get("everything") === "yes")
      await endAllAccess(signedIn, origin, identity);
    const outcome = await protocol.endSession({ params, signedIn, confirmed, origin }, server);
    const return_to = equivalentGet(request, request.method === "POST" ? params : paramsOf([]));
    return sendEnding(outcome, browser, localeOf(request, return_to), request, reply, context);
  }

  // A GET with an `id_token_hint` can end a session, so HEAD is not answered.
  app.get("/oauth/logout", { config: { errorFormat: "page" } }, async (request, reply) =>
    answer(queryOf(request), false, await findBrowserState(request, context), request, reply),
  );

  app.post("/oauth/logout", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    const browser = await findBrowserState(request, context);
    // A POST from another site carries no Lax cookie; the GET to which it is redirected does (design 6.1).
    if (!browser.has_session_cookie) return reply.redirect(equivalentGet(request, params), 302);
    const confirmed = params.get("confirmed") === "yes" && isOwnForm(request, params, browser, context);
    return answer(params, confirmed, browser, request, reply);
  });
}

async function sendEnding(
  outcome: EndSessionOutcome,
  browser: BrowserState,
  locale: PageLocale,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const { client_name, location } = outcome;
  const brand = pageBrand(outcome.organization, context);
  switch (outcome.type) {
    case "ask": {
      const csrf_token = csrfToken(browser, reply, context);
      const fields = { ...outcome.fields, confirmed: "yes" };
      const keeping = browser.signedIn
        ? await appsThatKeepAccess(browser.signedIn.user, context.identity)
        : [];
      const page = { ...locale, csrf_token, client_name, fields, action: "/oauth/logout", keeping } as const;
      return sendPage(reply, logoutPage({ ...page, brand }));
    }
    case "unproven":
      return sendPage(
        reply,
        signedOutPage({ ...locale, none_ended: true, return_href: location, client_name, brand }),
      );
    case "ended":
    case "none_ended": {
      clearCookie(reply, "session", context.secure);
      if (location !== undefined) return reply.redirect(location, 302);
      const none_ended = outcome.type === "none_ended";
      const refused = outcome.refused && refusedReturn(outcome.refused, request, context);
      // A language change cannot repeat a finished logout request, so it leads to a page that states the
      // result.
      const page = { ...locale, ...(none_ended ? {} : { return_to: "/logout" }) };
      return sendPage(reply, signedOutPage({ ...page, none_ended, refused, client_name, brand }), {
        status: outcome.refused?.status ?? 200,
      });
    }
    default:
      return outcome satisfies never;
  }
}

function refusedReturn(
  refused: OAuthError,
  request: FastifyRequest,
  context: HttpContext,
): SignedOutPage["refused"] {
  return {
    why: isRefusal(refused, "post_logout_redirect_uri") ? "unregistered" : "unproven",
    detail: { text: sentence(refused.description), language: "en" },
    error: refused.code,
    short_id: shortIdOf(refused, routeOf(request), request, context),
    request_id: request.id,
  };
}
