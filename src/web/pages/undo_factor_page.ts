import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { layout } from "../layout.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type UndoFactorPage = PageLocale & { token: string; csrf_token: string };

/** Asks the reader of the mail whether the added factor is to go. */
export function undoFactorPage({ token, csrf_token, ...locale }: UndoFactorPage): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.title,
    body: html`<section class="card"><h1>${undo.title}</h1>
<p class="lead">${undo.lead}</p>
<form method="post" action="/not-me">
${hiddenFields({ token, csrf_token })}
<button class="button danger primary" type="submit">${undo.submit}</button>
</form></section>`,
  });
}

/** Says what was done, and that a link for a new password is on its way. */
export function factorUndonePage(locale: PageLocale): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.doneTitle,
    body: html`<section class="card"><h1>${undo.doneTitle}</h1>
<p class="lead">${undo.done}</p>
<a class="button primary" href="/forgot-password">${undo.reset}</a></section>`,
  });
}

/** Says that the link is used or too old. */
export function deadUndoLinkPage(locale: PageLocale): Html {
  const { undo } = locale.words.ownFactors;
  return layout({
    ...locale,
    title: undo.deadTitle,
    body: html`<section class="card"><h1>${undo.deadTitle}</h1>
<p class="lead">${undo.dead}</p>
<a class="button primary" href="/secure-account">${undo.secure}</a></section>`,
  });
}
