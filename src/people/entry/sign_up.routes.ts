/** Registering an account (docs/decisions/registration-and-invitations.md). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerUnknown } from "../../http/error_answers.ts";
import { formOf } from "../../http/form.ts";
import { getAndHead } from "../../http/get_and_head.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import { longestOf } from "../../records/definition/view.ts";
import { isEmail, trimEmail } from "../../records/names/email.ts";
import type { Mail } from "../../records/names/notices.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import {
  credentialIn,
  firstPasskeyQuestion,
  notifyFirstPasskey,
} from "../authenticators/passkeys/first_passkey.http.ts";
import { shortestBy } from "../authenticators/password/new_password.ts";
import { openAddress, sealAddress } from "../core/carried_fields.ts";
import { enter } from "../core/enter.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { answerEntered, entranceOf } from "../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  formCookieOf,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { browserMarks } from "../core/pages/mark_browser.http.ts";
import { purposes } from "../core/proofs/purposes.ts";
import {
  accountExistsPage,
  deadRegistrationPage,
  type FinishRegistrationPage,
  finishRegistrationPage,
  type RegisterPage,
  type RegistrationRequestedPage,
  registeredPage,
  registerPage,
  registrationRequestedPage,
} from "./register.page.ts";
import { beganIn, findRegistration, register } from "./register.ts";
import { accountExistsMail, accountSwitchedOffMail, registrationMail } from "./registration.mail.ts";
import { redeemRegistrationCode } from "./registration_code.ts";
import { admitRegistration, makeRegistrationMail, type SignUpRequest } from "./request_registration.ts";
import { admittedAlone, signUpFor } from "./sign_up_for.http.ts";

const pages = { config: { errorFormat: "page" } } as const;
const { minutes } = purposes.registration;

type RegisterAnswer = Pick<RegisterPage, "email" | "failure" | "retry_after">;
type PageState = Partial<Pick<FinishRegistrationPage, "name" | "errors" | "out_of_date">>;

export function signUpRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, mail } = context;
  if (mail === undefined || (identity.settings?.sign_up ?? "closed") === "closed") return;

  async function sendRegister(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    redirect: string,
    { status = 200, ...answer }: RegisterAnswer & { status?: number } = {},
  ): Promise<FastifyReply> {
    const { rules, brand } = await signUpFor(redirect, context);
    if (rules === undefined) return answerUnknown(request, reply, undefined, context);
    const locale = localeOf(request, `/register?redirect=${encodeURIComponent(redirect)}`);
    const csrf_token = csrfToken(browser, reply, context);
    const page = { ...locale, ...answer, redirect, csrf_token, only: admittedAlone(rules), brand };
    return sendPage(reply, registerPage(page), { status });
  }

  async function sendRequested(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    redirect: string,
    {
      status = 200,
      ...answer
    }: Pick<RegistrationRequestedPage, "email" | "failure"> & { status?: number } = {},
  ): Promise<FastifyReply> {
    const { brand } = await signUpFor(redirect, context);
    const locale = localeOf(request, `${codePath}?redirect=${encodeURIComponent(redirect)}`);
    const csrf_token = csrfToken(browser, reply, context);
    const page = registrationRequestedPage({ ...locale, ...answer, redirect, csrf_token, minutes, brand });
    return sendPage(reply, page, { status });
  }

  getAndHead(app, "/register", pages, async (request, reply) => {
    const { location } = localRedirect(queryOf(request).get("redirect"), server.issuer);
    return sendRegister(request, reply, await findBrowserState(request, context), location);
  });

  app.post("/register", pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const target = localRedirect(params.get("redirect"), server.issuer);
    const email = trimEmail(params.get("email") ?? "");
    const browser = await findBrowserState(request, context);
    const refuse = (status: number, why: Omit<RegisterAnswer, "email">) =>
      sendRegister(request, reply, browser, target.location, { status, email, ...why });
    if (!isOwnForm(request, params, browser, context)) return refuse(403, { failure: "out_of_date" });
    if (!isEmail(email)) return refuse(422, { failure: "email" });
    const { rules } = await signUpFor(target.location, context);
    if (rules === undefined) return answerUnknown(request, reply, undefined, context);
    const requested: SignUpRequest = {
      email,
      origin: originOf(request),
      browser: formCookieOf(browser, reply, context),
      request: target.url,
      rules,
      browser_marks: browserMarks(request, context),
    };
    const retry_after = await admitRegistration(requested, identity);
    if (retry_after !== undefined) {
      context.metrics?.count("postern_mails_refused_total", { kind: "registration" });
      reply.header("retry-after", retry_after);
      return refuse(429, { failure: "throttled", retry_after });
    }
    const locale = localeOf(request);
    // The lookup runs only after the response, so timing does not reveal accounts (SS-3).
    reply.raw.once("close", () => mail.post(() => mailFor(requested, locale), "anybody"));
    // Redirects, because reloading this response would send a second email (RFC 9110, section 15.4.4).
    const query = { redirect: target.location, to: sealAddress(email, codePath, identity) };
    return reply.redirect(`${codePath}?${new URLSearchParams(query)}`, 303);
  });

  /** The links start with the base URL in the settings, never with a host from a header. */
  async function mailFor(requested: SignUpRequest, locale: PageLocale): Promise<Mail | undefined> {
    const message = await makeRegistrationMail(requested, identity);
    if (message === undefined) return undefined;
    const { to } = message;
    const reader = { ...locale, server_name: new URL(server.issuer).host };
    const { issuer } = server;
    switch (message.type) {
      case "link": {
        const link = `${issuer}/register/finish?token=${message.token}`;
        return { to, ...registrationMail({ ...reader, link, code: message.code, minutes }) };
      }
      case "account_exists": {
        const hrefs = { sign_in_href: `${issuer}/login`, forgot_href: `${issuer}/forgot-password` };
        return { to, ...accountExistsMail({ ...reader, ...hrefs }) };
      }
      case "inactive":
        return { to, ...accountSwitchedOffMail(reader) };
      default:
        return message satisfies never;
    }
  }

  getAndHead(app, codePath, pages, async (request, reply) => {
    const query = queryOf(request);
    const { location } = localRedirect(query.get("redirect"), server.issuer);
    const email = openAddress(query.get("to"), codePath, identity);
    return sendRequested(request, reply, await findBrowserState(request, context), location, { email });
  });

  app.post(codePath, pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const { location } = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    const typed = params.get("email");
    const email = typed !== undefined && isEmail(typed) ? typed : undefined;
    if (!isOwnForm(request, params, browser, context)) {
      return sendRequested(request, reply, browser, location, { status: 403, failure: "out_of_date" });
    }
    const code = params.get("code") ?? "";
    const outcome = await redeemRegistrationCode({ code, browser: browser.form_cookie }, identity);
    if (outcome.type !== "right") {
      const failure = outcome.type;
      return sendRequested(request, reply, browser, location, { status: 422, failure, email });
    }
    return reply.redirect(`/register/finish?token=${outcome.token}`, 303);
  });

  async function sendFinish(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    token: string,
    { status = 200, errors = [], ...pageState }: PageState & { status?: number } = {},
  ): Promise<FastifyReply> {
    const here = `/register/finish?token=${encodeURIComponent(token.toWellFormed())}`;
    const locale = localeOf(request, here);
    const registration = await findRegistration(token, identity);
    if (registration === undefined) return sendPage(reply, deadRegistrationPage(locale), { status: 404 });
    const { brand } = await signUpFor(registration.request, context);
    const csrf_token = csrfToken(browser, reply, context);
    const signs_out = browser.signedIn !== undefined;
    const { email } = registration;
    const passkey = firstPasskeyQuestion({ token, email, csrf_token }, here, context);
    const bounds = {
      longest_name: longestOf("users", "name"),
      shortest_password: shortestBy(identity.settings),
    };
    const form = { csrf_token, email, errors, ...bounds, passkey };
    const page = { ...locale, ...pageState, token, ...form, signs_out, brand };
    return sendPage(reply, finishRegistrationPage(page), { status });
  }

  getAndHead(app, "/register/finish", pages, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    return sendFinish(request, reply, await findBrowserState(request, context), token);
  });

  app.post("/register/finish", pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const [token = "", name = ""] = ["token", "name"].map((field) => params.get(field) ?? "");
    const browser = await findBrowserState(request, context);
    const again = (pageState: PageState & { status: number }) =>
      sendFinish(request, reply, browser, token, { name, ...pageState });
    if (!isOwnForm(request, params, browser, context)) return again({ out_of_date: true, status: 403 });
    const credential = credentialIn(params, request, context);
    const outcome = await register({ token, name, origin: originOf(request), ...credential }, identity);
    switch (outcome.type) {
      case "refused":
        return again({ errors: outcome.errors, status: 422 });
      case "dead_link":
        return sendPage(reply, deadRegistrationPage(localeOf(request, "/register")), { status: 404 });
      case "account_exists":
        return sendPage(reply, accountExistsPage(localeOf(request, "/login")), { status: 409 });
      case "registered": {
        const { user, registration } = outcome;
        const { method, passkey } = outcome.credential;
        notifyFirstPasskey(passkey, user, { request, reply }, context);
        const began = beganIn(registration, browser.form_cookie);
        const target = localRedirect(began ? registration.request : donePath, server.issuer);
        // The user has just opened the email, so a second factor may be added without another code (MF-12).
        const mailbox = { kind: "mail_code", credential: null, at: method.at } as const;
        const methods = [mailbox, method];
        const entrance = { ...entranceOf(browser, target, request, reply, context), user, methods };
        return answerEntered(await enter(entrance, identity), { browser, target, request, reply }, context);
      }
      default:
        return outcome satisfies never;
    }
  });

  getAndHead(app, donePath, pages, async (request, reply) =>
    sendPage(reply, registeredPage(localeOf(request))),
  );
}

const codePath = "/register/code";
const donePath = "/register/done";
