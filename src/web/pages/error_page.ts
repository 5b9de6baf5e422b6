import { type Html, html } from "../html.ts";
import { layout, mark } from "../layout.ts";
import { safeHref } from "../safe_href.ts";
import { shortIdText } from "../short_id.ts";
import type { ErrorWords } from "../words/en/error.ts";
import type { Language } from "../words/language.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type ErrorKind = keyof ErrorWords["kinds"];

export type ErrorPage = PageLocale & {
  kind: ErrorKind;
  /** The detail, for the client's developer. */
  detail?: { readonly text: string; readonly language: Language } | undefined;
  /** The OAuth error code, for the client's developer. */
  error?: string | undefined;
  /** The id by which the app's administrators find the received and the expected values. */
  short_id?: string | undefined;
  request_id: string;
};

/** Tells the person of an error, where there is no safe redirect (RFC 6749 4.1.2.1). */
export function errorPage({ kind, detail, error, short_id, request_id, ...locale }: ErrorPage): Html {
  const words = locale.words.error;
  const { title, message, hint } = words.kinds[kind];
  return layout({
    ...locale,
    title,
    body: html`<section class="card">
<span class="emblem">${mark}</span>
<h1>${title}</h1>
<p>${message}</p>
<p class="quiet">${hint}</p>
<dl class="facts">
${detail && html`<div><dt>${words.detail}</dt><dd${detail.language !== locale.language && html` lang="${detail.language}"`}>${detail.text}</dd></div>`}
${error && html`<div><dt>${words.error}</dt><dd><code>${error}</code></dd></div>`}
${short_id && html`<div><dt>${words.reference}</dt><dd><a href="${safeHref(`/console/refusals/${short_id}`)}">${shortIdText(short_id)}</a></dd></div>`}
<div><dt>${words.request}</dt><dd><code>${request_id}</code></dd></div>
</dl>
<div class="actions"><a class="button" href="/">${words.start}</a></div>
</section>`,
  });
}
