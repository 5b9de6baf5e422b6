/** The login page (spec 4.1, L-1 to L-10). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formOf } from "../../http/form.ts";
import { getAndHead } from "../../http/get_and_head.ts";
import { localeOf } from "../../http/language.ts";
import { refusedSignIn } from "../../http/refused.ts";
import { originOf } from "../../http/request_origin.ts";
import { type LocalRedirect, localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { requestHash } from "../../oauth/authorize/interaction.ts";
import { pendingInteraction } from "../../oauth/authorize/pending_request.ts";
import { type Params, refuseRepeated } from "../../oauth/core/params.ts";
import type { User } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { pastPasskeyOffer } from "../authenticators/passkeys/passkey_offer.http.ts";
import { pastForeignPassword } from "../authenticators/password/change_password.routes.ts";
import { admitResetRequest } from "../authenticators/password/password_reset.ts";
import { postResetLink } from "../authenticators/password/post_reset_link.http.ts";
import { goOn } from "../core/enter.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { answerEntered, entranceOf } from "../core/pages/answer_entered.http.ts";
import { type BrowserState, findBrowserState, isOwnForm } from "../core/pages/browser_state.http.ts";
import { deviceFor } from "../core/pages/device_cookie.http.ts";
import { keepsSignedIn } from "../core/pages/keep_signed_in.view.ts";
import { rememberMethod } from "../core/pages/last_method.http.ts";
import { leadToUndo } from "../core/pages/lead_to_undo.http.ts";
import { browserMarks } from "../core/pages/mark_browser.http.ts";
import { rememberChoice } from "../core/sessions.ts";
import { answerOutOfDate, loginSender } from "./login_answer.http.ts";
import { awaitsSetup } from "./setup.ts";
import { signIn } from "./sign_in.ts";

export function signInRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity } = context;
  const now = () => server.now();

  const sendLogin = loginSender(context);

  getAndHead(app, "/login", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = queryOf(request);
    const target = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    const another = params.get("account") === "another";
    if (
      browser.signedIn !== undefined &&
      !another &&
      (await pendingInteraction(target.url, browser.signedIn, server)) === undefined
    ) {
      return reply.redirect(target.location, 302);
    }
    if (browser.signedIn === undefined && target.url.startsWith("/console") && (await awaitsSetup(identity)))
      return reply.redirect("/", 302);
    return sendLogin(request, reply, browser, target, { status: 200, another });
  });

  app.post("/login", { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const target = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    const { signedIn } = browser;
    if (!isOwnForm(request, params, browser, context)) {
      return answerOutOfDate(request, reply, browser, target, context, params.get("email"));
    }
    const account = params.get("account");
    if (account === "continue" && signedIn !== undefined) {
      await goOnAs(signedIn, target);
      return reply.redirect(target.location, 302);
    }
    if (account !== undefined) {
      const email = params.get("email");
      return sendLogin(request, reply, browser, target, { status: 200, another: true, email });
    }
    return signInWithPassword(params, request, reply, browser, target);
  });

  /** Choosing an account never satisfies a request to sign in again. */
  async function goOnAs(signedIn: SignedIn, { url }: LocalRedirect): Promise<void> {
    if ((await pendingInteraction(url, signedIn, server)) !== "select_account") return;
    await rememberChoice(signedIn, requestHash(url, now()), identity);
  }

  async function mailReset(user: User, request: FastifyRequest): Promise<void> {
    const origin = originOf(request);
    const requested = { email: user.email, origin, browser_marks: browserMarks(request, context) };
    if ((await admitResetRequest(requested, identity)) !== undefined) return;
    postResetLink(context, user, { origin, locale: localeOf(request) });
  }

  async function signInWithPassword(
    params: Params,
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    target: LocalRedirect,
  ): Promise<FastifyReply> {
    const email = params.get("email") ?? "";
    const password = params.get("password") ?? "";
    const keep = keepsSignedIn(params);
    const origin = originOf(request);
    const browser_marks = browserMarks(request, context);
    const device = deviceFor(target, request, context);
    const outcome = await signIn({ email, password, origin, browser_marks, device }, identity);
    switch (outcome.type) {
      case "refused": {
        const short_id = refusedSignIn(outcome, request, context);
        const failure = "refused";
        if (outcome.reason === "foreign_password_over") await mailReset(outcome.mail_to, request);
        return sendLogin(request, reply, browser, target, { status: 401, email, keep, failure, short_id });
      }
      case "deletion_pending":
        return leadToUndo(outcome.user, { browser, reply }, context);
      case "throttled": {
        const { retry_after } = outcome;
        reply.header("retry-after", retry_after);
        const failure = "throttled";
        const short_id = refusedSignIn(outcome, request, context);
        const answer = { status: 429, email, keep, failure, retry_after, short_id } as const;
        return sendLogin(request, reply, browser, target, answer);
      }
      case "signed_in":
      case "second_factor": {
        const { user, methods, type, weakness } = outcome;
        rememberMethod({ kind: "password" }, request, reply, context);
        const onward = pastForeignPassword(target, weakness);
        const entrance = { ...entranceOf(browser, target, request, reply, context), user, methods, keep };
        const leaving = { ...entrance, request: onward.location, second_factor: type === "second_factor" };
        const entered = await goOn(leaving, identity);
        const next =
          weakness === undefined ? await pastPasskeyOffer(entered, target, request, context) : onward;
        return answerEntered(entered, { browser, target: next, request, reply }, context);
      }
      default:
        return outcome satisfies never;
    }
  }
}
