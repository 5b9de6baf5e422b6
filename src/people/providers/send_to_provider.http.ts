/** Redirects to a provider for sign-in, linking and reauthentication (EP-3, EP-16, EP-17). */
import type { FastifyReply } from "fastify";
import { refusedUpstream } from "../../http/refused.ts";
import { originOf } from "../../http/request_origin.ts";
import { wantedFreshness } from "../../oauth/authorize/pending_request.ts";
import { isOutage, UpstreamError } from "../../providers/upstream_error.ts";
import { callbackOf } from "../../records/names/provider_paths.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { formCookieOf } from "../core/pages/browser_state.http.ts";
import type { ProviderPurpose } from "../core/proofs/provider_account.ts";
import { beginProviderSignIn } from "./begin_provider_sign_in.ts";
import type { ProviderRefusal } from "./provider.pages.ts";
import { linkedAccountsPath } from "./provider_answers.http.ts";
import { sendProviderRefusal, type Visit } from "./provider_view.http.ts";
import { reportUnproved } from "./report_unproved.http.ts";

/**
 * Redirects the browser to the provider, or sends a page that explains why the sign-in there cannot start.
 */
export async function sendToProvider(
  visit: Visit,
  {
    purpose,
    failures = 0,
    keep,
  }: { readonly purpose: ProviderPurpose; readonly failures?: number; readonly keep?: boolean },
  context: HttpContext,
): Promise<FastifyReply> {
  const { provider, url, browser, request, reply } = visit;
  const { server, identity } = context;
  try {
    const begun = await beginProviderSignIn(
      {
        provider,
        purpose,
        browser: formCookieOf(browser, reply, context),
        signedIn: browser.signedIn,
        request: url,
        redirect_uri: callbackOf(server.issuer, provider),
        ...(await wantedFreshness(url, server)),
        failures,
        ...(keep && { keep }),
        origin: originOf(request),
      },
      identity,
    );
    if (begun.type === "redirect") return reply.redirect(begun.url, 303);
    if (begun.type === "throttled") reply.header("retry-after", begun.retry_after);
    const other_href = otherHref(purpose, url);
    return sendProviderRefusal(visit, { refusal: begun.type, ...(other_href && { other_href }) }, context);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return sendProviderError(visit, error, { purpose, failures: failures + 1 }, context);
  }
}

/**
 * Sends the page for an error at the provider, with a short ID by which administrators find the cause
 * (EP-16).
 */
export function sendProviderError(
  visit: Visit,
  error: UpstreamError,
  { purpose, failures }: { readonly purpose: ProviderPurpose; readonly failures: number },
  context: HttpContext,
): Promise<FastifyReply> {
  const { provider, request, url } = visit;
  const { kind, field, message: sentence, expected, received } = error;
  const facts = { provider: provider.slug, field, sentence, expected, received };
  const short_id = refusedUpstream(facts, request, context);
  if (purpose === "sign_in") reportUnproved("provider", request, context);
  const refusal: ProviderRefusal =
    kind === "auth_time" ? "not_fresh" : isOutage(error) ? "unreachable" : "failed";
  const other_href = otherHref(purpose, url);
  return sendProviderRefusal(
    visit,
    { refusal, failures, short_id, ...(other_href && { other_href }) },
    context,
  );
}

/** Returns the URL to return to after a failure; undefined for a sign-in. */
export function otherHref(purpose: ProviderPurpose, url: string): string | undefined {
  if (purpose === "link") return linkedAccountsPath;
  return purpose === "sudo" ? url : undefined;
}
