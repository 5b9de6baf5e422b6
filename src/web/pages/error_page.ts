import { type Html, html } from "../html/html.ts";
import { layout, mark } from "../layout.ts";
import { type RefusalFacts, refusalFacts } from "../refusal_facts.ts";
import type { ErrorWords } from "../words/en/error.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type ErrorKind = keyof ErrorWords["kinds"];

type ErrorPage = PageLocale & RefusalFacts & { kind: ErrorKind };

/** Renders an error for the user, for example because no redirect is safe (RFC 6749, section 4.1.2.1). */
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
${refusalFacts({ detail, error, short_id, request_id }, locale)}
<div class="actions"><a class="button" href="/">${words.start}</a></div>
</section>`,
  });
}
