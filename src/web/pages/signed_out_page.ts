import type { Brand } from "../brand.ts";
import { type Html, html } from "../html.ts";
import { layout } from "../layout.ts";
import { safeHref } from "../safe_href.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type SignedOutPage = PageLocale & {
  return_href?: string | undefined;
  client_name?: string | undefined;
  /** That of the organization that the client belongs to. */
  brand?: Brand | undefined;
};

/** Where a link leads, as people know places; of an address of an installed application its scheme. */
function hostOf(href: string): string {
  const { host, protocol } = new URL(href, "https://relative.invalid");
  return host === "" ? protocol : host;
}

/** Confirms the end of the session, with the way back where one was registered. */
export function signedOutPage({ return_href, client_name, brand, ...locale }: SignedOutPage): Html {
  const words = locale.words.logout;
  const href = safeHref(return_href);
  const destination = href && hostOf(href);
  return layout({
    ...locale,
    title: words.doneTitle,
    brand,
    body: html`<section class="card">
<h1>${words.done}</h1>
<p class="lead">${words.safe}</p>
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
