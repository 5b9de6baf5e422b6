import type { ClientLinks } from "../../records/definition/client_links.ts";
import { avatar } from "../html/avatar.ts";
import type { Brand } from "../html/brand.ts";
import { hiddenFields } from "../html/hidden_fields.ts";
import { type Html, html } from "../html/html.ts";
import { notice } from "../html/notice.ts";
import { safeHref } from "../html/safe_href.ts";
import { layout, mark } from "../layout.ts";
import type { ScopeDescription } from "../scope_descriptions.ts";
import type { ConsentWords } from "../words/en/consent.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type ConsentScope = ScopeDescription & { already_granted: boolean };

export type RequestedResource = { readonly name: string; readonly identifier: string };

type ConsentPage = PageLocale & {
  client: {
    name: string;
    logo_url?: string | null | undefined;
    description?: string | null | undefined;
    owner_name?: string | undefined;
    first_time: boolean;
    /** The client's identity cannot be verified (RFC 8252, section 8.6). */
    unverified: boolean;
    links?: ClientLinks | undefined;
  };
  user: { name: string; email: string };
  scopes: readonly ConsentScope[];
  resources?: readonly RequestedResource[] | undefined;
  organization_name?: string | undefined;
  details?: readonly string[] | undefined;
  /** Either decision sends the browser there: an origin, or a URL scheme. */
  redirect_to: string;
  csrf_token: string;
  /** The encrypted authorization request, to which the decision is bound (A-21). */
  request: string;
  switch_account_href: string;
  brand?: Brand | undefined;
};

function scopeItem(
  { name, description, own, lang, already_granted }: ConsentScope,
  words: ConsentWords,
): Html {
  const badge = already_granted && html` <span class="badge">${words.allowedBefore}</span>`;
  return html`<li><span class="scope-words">${
    description
      ? html`<span${lang && html` lang="${lang}"`}><bdi>${description}</bdi></span><span class="quiet"><code>${name}</code>${own && ` · ${words.ownWords}`}${badge}</span>`
      : html`<span><code>${name}</code>${badge}</span><span class="quiet">${words.undescribed}</span>`
  }</span></li>`;
}

/** Number of scopes that are not folded, so that the page fits on the first screen of a phone. */
const scopesAtOnce = 3;

export function scopeList(scopes: readonly ConsentScope[], words: ConsentWords): Html {
  const list = (part: readonly ConsentScope[]) =>
    html`<ul class="scopes">${part.map((scope) => scopeItem(scope, words))}</ul>`;
  // Folding a single scope would save no space.
  if (scopes.length <= scopesAtOnce + 1) return list(scopes);
  const more = scopes.slice(scopesAtOnce);
  return html`${list(scopes.slice(0, scopesAtOnce))}<details><summary>${words.moreScopes(more.length)}</summary>${list(more)}</details>`;
}

/** The links open in a new window, so that the consent page stays open. */
function clientLinkList(links: ClientLinks, { website, policy, terms }: ConsentWords): Html | false {
  const said = [
    { href: safeHref(links.client_uri), label: website },
    { href: safeHref(links.policy_uri), label: policy },
    { href: safeHref(links.tos_uri), label: terms },
  ];
  const shown = said.filter(({ href }) => href !== undefined);
  return (
    shown.length > 0 &&
    html`<ul class="inline quiet">${shown.map(({ href, label }) => html`<li><a href="${href}" target="_blank" rel="noopener noreferrer">${label}</a></li>`)}</ul>`
  );
}

export function accountFact(
  { name, email }: ConsentPage["user"],
  switch_account_href: string,
  { words }: PageLocale,
): Html {
  const href = safeHref(switch_account_href) ?? "/login";
  return html`<div><dt>${words.consent.as}</dt><dd><bdi>${name}</bdi> <bdi class="quiet">${email}</bdi><br><a href="${href}">${words.selectAccount.another}</a></dd></div>`;
}

export function resourcesFact(resources: readonly RequestedResource[], { words }: PageLocale): Html | false {
  return (
    resources.length > 0 &&
    html`<div><dt>${words.openConsent.at}</dt><dd>${resources.map(({ name, identifier }) => html`<div><bdi>${name}</bdi><br><code class="quiet">${identifier}</code></div>`)}</dd></div>`
  );
}

/** Renders the buttons of the decision, with the destination of either decision above them. */
export function decisionForm(
  { redirect_to, ...fields }: Pick<ConsentPage, "request" | "csrf_token" | "redirect_to">,
  words: ConsentWords,
): Html {
  return html`<form method="post" action="/consent" class="deciding">
${hiddenFields(fields)}
<p class="returns"><span class="quiet">${words.goesTo}</span> <code>${redirect_to}</code></p>
<div class="decisions">
<button class="button" type="submit" name="decision" value="deny">${words.deny}</button>
<button class="button primary" type="submit" name="decision" value="allow">${words.allow}</button>
</div>
</form>`;
}

/** Renders the consent page (A-20, A-21). */
export function consentPage({
  client,
  user,
  scopes,
  resources = [],
  organization_name,
  details = [],
  redirect_to,
  csrf_token,
  request,
  switch_account_href,
  brand,
  ...locale
}: ConsentPage): Html {
  const words = locale.words.consent;
  const clientName = html`<bdi class="name">${client.name}</bdi>`;
  return layout({
    ...locale,
    title: words.title(client.name),
    brand,
    body: html`<section class="card consent">
<div class="parties">${avatar({ ...client, kind: "client" })}<span class="path" aria-hidden="true">${mark}</span>${avatar({ name: user.name, kind: "user" })}</div>
<h1 class="centred">${words.heading(clientName)}</h1>
${client.description && html`<p class="lead centred"><bdi>${client.description}</bdi></p>`}
${client.unverified && notice("caution", html`<p>${words.unverified}</p>`)}
<h2>${words.able}</h2>
${scopeList(scopes, words)}
<dl class="facts">
${organization_name && html`<div><dt>${words.organization}</dt><dd><bdi>${organization_name}</bdi></dd></div>`}
${details.length > 0 && html`<div><dt>${words.details}</dt><dd>${details.map((name, index) => html`${index > 0 && ", "}<bdi>${name}</bdi>`)}</dd></div>`}
${resourcesFact(resources, locale)}
${accountFact(user, switch_account_href, locale)}
</dl>
${decisionForm({ request, csrf_token, redirect_to }, words)}
${
  (client.owner_name || client.first_time) &&
  html`<dl class="facts">
${client.owner_name && html`<div><dt>${words.registeredBy}</dt><dd><bdi>${client.owner_name}</bdi></dd></div>`}
${client.first_time && html`<div><dt>${words.beforeNow}</dt><dd>${words.neverUsed}</dd></div>`}
</dl>`
}
${clientLinkList(client.links ?? {}, words)}
</section>`,
  });
}
