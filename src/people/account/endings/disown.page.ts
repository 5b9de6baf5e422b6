import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { layout } from "../../../web/layout.ts";
import { durationText } from "../../../web/measure.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import {
  type RecoveryOptions,
  recoveryOptions,
} from "../../authenticators/recovery/recovery_options.view.ts";
import { type StolenList, stolenList } from "./stolen_lines.view.ts";

type DisownPage = PageLocale & StolenList & { token: string; csrf_token: string };

/** Renders the page on which the user confirms that the reported change was unauthorized. */
export function disownPage({ token, csrf_token, ended, ...locale }: DisownPage): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.title,
    body: html`<section class="card"><h1>${undo.title}</h1>
<p class="lead">${undo.lead}</p>
${stolenList(ended, locale.words.impact)}
<form method="post" action="/not-me">
${hiddenFields({ token, csrf_token })}
<button class="button danger primary" type="submit">${undo.submit}</button>
</form></section>`,
  });
}

type DisownedPage = PageLocale &
  StolenList & {
    next: "link" | "moved" | RecoveryOptions;
  };

export function disownedPage({ next, ended, ...locale }: DisownedPage): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.doneTitle,
    body: html`<section class="card"><h1>${undo.doneTitle}</h1>
<p class="lead">${undo.doneLead}</p>
${stolenList(ended, locale.words.impact)}
${
  next === "link"
    ? html`<p>${undo.done}</p><a class="button primary" href="/forgot-password">${undo.reset}</a>`
    : next === "moved"
      ? html`<p>${undo.moved}</p><a class="button primary" href="/secure-account">${undo.secure}</a>`
      : recoveryOptions(next, locale)
}</section>`,
  });
}

/** Renders the page for a link that is invalid, used or expired. */
export function deadDisownLinkPage({ minutes, ...locale }: PageLocale & { minutes: number }): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.deadTitle,
    body: html`<section class="card"><h1>${undo.deadTitle}</h1>
<p class="lead">${undo.dead(durationText(minutes * 60, locale.language))}</p>
<a class="button primary" href="/secure-account">${undo.secure}</a></section>`,
  });
}
