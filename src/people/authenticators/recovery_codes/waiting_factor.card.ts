import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

type WaitingFactorCard = PageLocale & {
  name: string;
  until: Date;
  csrf_token: string;
};

/** Renders a verified factor that is pending until the user confirms new recovery codes (MF-7). */
export function waitingFactorCard({ name, until, csrf_token, words, language }: WaitingFactorCard): Html {
  const { waiting, codes } = words.ownFactors;
  const button = (action: string, kind: string, label: string) =>
    html`<form method="post" action="/account/recovery-codes/${action}">${hiddenFields({ csrf_token })}<button class="${kind}" type="submit">${label}</button></form>`;
  return html`<section class="card" aria-labelledby="own-waiting"><h2 id="own-waiting">${waiting.title}</h2>
<p>${waiting.lead(html`<bdi>${name}</bdi>`, moment(until, "minute", language))}</p>
<div class="actions">${button("new", "button primary", codes.makeFirst)}${button("discard", "button", waiting.discard)}</div></section>`;
}
