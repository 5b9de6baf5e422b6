import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import type { AppApisWords } from "../../web/words/en/app_apis.ts";
import type { Words } from "../../web/words/words.ts";

export type NamedApi = {
  name: string;
  identifier: string;
  href: string | undefined;
};

export type ApisOfApp = {
  asks: readonly (NamedApi & { why: keyof AppApisWords["why"] })[];
  more: number;
  is: readonly NamedApi[];
};

/** Renders the APIs of an app; undefined if there are none. */
export function appApisCard({ asks, more, is }: ApisOfApp, { appApis: words }: Words): Html | undefined {
  if (asks.length === 0 && is.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="apis"><h2 id="apis">${words.title}</h2>
${asks.length > 0 && html`<h3>${words.asks}</h3><ul class="values">${asks.map(({ why, ...api }) => html`<li>${named(api)} <span class="quiet">${words.why[why]}</span></li>`)}${more > 0 && html`<li class="quiet">${words.more(more)}</li>`}</ul>`}
${is.length > 0 && html`<h3>${words.is}</h3><ul class="values">${is.map((api) => html`<li>${named(api)}</li>`)}</ul>`}</section>`;
}

function named({ name, identifier, href }: NamedApi): Html {
  const said = html`<bdi>${name}</bdi>`;
  const to = safeHref(href);
  return html`${to === undefined ? said : html`<a href="${to}">${said}</a>`} <code class="quiet">${identifier}</code>`;
}
