import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

type RecoveryLinkPage = PageLocale & { lost: "factors" | "passkeys" };

type CancelRecoveryPage = RecoveryLinkPage & { token: string; csrf_token: string };

const wordsOf = ({ lost, words }: RecoveryLinkPage) => ({
  ...words.recovery.link,
  ...(lost === "passkeys" && words.lostPasskey.link),
});

export function cancelRecoveryPage({ token, csrf_token, ...page }: CancelRecoveryPage): Html {
  const link = wordsOf(page);
  return layout({
    ...page,
    title: link.title,
    body: html`<section class="card"><h1>${link.title}</h1>
<p class="lead">${link.lead}</p>
<form method="post" action="/cancel-recovery">
${hiddenFields({ token, csrf_token })}
<button class="button danger primary" type="submit">${link.submit}</button>
</form></section>`,
  });
}

export function recoveryCancelledPage(page: RecoveryLinkPage): Html {
  const link = wordsOf(page);
  return layout({
    ...page,
    title: link.doneTitle,
    body: html`<section class="card"><h1>${link.doneTitle}</h1>
<p class="lead">${link.done}</p>
<a class="button primary" href="/secure-account">${link.secure}</a></section>`,
  });
}

/** Renders the page for an invalid link, or one whose recovery has ended. */
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
