import type { Brand } from "../../web/html/brand.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import { type RefusalFacts, refusalFacts } from "../../web/refusal_facts.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

export type SignedOutPage = PageLocale & {
  none_ended?: boolean;
  refused?: (RefusalFacts & { readonly why: "unregistered" | "unproven" }) | undefined;
  return_href?: string | undefined;
  client_name?: string | undefined;
  brand?: Brand | undefined;
};

function hostOf(href: string): string {
  const { host, protocol } = new URL(href, "https://relative.invalid");
  return host === "" ? protocol : host;
}

/** Renders the result of a sign-out. */
export function signedOutPage({
  none_ended = false,
  refused,
  return_href,
  client_name,
  brand,
  ...locale
}: SignedOutPage): Html {
  const words = locale.words.logout;
  const href = safeHref(return_href);
  const destination = href && hostOf(href);
  return layout({
    ...locale,
    title: none_ended ? words.noneTitle : words.doneTitle,
    brand,
    body: html`<section class="card">
<h1>${none_ended ? words.none : words.done}</h1>
<p class="lead">${none_ended ? words.noneEnded : words.safe}</p>
${refused && html`<p>${words[refused.why]}</p>${refusalFacts(refused, locale)}`}
<div class="stack">
${
  href &&
  html`<a class="button primary" href="${href}"><span>${client_name ? words.returnTo(html`<bdi>${client_name}</bdi>`) : words.returnToApplication}</span></a>
<p class="quiet">${words.leadsTo(html`<code>${destination}</code>`)}</p>`
}
<a class="button" href="/login">${words.again}</a>
</div>
</section>`,
  });
}
