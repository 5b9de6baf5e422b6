import type { FastifyInstance, FastifyReply } from "fastify";
import { calledOf, isInviterActive } from "../../admin/changes/inviters.ts";
import { clearCookie, readCookie } from "../../http/cookies.ts";
import { answerUnknown } from "../../http/error_answers.ts";
import { formOf } from "../../http/form.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { type Params, refuseRepeated } from "../../oauth/core/params.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { trimEmail } from "../../records/names/email.ts";
import { anyProvider } from "../../records/names/provider_paths.ts";
import { openAddress, sealAddress } from "../core/carried_fields.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { entranceOf } from "../core/pages/answer_entered.http.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../core/pages/browser_state.http.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { browserMarks } from "../core/pages/mark_browser.http.ts";
import type { Provider, ReturnedAccount } from "../core/proofs/provider_account.ts";
import { purposes } from "../core/proofs/purposes.ts";
import { requireSudo, type SudoRequirement } from "../core/sudo/require_sudo.http.ts";
import { continuePath } from "./page_paths.view.ts";
import {
  goOnPage,
  newAccountPage,
  offerLinkPage,
  type PageJoining,
  type ProveFailure,
  provePage,
  switchPage,
} from "./provider.pages.ts";
import { providerOf } from "./provider.routes.ts";
import { answerStepOutcome } from "./provider_answers.http.ts";
import { mailCodeMail } from "./provider_mailbox.mail.ts";
import { type Joining, joiningOf } from "./provider_people.ts";
import { type Answer, addressOf, answerStep, stepOf, takeStep } from "./provider_steps.ts";
import { providerPage, sendProviderRefusal, type Visit } from "./provider_view.http.ts";
import {
  accountMark,
  checkMailboxCode,
  dropAccount,
  findWaitingAccount,
  isAboutAccount,
  makeMailboxCode,
  type WaitingAccount,
} from "./waiting_account.ts";

const pages = { config: { errorFormat: "page" } } as const;

const linkRequirement: SudoRequirement = { when: (fields) => fields.get("answer") === "link" };

const { minutes } = purposes.provider_mailbox;

interface Waiting extends Visit {
  readonly waiting: WaitingAccount;
  readonly cookie: string;
}

const nameThere = ({ email, name, subject }: ReturnedAccount): string => email ?? name ?? subject;

interface Said {
  readonly failure?: ProveFailure;
  readonly error?: "name" | "email";
  readonly code_sent_to?: string | undefined;
  readonly name?: string;
  readonly status?: number;
}

