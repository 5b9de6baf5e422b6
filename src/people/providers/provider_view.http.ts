import type { FastifyReply, FastifyRequest } from "fastify";
import { pageBrand } from "../../http/branding.ts";
import { localeOf } from "../../http/language.ts";
import { sendPage } from "../../http/page.ts";
import { targetOf } from "../../http/target.ts";
import { describePending } from "../../oauth/authorize/pending_request.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { type BrowserState, csrfToken } from "../core/pages/browser_state.http.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { type ProviderPage, type ProviderRefusal, providerRefusalPage } from "./provider.pages.ts";
import type { OfferedProvider } from "./provider_buttons.view.ts";

export function offered({ slug, label, preset }: Provider): OfferedProvider {
  return { slug, label, preset };
}

/** Returns a URL at the provider, for the content security policy of a page whose forms redirect there. */
export function addressAt({ issuer, authorization_endpoint }: Provider): string {
  return issuer ?? authorization_endpoint ?? "https://provider.invalid";
}

export interface Visit {
  readonly provider: Provider;
  readonly url: string;
  readonly browser: BrowserState;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export async function providerPage(
  { provider, url, browser, request, reply }: Visit,
  context: HttpContext,
): Promise<ProviderPage> {
  const { organization, ui_locales } = await describePending(url, context.server);
  const back = request.method === "GET" ? targetOf(request).url : loginHref(url);
  return {
    ...localeOf(request, back, ui_locales),
    provider: offered(provider),
    csrf_token: csrfToken(browser, reply, context),
    brand: pageBrand(organization, context),
  };
}

interface SentRefusal {
  readonly refusal: ProviderRefusal;
  /** Consecutive failed attempts; after the second, the page offers only the list of methods (EP-16). */
  readonly failures?: number;
  readonly short_id?: string | undefined;
  readonly other_href?: string;
}

const statusOf: Partial<Record<ProviderRefusal, number>> = {
  no_account: 403,
  refuse_inactive: 403,
  beyond_reach: 403,
  linked_elsewhere: 409,
  void: 409,
  throttled: 429,
};

const mostFailures = 2;

const final: readonly ProviderRefusal[] = ["no_account", "refuse_inactive", "beyond_reach", "cannot_freshen"];

export async function sendProviderRefusal(
  visit: Visit,
  { refusal, failures = 0, short_id, other_href = loginHref(visit.url) }: SentRefusal,
  context: HttpContext,
): Promise<FastifyReply> {
  const page = await providerPage(visit, context);
  const mayTryAgain = failures < mostFailures && !final.includes(refusal) && other_href.startsWith("/login");
  const again = mayTryAgain ? { redirect: visit.url, failures: String(failures) } : undefined;
  const html = providerRefusalPage({ ...page, refusal, again, other_href, short_id });
  return sendPage(visit.reply, html, { status: statusOf[refusal] ?? 400 });
}
