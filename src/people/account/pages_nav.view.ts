import { type Html, html } from "../../web/html/html.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

/** Renders the links to the first and the next page; undefined if there is only one page. */
export function pagesNav(
  { words }: Pick<PageLocale, "words">,
  { first_href, next_href }: { first_href?: string | undefined; next_href?: string | undefined },
): Html | undefined {
  if (first_href === undefined && next_href === undefined) return undefined;
  const { pages, first, next } = words.account;
  return html`<nav class="pages" aria-label="${pages}"><span class="actions">${first_href !== undefined && html`<a class="button small" href="${first_href}">${first}</a>`}${next_href !== undefined && html`<a class="button small" href="${next_href}" rel="next">${next}</a>`}</span></nav>`;
}
