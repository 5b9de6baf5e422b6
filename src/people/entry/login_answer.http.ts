import type { FastifyReply, FastifyRequest } from "fastify";
import { pageBrand } from "../../http/branding.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { refusedSignIn } from "../../http/refused.ts";
import type { LocalRedirect } from "../../http/same_origin.ts";
import {
  describePending,
  pendingInteraction,
  wantedFreshness,
} from "../../oauth/authorize/pending_request.ts";
import type { User } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { emailKeys, trimEmail } from "../../records/names/email.ts";
import type { PasskeyFailure } from "../authenticators/passkeys/passkey_form.view.ts";
import { passkeySignIn } from "../authenticators/passkeys/passkey_sign_in.http.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { type BrowserState, csrfToken } from "../core/pages/browser_state.http.ts";
import { lastMethod } from "../core/pages/last_method.http.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { offeredProviders } from "../providers/active_providers.ts";
import { offered } from "../providers/provider_view.http.ts";
import { type LoginPage, loginPage } from "./login.page.ts";
import { selectAccountPage } from "./select_account.page.ts";
import { registerHref } from "./sign_up_for.http.ts";

interface LoginAnswer extends Pick<LoginPage, "email" | "failure" | "retry_after" | "short_id"> {
  readonly status: number;
  readonly another?: boolean;
  readonly keep?: boolean;
  readonly passkey?: { readonly failure: PasskeyFailure; readonly unknown?: string | undefined } | undefined;
}

function isAddressOf(email: string, { email_key }: Pick<User, "email_key">): boolean {
  return [email, trimEmail(email)].flatMap(emailKeys).includes(email_key);
}

/** Returns a function that sends the login page. */
export function loginSender(context: HttpContext) {
  const { server, mail } = context;

  async function reauthentication(signedIn: SignedIn | undefined, url: string, email: string | undefined) {
    if (signedIn === undefined) return undefined;
    const { user } = signedIn;
    if (email !== undefined && !isAddressOf(email, user)) return undefined;
    if ((await pendingInteraction(url, signedIn, server)) !== "sign_in") return undefined;
    const { prompt } = await wantedFreshness(url, server);
    return { name: user.name, email: user.email, why: prompt === "login" ? "asked" : "tooOld" } as const;
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    { location, url }: LocalRedirect,
    { status, email, another = false, keep, failure, retry_after, short_id, passkey }: LoginAnswer,
  ): Promise<FastifyReply> => {
    const { client_name, organization, login_hint, ui_locales } = await describePending(url, server);
    const csrf_token = csrfToken(browser, reply, context);
    const providers = await offeredProviders(organization?.id, context.identity);
    const last = lastMethod(request, context);
    const again = another ? undefined : await reauthentication(browser.signedIn, url, email ?? login_hint);
    const here = loginHref(location);
    const { session_remember_days: days = 0 } = context.identity.settings ?? {};
    const page = loginPage({
      ...localeOf(request, here, ui_locales),
      redirect: location,
      csrf_token,
      email: email ?? login_hint ?? again?.email,
      again,
      failure,
      client_name,
      forgot_href: mail && `/forgot-password?redirect=${encodeURIComponent(location)}`,
      register_href: again === undefined ? registerHref(organization, location, context) : undefined,
      retry_after,
      short_id,
      brand: pageBrand(organization, context),
      passkey: passkeySignIn({ csrf_token, redirect: location, here, unknown: passkey?.unknown }, context),
      passkey_failure: passkey?.failure,
      providers: providers.map(offered),
      keep_signed_in:
        days === 0 ? undefined : { days, chosen: keep ?? browser.signedIn?.session.remembered ?? false },
      last_method: last,
    });
    return sendPage(reply, page, { status });
  };
}

/**
 * Answers a form of the sign-in page that does not belong to this browser. If another window has signed in,
 * the user may choose an account (docs/decisions/sessions.md).
 */
export async function answerOutOfDate(
  request: FastifyRequest,
  reply: FastifyReply,
  browser: BrowserState,
  target: LocalRedirect,
  context: HttpContext,
  email?: string,
): Promise<FastifyReply> {
  if (browser.signedIn !== undefined) {
    const { user } = browser.signedIn;
    if (email !== undefined && isAddressOf(email, user))
      return reply.redirect(loginHref(target.location), 302);
    const { organization, ui_locales } = await describePending(target.url, context.server);
    const page = selectAccountPage({
      ...localeOf(request, loginHref(target.location), ui_locales),
      user,
      meanwhile: { typed: email },
      csrf_token: csrfToken(browser, reply, context),
      request: target.location,
      brand: pageBrand(organization, context),
    });
    return sendPage(reply, page, { status: 409 });
  }
  const failure = "out_of_date";
  const short_id = refusedSignIn({ type: failure }, request, context);
  const answer = { status: 403, email, failure, short_id } as const;
  return loginSender(context)(request, reply, browser, target, answer);
}
