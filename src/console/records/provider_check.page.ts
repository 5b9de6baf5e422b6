import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import type { ProviderCheckWords } from "../../web/words/en/provider_check.ts";
import { type FoundAtProvider, providerFindingText } from "../../web/words/error_text.ts";
import type { Words } from "../../web/words/words.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

const list = resourceTypeHref("providers");

interface ProviderCard {
  readonly id: string;
  readonly redirect_uri: string;
  readonly is_ready: boolean;
  readonly csrf_token?: string | undefined;
}

function checkForm(id: string, csrf_token: string, label: string): Html {
  return html`<form method="post" action="${list}/${id}/check">${hiddenFields({ csrf_token })}<button class="button" type="submit">${label}</button></form>`;
}

/**
 * Renders the redirect URI to register at the provider, and a button that checks the provider's configuration
 * (EP-20).
 */
export function providerCard(
  { id, redirect_uri, is_ready, csrf_token }: ProviderCard,
  { providerCheck: words }: Words,
): Html {
  return html`<section class="card" aria-labelledby="redirect-uri"><div><h2 id="redirect-uri">${words.title}</h2><p class="quiet">${words.lead}</p></div>
<pre class="snippet" data-copy tabindex="0">${redirect_uri}</pre>
${!is_ready && notice("caution", words.unready)}
${csrf_token !== undefined && html`<p class="quiet">${words.checkLead}</p>${checkForm(id, csrf_token, words.check)}`}</section>`;
}

type ProviderCheckPage = ConsoleLocale & {
  readonly provider: { readonly id: string; readonly label: string };
  /** Undefined if the limit on checks was reached. */
  readonly findings:
    | readonly (FoundAtProvider & {
        readonly check: keyof ProviderCheckWords["checks"];
        readonly ok: boolean;
      })[]
    | undefined;
  readonly csrf_token: string;
};

export function providerCheckPage({ provider, findings, csrf_token, ...page }: ProviderCheckPage): Html {
  const { providerCheck: words, resourceTypes } = page.words;
  const { id, label } = provider;
  const href = `${list}/${id}`;
  const title = words.found(label);
  const badge = (ok: boolean) =>
    html`<span class="badge ${ok ? "badge-success" : "badge-failure"}">${ok ? words.ok : words.fault}</span>`;
  const head = (text: string) => html`<th role="columnheader" scope="col">${text}</th>`;
  const table = (found: NonNullable<typeof findings>) => html`<table class="table" role="table">
<thead role="rowgroup"><tr role="row">${[words.what, words.state, words.detail].map(head)}</tr></thead>
<tbody role="rowgroup">${found.map(
    ({ check, ok, ...found }) =>
      html`<tr role="row"><th role="rowheader" scope="row">${words.checks[check]}</th><td role="cell" data-label="${words.state}">${badge(ok)}</td><td role="cell" data-label="${words.detail}"><bdi>${providerFindingText(found, page.words)}</bdi></td></tr>\n`,
  )}</tbody>
</table>`;
  const isWell = findings?.every(({ ok }) => ok) === true;
  return consoleFrame({
    ...page,
    here: "providers",
    title,
    crumbs: [{ label: resourceTypes.providers.many, href: list }, { label, href }, { label: words.check }],
    done: isWell ? words.well : undefined,
    body: html`${findings === undefined ? notice("caution", words.tooOften) : html`${!isWell && notice("failure", words.wrong)}${table(findings)}`}
<div class="actions">${checkForm(id, csrf_token, words.again)}<a class="button" href="${href}">${words.back}</a></div>`,
  });
}
