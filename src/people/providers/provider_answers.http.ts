import type { FastifyReply } from "fastify";
import { clearCookie, setCookie } from "../../http/cookies.ts";
import { refusedUpstream } from "../../http/refused.ts";
import { localRedirect } from "../../http/same_origin.ts";
import type { User } from "../../records/definition/definition.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { postNotice } from "../core/notices/account_notices.http.ts";
import { disownLink } from "../core/notices/disown_link.http.ts";
import { answerEntered } from "../core/pages/answer_entered.http.ts";
import { rememberMethod } from "../core/pages/last_method.http.ts";
import { leadToUndo } from "../core/pages/lead_to_undo.http.ts";
import type { ProviderPurpose, ReturnedAccount } from "../core/proofs/provider_account.ts";
import { setSessionCookie } from "../core/session_cookie.http.ts";
import { isPendingDeletion } from "../core/undo_deletion.ts";
import { findLinkedUser } from "./linked_accounts.ts";
import { continuePath } from "./page_paths.view.ts";
import type { AnswerOutcome } from "./provider_steps.ts";
import { sendProviderRefusal, type Visit } from "./provider_view.http.ts";
import { reportUnproved } from "./report_unproved.http.ts";
import { storeAccount } from "./waiting_account.ts";

export const linkedAccountsPath = "/account/linked-accounts";

interface Answering extends Visit {
  readonly account: ReturnedAccount;
  readonly purpose: ProviderPurpose;
}

/** Answers with the outcome of a step, or redirects to the page with the step's question for the user. */
export async function answerStepOutcome(
  outcome: Exclude<AnswerOutcome, { type: "refused" }>,
  answering: Answering,
  context: HttpContext,
): Promise<FastifyReply> {
  const { provider, account, browser, request, reply, url } = answering;
  const target = localRedirect(url, context.server.issuer);
  switch (outcome.type) {
    case "entered":
      clearCookie(reply, "provider", context.secure);
      if (outcome.linked !== undefined) notifyOfLink(outcome.linked, answering, context);
      rememberMethod({ kind: "provider", slug: provider.slug }, request, reply, context);
      return answerEntered(outcome.entered, { browser, target, request, reply }, context);
    case "proving": {
      const here = localRedirect(continuePath(provider), context.server.issuer);
      return answerEntered(outcome.entered, { browser, target: here, request, reply }, context);
    }
    case "joined":
      clearCookie(reply, "provider", context.secure);
      notifyOfLink(outcome.user, answering, context);
      if (outcome.opened !== undefined)
        setSessionCookie(reply, outcome.opened.cookie, outcome.opened.session, context);
      return reply.redirect(target.location, 303);
    case "linked":
      notifyOfLink(outcome.user, answering, context);
      return reply.redirect(`${linkedAccountsPath}?done=account_linked`, 303);
    case "already_linked":
      return reply.redirect(linkedAccountsPath, 303);
    case "stepped_up":
      setSessionCookie(reply, outcome.cookie, outcome.session, context);
      return reply.redirect(target.location, 303);
    case "ask_to_switch":
    case "offer_link":
    case "offer_proved":
    case "offer_take_over":
    case "offer_new_account":
    case "prove": {
      const cookie = await storeAccount(provider, account, context.identity);
      setCookie(reply, "provider", context.secure, cookie);
      return reply.redirect(continuePath(provider), 303);
    }
    case "no_account":
    case "refuse_inactive": {
      reportUnproved("provider", answering.request, context);
      const linked = await findLinkedUser(provider, account, context.identity);
      if (linked !== undefined && isPendingDeletion(linked, context.server.now())) {
        return leadToUndo(linked, answering, context);
      }
      return sendProviderRefusal(
        answering,
        { refusal: outcome.type, short_id: refusedStep(outcome.type, answering, context) },
        context,
      );
    }
    case "beyond_reach": {
      reportUnproved("provider", answering.request, context);
      const short_id = refusedStep("beyond_reach", answering, context);
      const back = answering.purpose === "sign_in" ? {} : { other_href: url };
      const refused = { refusal: outcome.type, short_id, ...back } as const;
      return sendProviderRefusal(answering, refused, context);
    }
    case "linked_elsewhere":
    case "other_account":
      return sendProviderRefusal(answering, { refusal: outcome.type, other_href: url }, context);
    case "void":
      return sendProviderRefusal(answering, { refusal: "void" }, context);
    default:
      return outcome satisfies never;
  }
}

function notifyOfLink(user: User, answering: Answering, context: HttpContext): void {
  const { provider, request, browser } = answering;
  const not_me_href = async () => {
    const links = await context.identity.store.list("oauth_accounts", { user_id: user.id });
    const made = links
      .filter(({ provider_id }) => provider_id === provider.id)
      .map((link) => link.created_at);
    // A sign-in that creates a link has no earlier session, so the creation time of the link is used.
    const since = browser.signedIn?.session.created_at ?? made.toSorted((a, b) => +a - +b).at(-1) ?? null;
    return disownLink({ user, since }, context)();
  };
  postNotice(context, { kind: "link_added", user, request, name: provider.label, not_me_href });
}

/** The record of the refusal must reveal nothing about other users' accounts. */
function refusedStep(
  step: "no_account" | "refuse_inactive" | "beyond_reach",
  { provider, account, request }: Answering,
  context: HttpContext,
): string {
  const { slug, sign_up } = provider;
  const about = {
    no_account: {
      field: "trust in the email address",
      sentence: "the provider's sign-up setting does not allow an account for this email address",
      received: account.proved_email === undefined ? account.verdict : "proved by a code",
      expected: `sign_up ${sign_up}`,
    },
    refuse_inactive: {
      field: "account",
      sentence: "the linked account is inactive",
      received: "inactive",
      expected: "active",
    },
    beyond_reach: {
      field: "account",
      sentence: "the provider belongs to an organization and signs in only its members",
      received: "not a member, or an administrator outside the organization",
      expected: "a member of its organization",
    },
  }[step];
  return refusedUpstream({ provider: slug, ...about }, request, context);
}
