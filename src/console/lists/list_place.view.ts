import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { numberText } from "../../web/number.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";

export type ListPlace = {
  /** Counted from 1. */
  from: number;
  count: number;
  total?: number | undefined;
  total_is_more?: boolean | undefined;
  previous_href?: string | undefined;
  next_href?: string | undefined;
  lengths: readonly { length: number; href: string; current: boolean }[];
};

function placeText(
  { from, count, total, total_is_more }: ListPlace,
  { words, language }: Pick<ManagementLocale, "words" | "language">,
): string {
  const said = words.lists.total;
  const figure = (value: number) => numberText(value, language);
  const range = `${figure(from)}–${figure(from + count - 1)}`;
  if (total === undefined) return range;
  if (total_is_more) return said.of(range, said.more(figure(total)));
  return said.of(range, figure(total));
}

/** Renders the foot of a list: the position, links to other pages, and the page length. */
export function listFoot(place: ListPlace, locale: Pick<ManagementLocale, "words" | "language">): Html {
  const { words } = locale;
  const said = words.lists;
  const [previous, next] = [safeHref(place.previous_href), safeHref(place.next_href)];
  return html`<nav class="pages" aria-label="${words.records.pages}">${place.count > 0 && html`<span>${placeText(place, locale)}</span>`}
<span class="actions">${previous !== undefined && html`<a class="button small" href="${previous}" rel="prev">${said.previousPage}</a>`}${next !== undefined && html`<a class="button small" href="${next}" rel="next">${said.nextPage}</a>`}</span>
<span class="lengths">${said.pageLength} ${place.lengths.map(({ length, href, current }) => html`<a href="${safeHref(href) ?? "/console"}"${current && html` aria-current="page"`}>${length}</a> `)}</span></nav>`;
}
