/** `/sign-in/lost-factors`: for a user who gave the first factor and has lost every second factor (MF-10). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { clearCookie, readCookie, setCookie } from "../../../http/cookies.ts";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { type Params, refuseRepeated } from "../../../oauth/core/params.ts";
import type { User } from "../../../records/definition/definition.ts";
import {
  hasRecovery,
  offersRecovery,
  openDays,
  recoveryDelay,
  recoveryState,
} from "../../core/delayed_recovery.ts";
import { findHalfSignIn, type HalfSignIn, halfSignInForm } from "../../core/half_sign_in.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { secondFactorPath } from "../../core/pages/answer_entered.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../../core/pages/browser_state.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { shownMailbox } from "../mail_code/shown_mailbox.http.ts";
import { beginToRecover, requestRecovery } from "./begin_recovery.http.ts";
import { finishRecovery } from "./finish_recovery.ts";
import { type RecoveryShown, recoveryPage } from "./recovery.page.ts";
import type { RecoveryError } from "./recovery_form.view.ts";
import { isRecoveryMailboxChallenged } from "./recovery_mailbox.ts";

export const lostFactorsPath = "/sign-in/lost-factors";

/** Returns the user's pending recovery of second factors for the second-factor page. */
export async function recoveryShown(
  user: User,
  request: FastifyRequest,
  { identity, secure }: Pick<HttpContext, "identity" | "secure">,
): Promise<RecoveryShown | undefined> {
  const state = await recoveryState(user, readCookie(request, "recovery", secure), identity);
  if (!("recovery" in state)) return undefined;
  return { state: state.type, due_at: state.recovery.due_at };
}

interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly browser: BrowserState;
  readonly half: HalfSignIn;
}

export function recoveryRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, secure } = context;
  const page = { config: { errorFormat: "page" } } as const;
  if (!hasRecovery(identity)) return;

  async function visitOf(request: FastifyRequest, reply: FastifyReply): Promise<Visit | undefined> {
    const browser = await findBrowserState(request, context);
    const half = await findHalfSignIn(browser.form_cookie, identity);
    return half && offersRecovery(half, identity) ? { request, reply, browser, half } : undefined;
  }

  const cookieOf = ({ request }: Visit) => readCookie(request, "recovery", secure);

  async function send(
    visit: Visit,
    {
      status = 200,
      requested = false,
      error,
    }: { status?: number; requested?: boolean; error?: RecoveryError } = {},
  ): Promise<FastifyReply> {
    const { request, reply, browser, half } = visit;
    const state = await recoveryState(half.user, cookieOf(visit), identity);
    const answer = recoveryPage({
      ...localeOf(request, lostFactorsPath),
      state: state.type === "none" && requested ? "requested" : state.type,
      due_at: "recovery" in state ? state.recovery.due_at : undefined,
      email: shownMailbox(half),
      hours: recoveryDelay(identity),
      minutes: purposes.recovery_mailbox.minutes,
      back_href: secondFactorPath,
      csrf_token: csrfToken(browser, reply, context, halfSignInForm(half)),
      error,
    });
    return sendPage(reply, answer, { status });
  }

  getAndHead(app, lostFactorsPath, page, async (request, reply) => {
    const visit = await visitOf(request, reply);
    if (visit === undefined) return reply.redirect(secondFactorPath, 302);
    const requested = queryOf(request).get("step") === "code";
    return send(visit, { requested: requested && (await isRecoveryMailboxChallenged(visit.half, identity)) });
  });

  app.post(lostFactorsPath, page, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const visit = await visitOf(request, reply);
    if (visit === undefined) return reply.redirect(secondFactorPath, 302);
    if (!isOwnForm(request, params, visit.browser, context, halfSignInForm(visit.half))) {
      return send(visit, { status: 403, error: "out_of_date" });
    }
    switch (params.get("step")) {
      case "ask":
        return ask(visit);
      case "code":
        return begin(visit, params);
      case "finish":
        return finish(visit);
      default:
        return send(visit);
    }
  });

  async function ask(visit: Visit): Promise<FastifyReply> {
    const { half, request } = visit;
    const state = await recoveryState(half.user, cookieOf(visit), identity);
    if (state.type !== "none") return send(visit);
    if (!(await requestRecovery("factors", half, request, context))) {
      return send(visit, { status: 429, error: "throttled" });
    }
    // Redirects, because reloading this response would send a second email (RFC 9110, section 15.4.4).
    return visit.reply.redirect(`${lostFactorsPath}?step=code`, 303);
  }

  async function begin(visit: Visit, params: Params): Promise<FastifyReply> {
    const { half, request, reply } = visit;
    const code = params.get("code") ?? "";
    const begun = await beginToRecover("factors", { ...half, code }, request, context);
    switch (begun.type) {
      case "expired":
        return send(visit, { status: 409, error: "expired" });
      case "wrong":
        return send(visit, { status: 401, requested: true, error: "wrong" });
      case "waits":
        return send(visit);
      case "begun": {
        const days = Math.ceil(recoveryDelay(identity) / 24) + openDays;
        setCookie(reply, "recovery", secure, begun.cookie, days);
        return reply.redirect(lostFactorsPath, 303);
      }
      default:
        return begun satisfies never;
    }
  }

  async function finish(visit: Visit): Promise<FastifyReply> {
    const { half, request, reply } = visit;
    const input = { cookie: cookieOf(visit), origin: originOf(request), request: half.request };
    if (!(await finishRecovery(half, input, identity))) return send(visit, { status: 409 });
    clearCookie(reply, "recovery", secure);
    postNotice(context, { kind: "recovery_finished", user: half.user, request });
    return reply.redirect(secondFactorPath, 303);
  }
}
