/** The link of the mails about second factors that are to be recovered (MF-10). */
import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { layout } from "../layout.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type CancelRecoveryPage = PageLocale & { token: string; csrf_token: string };

/** Asks the reader of the mail whether it is to be cancelled. */
export function cancelRecoveryPage({ token, csrf_token, ...locale }: CancelRecoveryPage): Html {
  const { link } = locale.words.recovery;
  return layout({
    ...locale,
    title: link.title,
    body: html`<section class="card"><h1>${link.title}</h1>
<p class="lead">${link.lead}</p>
<form method="post" action="/cancel-recovery">
${hiddenFields({ token, csrf_token })}
<button class="button danger primary" type="submit">${link.submit}</button>
</form></section>`,
  });
}

/** Says that it is cancelled, and what to do next. */
export function recoveryCancelledPage(locale: PageLocale): Html {
  const { link } = locale.words.recovery;
  return layout({
    ...locale,
    title: link.doneTitle,
    body: html`<section class="card"><h1>${link.doneTitle}</h1>
<p class="lead">${link.done}</p>
<a class="button primary" href="/secure-account">${link.secure}</a></section>`,
  });
}

/** Says that the recovery is over or cancelled already. */
export function deadRecoveryLinkPage(locale: PageLocale): Html {
  const { link } = locale.words.recovery;
  return layout({
    ...locale,
    title: link.deadTitle,
    body: html`<section class="card"><h1>${link.deadTitle}</h1>
<p class="lead">${link.dead}</p>
<a class="button primary" href="/secure-account">${link.secure}</a></section>`,
  });
}
