import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { layout } from "../../../web/layout.ts";
import { moment } from "../../../web/moment.ts";
import { plainMessage } from "../../../web/plain_message.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

type UndoDeletionPage = PageLocale & {
  deletion_at: Date;
  token: string;
  csrf_token: string;
  out_of_date?: boolean | undefined;
};

/** Renders the page that asks whether to cancel the deletion. */
export function undoDeletionPage(page: UndoDeletionPage): Html {
  const { deletion_at, token, csrf_token, out_of_date, ...locale } = page;
  const { deletion: words, email } = locale.words.ownAccount;
  return layout({
    ...locale,
    title: words.undoTitle,
    body: html`<section class="card">
<h1>${words.undoTitle}</h1>
<p class="lead">${words.undoLead(moment(deletion_at, "day", locale.language))}</p>
${out_of_date && notice("failure", html`<p>${email.outOfDate}</p>`)}
<form method="post" action="/sign-in/undo-deletion">
${hiddenFields({ token, csrf_token })}
<button class="button primary" type="submit">${words.undo}</button>
</form>
</section>`,
  });
}

/** Renders the confirmation of a requested deletion. */
export function deletionRequestedPage({ until, ...locale }: PageLocale & { until: Date }): Html {
  const words = locale.words.ownAccount.deletion;
  return layout({
    ...locale,
    title: words.askedTitle,
    body: html`<section class="card">
<h1>${words.askedTitle}</h1>
<p class="lead">${words.asked(moment(until, "day", locale.language))}</p>
<p><a href="/login">${words.signIn}</a></p>
</section>`,
  });
}

export function deletionUndonePage(locale: PageLocale): Html {
  const { undoneTitle: title, undoneLead: lead, signIn: label } = locale.words.ownAccount.deletion;
  return plainMessage(locale, { title, lead, link: { href: "/login", label } });
}

/** Renders the page shown if there is no deletion to cancel. */
export function deadDeletionPage(locale: PageLocale): Html {
  const { deadTitle: title, deadLead: lead, signIn: label } = locale.words.ownAccount.deletion;
  return plainMessage(locale, { title, lead, link: { href: "/login", label } });
}