export function providerContinueRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, mail } = context;
  if (identity.provider_client === undefined) return;
  const path = continuePath(anyProvider);

  app.get(path, pages, async (request, reply) => {
    const provider = await providerOf(request, context);
    if (provider === undefined) return answerUnknown(request, reply, undefined, context);
    const browser = await findBrowserState(request, context);
    const cookie = readCookie(request, "provider", context.secure);
    const waiting = await findWaitingAccount(provider, cookie, identity);
    const visit = { provider, url: waiting?.data.request ?? "/", browser, request, reply };
    if (waiting === undefined || cookie === undefined) {
      return sendProviderRefusal(visit, { refusal: "unsolicited" }, context);
    }
    const code_sent_to = openAddress(queryOf(request).get("to"), continuePath(provider), identity);
    return sendStep({ ...visit, waiting, cookie }, { code_sent_to });
  });

  app.post(path, pages, async (request, reply) => {
    const provider = await providerOf(request, context);
    if (provider === undefined) return answerUnknown(request, reply, undefined, context);
    const params = formOf(request);
    refuseRepeated(params);
    const browser = await findBrowserState(request, context);
    if (!isOwnForm(request, params, browser, context)) throw refuse("foreign_form");
    const cookie = readCookie(request, "provider", context.secure);
    const waiting = await findWaitingAccount(provider, cookie, identity);
    const visit = { provider, url: waiting?.data.request ?? "/", browser, request, reply };
    if (waiting === undefined || cookie === undefined) {
      return sendProviderRefusal(visit, { refusal: "unsolicited" }, context);
    }
    return answer({ ...visit, waiting, cookie }, params);
  });

  async function sendStep(visit: Waiting, said: Said = {}): Promise<FastifyReply> {
    const { provider, waiting, browser, reply, url } = visit;
    const { signedIn } = browser;
    const account = waiting.data;
    const { step, user } = await stepOf({ provider, account, purpose: "sign_in", signedIn }, identity);
    const joining = await joiningIn(visit);
    const account_mark = accountMark(waiting, joining, identity);
    const page = { ...(await providerPage(visit, context)), account_mark };
    const send = (html: Parameters<typeof sendPage>[1]) =>
      sendPage(reply, html, { status: said.status ?? 200 });
    const email = addressOf(account);
    switch (step) {
      case "prove": {
        const { failure, code_sent_to } = said;
        const back_href = loginHref(url);
        const mails = mail !== undefined;
        return send(provePage({ ...page, email, failure, code_sent_to, minutes, mails, back_href }));
      }
      case "offer_new_account": {
        const name = said.name ?? account.name;
        const made = { email: email ?? "", account: nameThere(account), name };
        const shown = await shownOf(joining, provider);
        return send(newAccountPage({ ...page, ...made, joining: shown, error: said.error }));
      }
      case "offer_link":
      case "offer_proved":
      case "offer_take_over": {
        const organization = await ownerOf(provider);
        const here = (step === "offer_link" ? signedIn?.user : user)?.email ?? "";
        return send(
          offerLinkPage({ ...page, account: nameThere(account), email: here, skip_href: url, organization }),
        );
      }
      case "ask_to_switch": {
        const present = signedIn?.user.email ?? "";
        return send(switchPage({ ...page, present, other: user?.email ?? "", stay_href: url }));
      }
      case "no_account":
      case "refuse_inactive":
      case "beyond_reach":
        return answerStepOutcome({ type: step }, { ...visit, account, purpose: "sign_in" }, context);
      default:
        return send(goOnPage(page));
    }
  }

  async function ownerOf({ organization_id }: Provider): Promise<string | undefined> {
    if (organization_id == null) return undefined;
    return (await identity.store.find("organizations", { id: organization_id }))?.name;
  }

  function joiningIn({ provider, waiting: { data } }: Waiting): Promise<Joining | undefined> {
    const address = { ...data, email: addressOf(data) ?? "" };
    return joiningOf(provider, address, isInviterActive, identity.store, identity.now());
  }

  async function shownOf(joining: Joining | undefined, provider: Provider): Promise<PageJoining | undefined> {
    const organization = await ownerOf(provider);
    if (organization === undefined || joining === undefined) return undefined;
    if (joining.type !== "as_invited") return { ...joining, organization };
    const { invitation } = joining;
    const { role } = invitation;
    const further_roles = (await calledOf(identity.store, [invitation]))(invitation);
    return { type: "as_invited", organization, role, further_roles };
  }

  async function cancel({ cookie, reply, url }: Waiting): Promise<FastifyReply> {
    await dropAccount(cookie, identity);
    clearCookie(reply, "provider", context.secure);
    return reply.redirect(loginHref(url), 303);
  }

  async function answer(posting: Waiting, posted: Params): Promise<FastifyReply> {
    const joining = await joiningIn(posting);
    if (!isAboutAccount(posted.get("account"), posting.waiting, joining, identity)) {
      return sendStep(posting, { status: 409 });
    }
    if (posted.get("answer") === "cancel") return cancel(posting);
    const passed = await proveForLink(posting, posted);
    if (passed === undefined) return posting.reply;
    const { visit, params } = passed;
    if (!isAboutAccount(params.get("account"), visit.waiting, joining, identity)) {
      return sendStep(visit, { status: 409 });
    }
    switch (params.get("answer")) {
      case "mail":
        return sendCode(visit, params);
      case "code":
        return takeCode(visit, params);
      case "create":
        return decide(visit, { type: "create", name: params.get("name") ?? "", joining, isInviterActive });
      case "switch":
        return decide(visit, { type: "switch" });
      case "link":
        return decide(visit, { type: "link" });
      default:
        return decide(visit, undefined);
    }
  }

  /** Linking to the signed-in account requires reauthentication (sudo), as on the account page (EP-12). */
  async function proveForLink(visit: Waiting, params: Params) {
    const { provider, browser, request, reply, waiting } = visit;
    const { signedIn } = browser;
    if (signedIn === undefined) return { visit, params };
    const account = waiting.data;
    const { step } = await stepOf({ provider, account, purpose: "sign_in", signedIn }, identity);
    if (step !== "offer_link") return { visit, params };
    const csrf_token = csrfToken(browser, reply, context);
    const requested = {
      signedIn,
      params,
      csrf_token,
      requirement: linkRequirement,
      return_to: continuePath(provider),
    };
    const passed = await requireSudo(requested, request, reply, context);
    if (passed === undefined) return undefined;
    const here = { ...visit, browser: { ...browser, signedIn: passed.signedIn } };
    return { visit: here, params: passed.params };
  }

  async function decide(visit: Waiting, answered: Answer | undefined): Promise<FastifyReply> {
    const { provider, waiting, browser, request, reply, url, cookie } = visit;
    const { signedIn } = browser;
    const account = waiting.data;
    const target = localRedirect(url, server.issuer);
    const entrance = entranceOf(browser, target, request, reply, context);
    const proof = waiting;
    const continue_at = continuePath(provider);
    const purpose = "sign_in" as const;
    const returned = { provider, account, purpose, entrance, signedIn, continue_at, proof };
    const outcome =
      answered === undefined
        ? await takeStep(returned, identity)
        : await answerStep(answered, returned, identity);
    if (outcome.type === "refused") {
      const name = answered?.type === "create" ? answered.name : "";
      return sendStep(visit, { error: outcome.field, name, status: 422 });
    }
    if (outcome.type === "entered" || outcome.type === "joined") await dropAccount(cookie, identity);
    return answerStepOutcome(outcome, { ...visit, account, purpose }, context);
  }

  async function sendCode(visit: Waiting, params: Params): Promise<FastifyReply> {
    const { provider, waiting, cookie, request, reply } = visit;
    const email = params.get("email") ?? "";
    if (mail === undefined) return sendStep(visit, { failure: "no_mail", status: 422 });
    const browser_marks = browserMarks(request, context);
    const requested = { email, cookie, origin: originOf(request), browser_marks };
    const made = await makeMailboxCode(requested, waiting, provider, identity);
    if (made.type === "refused") return sendStep(visit, { failure: "email", status: 422 });
    if (made.type === "throttled") {
      context.metrics?.count("postern_mails_refused_total", { kind: "provider_code" });
      reply.header("retry-after", made.retry_after);
      return sendStep(visit, { failure: "throttled", status: 429 });
    }
    const locale = localeOf(request);
    const server_name = new URL(server.issuer).host;
    const { to, code } = made;
    const message = mailCodeMail({ ...locale, server_name, provider: provider.label, code, minutes });
    mail.post(async () => ({ to, ...message }), "anybody");
    // Redirects, because reloading this response would send a second email (RFC 9110, section 15.4.4).
    const path = continuePath(provider);
    const sent_to = sealAddress(trimEmail(email), path, identity);
    return reply.redirect(`${path}?${new URLSearchParams({ to: sent_to })}`, 303);
  }

  async function takeCode(visit: Waiting, params: Params): Promise<FastifyReply> {
    const { provider, waiting, cookie } = visit;
    const input = { code: params.get("code") ?? "", cookie };
    const checked = await checkMailboxCode(input, waiting, provider, identity);
    switch (checked.type) {
      case "right":
        return decide({ ...visit, waiting: checked.waiting }, undefined);
      case "wrong": {
        const code_sent_to = params.get("email") ?? "";
        return sendStep(visit, { failure: "wrong_code", code_sent_to, status: 422 });
      }
      case "ended":
        return sendStep(visit, { failure: "code_ended", status: 422 });
      default:
        return checked satisfies never;
    }
  }
}
