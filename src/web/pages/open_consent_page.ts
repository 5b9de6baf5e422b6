import { avatar } from "../html/avatar.ts";
import { type Html, html } from "../html/html.ts";
import { notice } from "../html/notice.ts";
import type { OpenClientOnPage } from "../html/open_client.ts";
import { safeHref } from "../html/safe_href.ts";
import { layout, mark } from "../layout.ts";
import type { OpenConsentWords } from "../words/en/open_consent.ts";
import type { PageLocale } from "../words/page_locale.ts";
import {
  accountFact,
  type ConsentScope,
  decisionForm,
  type RequestedResource,
  resourcesFact,
  scopeList,
} from "./consent_page.ts";

export type OpenConsentPage = PageLocale & {
  client: OpenClientOnPage;
  user: { name: string; email: string };
  scopes: readonly ConsentScope[];
  resources: readonly RequestedResource[];
  /** Either decision sends the browser there: an origin in ASCII, or a URL scheme. */
  redirect_to: string;
  /** An app on the user's device, with a loopback or private-use redirect URI, cannot be identified. */
  answers: "site" | "loopback" | "private_scheme";
  csrf_token: string;
  /** The encrypted authorization request, to which the decision is bound (A-21). */
  request: string;
  switch_account_href: string;
};

function scopeGroups(scopes: readonly ConsentScope[], words: OpenConsentWords, locale: PageLocale): Html {
  const { consent } = locale.words;
  const list = (given: readonly ConsentScope[]) =>
    scopeList(
      given.map((scope) => ({ ...scope, already_granted: false })),
      consent,
    );
  const before = scopes.filter((scope) => scope.already_granted);
  const requested = scopes.filter((scope) => !scope.already_granted);
  if (before.length === 0) return html`<h2>${consent.able}</h2>${list(requested)}`;
  return html`${requested.length > 0 && html`<h2>${words.newly}</h2>${list(requested)}`}
<h2>${words.already}</h2>${list(before)}`;
}

/** The link shows its host, because the linked page may not belong to the client. */
function saidLink(label: string, address: string | undefined, words: OpenConsentWords): Html | false {
  const href = safeHref(address);
  if (href === undefined) return false;
  return html`<div><dt>${label}</dt><dd><a href="${href}" target="_blank" rel="noopener noreferrer"><bdi dir="ltr">${new URL(href).host}</bdi></a><br><span class="quiet">${words.saidByItself}</span></dd></div>`;
}

/**
 * Renders the page that asks whether a client that no administrator registered may act for the user (PR-11).
 * The verified facts come first; what the client says about itself is marked.
 */
export function openConsentPage({
  client,
  user,
  scopes,
  resources,
  redirect_to,
  answers,
  csrf_token,
  request,
  switch_account_href,
  ...locale
}: OpenConsentPage): Html {
  const words = locale.words.openConsent;
  const { consent } = locale.words;
  const { verified_host, client_id, claimed_name, hidden_name, links = {} } = client;
  const who =
    verified_host === undefined ? words.unknown : html`<bdi class="name" dir="ltr">${verified_host}</bdi>`;
  return layout({
    ...locale,
    title: consent.title(verified_host ?? words.unknown),
    body: html`<section class="card consent">
<div class="parties">${avatar({ name: verified_host ?? "?", kind: "client" })}<span class="path" aria-hidden="true">${mark}</span>${avatar({ name: user.name, kind: "user" })}</div>
<h1 class="centred">${consent.heading(who)}</h1>
<p class="centred">${verified_host === undefined ? html`<span class="badge badge-caution">${words.unproven}</span>` : html`<span class="badge badge-success">${words.verified}</span>`}</p>
${claimed_name !== undefined && html`<p class="lead centred">${words.callsItself(html`<bdi class="name">${claimed_name}</bdi>`)}</p>`}
${hidden_name !== undefined && html`<p class="lead centred">${words.hiddenName[hidden_name]}</p>`}
${answers !== "site" && notice("caution", html`<p>${words.warning[answers]}</p>`)}
${scopeGroups(scopes, words, locale)}
<dl class="facts">
${resourcesFact(resources, locale)}
${accountFact(user, switch_account_href, locale)}
<div><dt>${words.identifier}</dt><dd><code>${client_id}</code></dd></div>
${saidLink(consent.policy, links.policy_uri, words)}
${saidLink(consent.terms, links.tos_uri, words)}
</dl>
${decisionForm({ request, csrf_token, redirect_to }, consent)}
</section>`,
  });
}
