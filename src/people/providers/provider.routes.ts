/** The redirects to an external provider and back (EP-3, EP-4, EP-6, EP-16, EP-18). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerUnknown } from "../../http/error_answers.ts";
import { formOf } from "../../http/form.ts";
import { originOf } from "../../http/request_origin.ts";
import { type LocalRedirect, localRedirect } from "../../http/same_origin.ts";
import { queryOf } from "../../http/target.ts";
import { type Params, refuseRepeated } from "../../oauth/core/params.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import type { UpstreamAnswer } from "../../providers/upstream.ts";
import { UpstreamError } from "../../providers/upstream_error.ts";
import { isValueOf } from "../../records/formats/check.ts";
import { anyProvider, backchannelLogoutPath, callbackPath } from "../../records/names/provider_paths.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { entranceOf } from "../core/pages/answer_entered.http.ts";
import { type BrowserState, findBrowserState, isOwnForm } from "../core/pages/browser_state.http.ts";
import { keepsSignedIn } from "../core/pages/keep_signed_in.view.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { noteUnproved } from "../core/saved_forms.ts";
import { findProvider } from "./active_providers.ts";
import { finishProviderSignIn, storeFormAnswer, takeFormAnswer } from "./finish_provider_sign_in.ts";
import { continuePath, leavePath } from "./page_paths.view.ts";
import { answerStepOutcome } from "./provider_answers.http.ts";
import { takeStep } from "./provider_steps.ts";
import { sendProviderRefusal } from "./provider_view.http.ts";
import { otherHref, sendProviderError, sendToProvider } from "./send_to_provider.http.ts";
import { endUpstreamSessions, sendsLogoutTokens } from "./upstream_logout.ts";

const pages = { config: { errorFormat: "page" } } as const;

type AnswerOutOfDate = (
  request: FastifyRequest,
  reply: FastifyReply,
  browser: BrowserState,
  target: LocalRedirect,
  context: HttpContext,
) => Promise<FastifyReply>;

export function providerRoutes(
  app: FastifyInstance,
  context: HttpContext,
  answerOutOfDate: AnswerOutOfDate,
): void {
  const { server, identity } = context;
  if (identity.provider_client === undefined) return;

  app.post(leavePath(anyProvider), pages, async (request, reply) => {
    const provider = await providerOf(request, context);
    if (provider === undefined) return answerUnknown(request, reply, undefined, context);
    const params = formOf(request);
    refuseRepeated(params);
    const target = localRedirect(params.get("redirect"), server.issuer);
    const browser = await findBrowserState(request, context);
    if (!isOwnForm(request, params, browser, context)) {
      return answerOutOfDate(request, reply, browser, target, context);
    }
    const visit = { provider, url: target.url, browser, request, reply };
    const requested = {
      purpose: "sign_in",
      failures: failuresIn(params),
      keep: keepsSignedIn(params),
    } as const;
    return sendToProvider(visit, requested, context);
  });

  app.get(callbackPath(anyProvider), pages, async (request, reply) => {
    const provider = await providerOf(request, context);
    if (provider === undefined) return answerUnknown(request, reply, undefined, context);
    const params = queryOf(request);
    refuseRepeated(params);
    const kept = params.get("form");
    const answer =
      kept === undefined ? answerIn(params) : ((await takeFormAnswer(provider, kept, identity)) ?? {});
    return answerReturn(provider, answer, await findBrowserState(request, context), request, reply);
  });

  // The provider's form is posted from another site and therefore without cookies. Nothing is decided until
  // the browser returns with its cookies (EP-6).
  app.post(callbackPath(anyProvider), pages, async (request, reply) => {
    const provider = await providerOf(request, context);
    if (provider === undefined) return answerUnknown(request, reply, undefined, context);
    const params = formOf(request);
    refuseRepeated(params);
    const answer = answerIn(params);
    if (Object.values(answer).join("").length > longestForm)
      throw refuse("body_too_large", { most: longestForm });
    const isKept = await storeFormAnswer(provider, answer, originOf(request), identity);
    const form = isKept ? (answer.state ?? "") : "unknown";
    return reply.redirect(`${callbackPath(provider)}?${new URLSearchParams({ form })}`, 303);
  });

  app.post(
    backchannelLogoutPath(anyProvider),
    { config: { errorFormat: "json" } },
    async (request, reply) => {
      const provider = await providerOf(request, context);
      if (provider === undefined || !sendsLogoutTokens(provider))
        return answerUnknown(request, reply, undefined, context);
      const token = formOf(request).get("logout_token");
      if (token === undefined) throw refuse("parameter_missing", { name: "logout_token" });
      try {
        await endUpstreamSessions(provider, token, originOf(request), identity);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        throw refuse("upstream_logout", { ...error, provider: provider.slug });
      }
      return reply.header("cache-control", "no-store").code(200).send();
    },
  );

  async function answerReturn(
    provider: Provider,
    answer: UpstreamAnswer,
    browser: BrowserState,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn, form_cookie } = browser;
    const input = { provider, answer, browser: form_cookie, signedIn };
    const finished = await finishProviderSignIn(input, identity);
    const url = finished.type === "came_back" ? finished.account.request : (finished.request ?? "/");
    const visit = { provider, url, browser, request, reply };
    switch (finished.type) {
      case "unsolicited":
        // The user has signed in in another window of this browser.
        if (finished.request !== undefined && signedIn !== undefined)
          return reply.redirect(loginHref(url), 303);
        return sendProviderRefusal(visit, { refusal: "unsolicited" }, context);
      case "cancelled":
        return reply.redirect(otherHref(finished.purpose, url) ?? loginHref(url), 303);
      case "failed":
        if (finished.purpose === "sudo" && finished.error.kind === "auth_time" && signedIn !== undefined) {
          await noteUnproved({ signedIn, browser: form_cookie }, identity);
        }
        return sendProviderError(visit, finished.error, finished, context);
      case "came_back": {
        const { account, purpose } = finished;
        const target = localRedirect(url, server.issuer);
        const entrance = entranceOf(browser, target, request, reply, context);
        const continue_at = continuePath(provider);
        const returned = { provider, account, purpose, entrance, signedIn, continue_at };
        const outcome = await takeStep(returned, identity);
        return answerStepOutcome(outcome, { ...visit, account, purpose }, context);
      }
      default:
        return finished satisfies never;
    }
  }
}

export async function providerOf(
  request: FastifyRequest,
  { identity }: HttpContext,
): Promise<Provider | undefined> {
  const { slug = "" } = request.params as { readonly slug?: string };
  return isValueOf("providers", "slug", slug) ? findProvider(slug, identity) : undefined;
}

const longest = 4096;

/** Maximum characters in all parameters of a form response together. Apple sends several hundred. */
const longestForm = 8192;

/** Unknown parameters of the response are dropped (EP-6). */
function answerIn(params: Params): UpstreamAnswer {
  const names = ["state", "code", "iss", "error", "error_description", "user"] as const;
  const input = names.flatMap((name) => {
    const value = params.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (input.some(([, value]) => value.length > longest)) throw refuse("body_too_large", { most: longest });
  return Object.fromEntries(input);
}

function failuresIn(params: Params): number {
  const failures = params.get("failures") ?? "0";
  return /^\d$/.test(failures) ? Number(failures) : 0;
}
