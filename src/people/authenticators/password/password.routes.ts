import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageBrand } from "../../../http/branding.ts";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { localRedirect } from "../../../http/same_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { describePending } from "../../../oauth/authorize/pending_request.ts";
import { refuseRepeated } from "../../../oauth/core/params.ts";
import { isMailable, trimEmail } from "../../../records/names/email.ts";
import type { Brand } from "../../../web/html/brand.ts";
import { openAddress, sealAddress } from "../../core/carried_fields.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../../core/pages/browser_state.http.ts";
import { browserMarks, rememberAnew } from "../../core/pages/mark_browser.http.ts";
import {
  type ForgotPasswordPage,
  forgotPasswordPage,
  mailOffPage,
  resetRequestedPage,
} from "./forgot_password.page.ts";
import { isSamePassword, shortestBy } from "./new_password.ts";
import {
  admitResetRequest,
  findResetLink,
  type ResetRequest,
  resetLinkMinutes,
  resetPassword,
} from "./password_reset.ts";
import { resetMailFor } from "./reset_mail.http.ts";
import {
  deadResetLinkPage,
  type ResetPasswordPage,
  resetDonePage,
  resetPasswordPage,
} from "./reset_password.page.ts";

const forgotPath = "/forgot-password";

type ForgotAnswer = Pick<ForgotPasswordPage, "redirect" | "email" | "failure" | "retry_after">;

export function passwordRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, mail } = context;
  const pages = { config: { errorFormat: "page" } } as const;

  async function waitingBrand(redirect: string): Promise<Brand | undefined> {
    const { url } = localRedirect(redirect, server.issuer);
    return pageBrand((await describePending(url, server)).organization, context);
  }

  async function sendForgot(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    answer: ForgotAnswer,
    status = 200,
  ): Promise<FastifyReply> {
    const csrf_token = csrfToken(browser, reply, context);
    const locale = localeOf(request, `${forgotPath}?redirect=${encodeURIComponent(answer.redirect)}`);
    const brand = await waitingBrand(answer.redirect);
    return sendPage(reply, forgotPasswordPage({ ...locale, ...answer, csrf_token, brand }), { status });
  }

  getAndHead(app, forgotPath, pages, async (request, reply) => {
    if (mail === undefined) return sendPage(reply, mailOffPage(localeOf(request)));
    const query = queryOf(request);
    const { location } = localRedirect(query.get("redirect"), server.issuer);
    const email = openAddress(query.get("to"), forgotPath, identity);
    if (email !== undefined) {
      const page = { ...localeOf(request), email, redirect: location, minutes: resetLinkMinutes };
      return sendPage(reply, resetRequestedPage({ ...page, brand: await waitingBrand(location) }));
    }
    return sendForgot(request, reply, await findBrowserState(request, context), { redirect: location });
  });

  app.post(forgotPath, { config: { errorFormat: "page" } }, async (request, reply) => {
    if (mail === undefined) return sendPage(reply, mailOffPage(localeOf(request)));
    const params = formOf(request);
    refuseRepeated(params);
    const { location: redirect } = localRedirect(params.get("redirect"), server.issuer);
    const email = params.get("email") ?? "";
    const browser = await findBrowserState(request, context);
    const refuse = (status: number, why: Omit<ForgotAnswer, "redirect" | "email">) =>
      sendForgot(request, reply, browser, { redirect, email, ...why }, status);
    if (!isOwnForm(request, params, browser, context)) return refuse(403, { failure: "out_of_date" });
    if (!isMailable(trimEmail(email))) return refuse(422, { failure: "email" });
    const browser_marks = browserMarks(request, context);
    const requested: ResetRequest = { email, origin: originOf(request), browser_marks };
    const retry_after = await admitResetRequest(requested, identity);
    if (retry_after !== undefined) {
      context.metrics?.count("postern_mails_refused_total", { kind: "password_reset" });
      reply.header("retry-after", retry_after);
      return refuse(429, { failure: "throttled", retry_after });
    }
    const locale = localeOf(request);
    // The lookup runs only after the response, so timing does not reveal accounts (L-9).
    const post = () => mail.post(() => resetMailFor(requested, locale, context), "anybody");
    const { account_lookup } = identity;
    reply.raw.once("close", () => (account_lookup ? account_lookup.byAddress(email).then(post) : post()));
    // Redirects, because reloading this response would send a second email (RFC 9110, section 15.4.4).
    const to = sealAddress(trimEmail(email), forgotPath, identity);
    return reply.redirect(`${forgotPath}?${new URLSearchParams({ redirect, to })}`, 303);
  });

  async function sendReset(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    token: string,
    { failure, status = 200 }: Pick<ResetPasswordPage, "failure"> & { status?: number } = {},
  ): Promise<FastifyReply> {
    const user = await findResetLink(token, identity);
    const locale = localeOf(request, `/reset-password?token=${encodeURIComponent(token.toWellFormed())}`);
    if (user === undefined) return sendPage(reply, deadResetLinkPage(locale), { status: 404 });
    const csrf_token = csrfToken(browser, reply, context);
    const page = { ...locale, token, csrf_token, shortest_password: shortestBy(identity.settings) };
    const { email } = user;
    return sendPage(reply, resetPasswordPage({ ...page, email, failure }), { status });
  }

  getAndHead(app, "/reset-password", pages, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    return sendReset(request, reply, await findBrowserState(request, context), token);
  });

  app.post("/reset-password", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const password = params.get("password") ?? "";
    const browser = await findBrowserState(request, context);
    const refuse = (status: number, failure: ResetPasswordPage["failure"]) =>
      sendReset(request, reply, browser, token, { failure, status });
    if (!isOwnForm(request, params, browser, context)) return refuse(403, "out_of_date");
    if (!isSamePassword(password, params.get("password_again") ?? "")) return refuse(422, "differs");
    const outcome = await resetPassword({ token, password, origin: originOf(request) }, identity);
    switch (outcome.type) {
      case "refused":
        return refuse(422, outcome.weakness);
      case "dead_link":
        return sendPage(reply, deadResetLinkPage(localeOf(request)), { status: 404 });
      case "done":
        postNotice(context, { kind: "password", user: outcome.user, request });
        for (const { provider: name } of outcome.removed.links) {
          postNotice(context, { kind: "link_removed", user: outcome.user, request, name });
        }
        for (const name of outcome.removed.passkeys) {
          postNotice(context, { kind: "passkey_removed", user: outcome.user, request, name });
        }
        await rememberAnew(request, reply, outcome.user, context);
        return sendPage(reply, resetDonePage(localeOf(request)));
      default:
        return outcome satisfies never;
    }
  });
}
