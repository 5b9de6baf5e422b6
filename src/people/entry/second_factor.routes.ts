/**
 * `/sign-in/second-factor`: completes a sign-in with a second factor, or adds one to a session (MF-3 to
 * MF-8).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageBrand } from "../../http/branding.ts";
import { formOf } from "../../http/form.ts";
import { getAndHead } from "../../http/get_and_head.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { type LocalRedirect, localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { describePending } from "../../oauth/authorize/pending_request.ts";
import { refuseRepeated } from "../../oauth/core/params.ts";
import type { User } from "../../records/definition/definition.ts";
import { type FactorKind, factorKinds } from "../../records/definition/factor_kinds.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import { factorsLostPage } from "../authenticators/mail_code/lost_factors.page.ts";
import { shownMailbox } from "../authenticators/mail_code/shown_mailbox.http.ts";
import { pastPasskeyUpgrade } from "../authenticators/passkeys/passkey_upgrade.http.ts";
import {
  lostFactorsPath,
  recoveryRoutes,
  recoveryShown,
} from "../authenticators/recovery/recovery.routes.ts";
import { offersRecovery } from "../core/delayed_recovery.ts";
import type { FactorError } from "../core/factor_proof.ts";
import {
  countWrongFactor,
  dropHalfSignIn,
  findHalfSignIn,
  finishHalfSignIn,
  type HalfSignIn,
  halfSignInForm,
} from "../core/half_sign_in.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { postNotice } from "../core/notices/account_notices.http.ts";
import { disownLink } from "../core/notices/disown_link.http.ts";
import { entranceOf, secondFactorPath, takeSession } from "../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../core/pages/browser_state.http.ts";
import { deviceCookie, setDeviceCookie } from "../core/pages/device_cookie.http.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { browserMarks } from "../core/pages/mark_browser.http.ts";
import { mayBeRemembered, rememberDevice, rememberedDays } from "../core/remembered_devices.ts";
import { setSessionCookie } from "../core/session_cookie.http.ts";
import { addMethods } from "../core/sessions.ts";
import { offeredKinds } from "./offered_kinds.ts";
import { recoveryCodeUsedPage, secondFactorEndedPage, secondFactorPage } from "./second_factor.page.ts";
import { isFirstWrongFactor, tryFactor } from "./try_factor.ts";

interface Requested {
  readonly user: User;
  readonly half: HalfSignIn | undefined;
  readonly signedIn: SignedIn | undefined;
  readonly target: LocalRedirect;
}

interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly browser: BrowserState;
}

interface FactorAnswer {
  readonly status: number;
  readonly kind?: FactorKind | undefined;
  readonly error?: FactorError;
  readonly retry_after?: number;
  readonly remember?: boolean;
}

export function secondFactorRoutes(app: FastifyInstance, context: HttpContext): void {
  recoveryRoutes(app, context);
  const { server, identity, authenticators } = context;
  const authenticatorOf = (kind: FactorKind) => authenticators.find((each) => each.kind === kind);
  const page = { config: { errorFormat: "page" } } as const;

  async function findRequest(
    { browser }: Visit,
    redirect: string | undefined,
  ): Promise<Requested | undefined> {
    const half = await findHalfSignIn(browser.form_cookie, identity);
    const { signedIn } = browser;
    const target = localRedirect(half?.request ?? redirect, server.issuer);
    const user = half?.user ?? signedIn?.user;
    return user && { user, half, signedIn, target };
  }

  async function send(visit: Visit, requested: Requested, answer: FactorAnswer): Promise<FastifyReply> {
    const { request, reply, browser } = visit;
    const { user, half, target } = requested;
    const { error, retry_after, status } = answer;
    const kinds = await offeredKinds(user, identity);
    const kind = kinds.find((each) => each === answer.kind) ?? kinds[0];
    // The last second factor may have been removed in the meantime.
    if (kind === undefined)
      return reply.redirect(half ? loginHref(target.location) : "/account/security", 302);
    const redirect = half === undefined ? target.location : undefined;
    const hrefOf = (method: FactorKind) =>
      `${secondFactorPath}?${new URLSearchParams({ method, ...(redirect !== undefined && { redirect }) })}`;
    const here = hrefOf(kind);
    const { organization, ui_locales } = await describePending(target.url, server);
    const locale = localeOf(request, here, ui_locales);
    const csrf_token = csrfToken(browser, reply, context, half && halfSignInForm(half));
    const about = { at: "sign_in", user, half, request, holder: csrf_token, locale, error } as const;
    const part = await authenticatorOf(kind)?.part(about, context);
    const others = kinds.filter((each) => each !== kind).map((each) => ({ kind: each, href: hrefOf(each) }));
    const brand = pageBrand(organization, context);
    const days = half === undefined || !mayBeRemembered({ kind }) ? 0 : rememberedDays(user, identity);
    const lost_href = half && offersRecovery(half, identity) ? lostFactorsPath : undefined;
    const recovery = lost_href === undefined ? undefined : await recoveryShown(user, request, context);
    if (retry_after !== undefined) reply.header("retry-after", retry_after);
    return sendPage(
      reply,
      secondFactorPage({
        ...locale,
        user: { email: half === undefined ? user.email : shownMailbox(half) },
        kind,
        part: part?.html,
        others,
        lost_href,
        recovery,
        remember: days === 0 ? undefined : { days, chosen: answer.remember === true },
        csrf_token,
        redirect,
        error,
        retry_after,
        brand,
      }),
      { status },
    );
  }

  getAndHead(app, secondFactorPath, page, async (request, reply) => {
    const visit = { request, reply, browser: await findBrowserState(request, context) };
    const params = queryOf(request);
    const requested = await findRequest(visit, params.get("redirect"));
    if (requested === undefined) {
      return reply.redirect(loginHref(localRedirect(params.get("redirect"), server.issuer).location), 302);
    }
    return send(visit, requested, { status: 200, kind: kindIn(params.get("method")) });
  });

  app.post(secondFactorPath, page, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const visit = { request, reply, browser: await findBrowserState(request, context) };
    const requested = await findRequest(visit, params.get("redirect"));
    if (requested === undefined) {
      return reply.redirect(loginHref(localRedirect(params.get("redirect"), server.issuer).location), 302);
    }
    const { user, half, target } = requested;
    const kind = kindIn(params.get("method"));
    if (!isOwnForm(request, params, visit.browser, context, half && halfSignInForm(half))) {
      return send(visit, requested, { status: 403, kind, error: "out_of_date" });
    }
    if (params.get("cancel") !== undefined) {
      if (half === undefined) return reply.redirect("/account", 302);
      await dropHalfSignIn(visit.browser.form_cookie ?? "", identity);
      return reply.redirect(loginHref(target.location), 302);
    }
    const kinds = await offeredKinds(user, identity);
    const authenticator = kind !== undefined && kinds.includes(kind) ? authenticatorOf(kind) : undefined;
    if (kind === undefined || authenticator === undefined) return send(visit, requested, { status: 200 });
    const answer = params.get(authenticator.fields.sign_in ?? "");
    const input = {
      at: "sign_in",
      user,
      half,
      request,
      holder: params.get("csrf_token") ?? "",
      answer,
    } as const;
    const { guessable } = authenticator;
    const remember = params.get("remember") === "yes";
    const proof = await tryFactor(
      {
        user,
        kind,
        guessable,
        origin: originOf(request),
        browser_marks: browserMarks(request, context),
        async prove() {
          const proof = await authenticator.prove(input, context);
          return proof === "asked" ? { type: "expired" } : proof;
        },
      },
      identity,
    );
    switch (proof.type) {
      case "proved":
        return finish(visit, requested, { ...proof, remember });
      case "throttled": {
        const { retry_after } = proof;
        return send(visit, requested, { status: 429, kind, error: "throttled", retry_after, remember });
      }
      case "expired":
        return send(visit, requested, { status: 409, kind, error: "expired", remember });
      case "wrong":
      case "late":
        return answerWrong(visit, requested, { kind, error: proof.type, remember }, guessable);
      default:
        return proof satisfies never;
    }
  });

  async function answerWrong(
    visit: Visit,
    requested: Requested,
    answer: { kind: FactorKind; error: "wrong" | "late"; remember: boolean },
    guessable: boolean,
  ): Promise<FastifyReply> {
    const { user, half, target } = requested;
    const { request, reply } = visit;
    const knows_password = half?.methods.some((method) => method.kind === "password");
    if (knows_password && guessable && (await isFirstWrongFactor(user, identity))) {
      postNotice(context, { kind: "wrong_factor", user, request });
    }
    const ended = half && guessable && (await countWrongFactor(half, identity)) === "ended";
    if (!ended) return send(visit, requested, { status: 401, ...answer });
    const { organization } = await describePending(target.url, server);
    const brand = pageBrand(organization, context);
    const login_href = loginHref(target.location);
    return sendPage(reply, secondFactorEndedPage({ ...localeOf(request, login_href), login_href, brand }), {
      status: 401,
    });
  }

  async function rememberHere({ request, reply }: Visit, user: User, method: SignInMethod): Promise<void> {
    const cookie = deviceCookie(request, context);
    const made = await rememberDevice({ user, method, cookie, origin: originOf(request) }, identity);
    if (made === undefined) return;
    setDeviceCookie(reply, made, rememberedDays(user, identity), context);
    // The link in the email ends the user's sessions and tokens, and the user's records created from now on
    // (SS-15).
    const not_me_href = disownLink({ user, since: context.server.now() }, context);
    postNotice(context, { kind: "device_remembered", user, request, not_me_href });
  }

  type Proved = Extract<Awaited<ReturnType<typeof tryFactor>>, { type: "proved" }>;

  async function finish(
    visit: Visit,
    { user, half, signedIn, target }: Requested,
    { method, codes_left, commitProof, remember }: Proved & { readonly remember: boolean },
  ): Promise<FastifyReply> {
    const { request, reply, browser } = visit;
    if (half !== undefined) {
      const entrance = entranceOf(browser, target, request, reply, context);
      const finished = await finishHalfSignIn(half, { ...entrance, method, commitProof }, identity);
      if (finished === undefined) return reply.redirect(loginHref(target.location), 302);
      await takeSession(finished, visit, context);
      if (remember) await rememberHere(visit, user, method);
      if (method.kind === "totp") {
        return reply.redirect(await pastPasskeyUpgrade(finished, target.location, request, context), 302);
      }
    } else if (signedIn !== undefined) {
      const added = await addMethods(signedIn, [method], identity, commitProof);
      if (added === undefined) return reply.redirect(loginHref(target.location), 302);
      setSessionCookie(reply, added.cookie, added.signedIn.session, context);
    }
    if (method.kind === "mail_code") {
      const locale = localeOf(request, "/account/security");
      return sendPage(reply, factorsLostPage({ ...locale, continue_href: target.location }));
    }
    if (codes_left === undefined) return reply.redirect(target.location, 302);
    postNotice(context, { kind: "recovery_code_used", user, request, codes_left });
    const locale = localeOf(request, "/account/security");
    return sendPage(reply, recoveryCodeUsedPage({ ...locale, codes_left, continue_href: target.location }));
  }
}

function kindIn(method: string | undefined): FactorKind | undefined {
  return factorKinds.find((kind) => kind === method);
}
