import { type Html, html } from "./html/html.ts";
import { safeHref } from "./html/safe_href.ts";
import { shortIdText } from "./html/short_id.ts";
import { codeOf, type Language } from "./words/language.ts";
import type { PageLocale } from "./words/page_locale.ts";

export interface RefusalFacts {
  readonly detail?: { readonly text: string; readonly language: Language } | undefined;
  readonly error?: string | undefined;
  readonly short_id?: string | undefined;
  readonly request_id: string;
}

export function refusalFacts(
  { detail, error, short_id, request_id }: RefusalFacts,
  { words: { error: words }, language }: PageLocale,
): Html {
  return html`<dl class="facts">
${detail && html`<div><dt>${words.detail}</dt><dd${detail.language !== language && html` lang="${codeOf(detail.language)}"`}>${detail.text}</dd></div>`}
${error && html`<div><dt>${words.error}</dt><dd><code>${error}</code></dd></div>`}
${short_id && html`<div><dt>${words.reference}</dt><dd><a href="${safeHref(`/console/refusals/${short_id}`)}">${shortIdText(short_id)}</a></dd></div>`}
<div><dt>${words.request}</dt><dd><code>${request_id}</code></dd></div>
</dl>`;
}
