import { type Html, html } from "./html/html.ts";
import { layout } from "./layout.ts";
import type { PageLocale } from "./words/page_locale.ts";

export function plainMessage(
  locale: PageLocale,
  { title, lead, link }: { title: string; lead: string; link: { href: `/${string}`; label: string } },
): Html {
  return layout({
    ...locale,
    title,
    body: html`<section class="card">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<a class="button primary" href="${link.href}">${link.label}</a>
</section>`,
  });
}
