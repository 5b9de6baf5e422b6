import { type Html, html } from "../../../web/html/html.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

type FactorsLostPage = PageLocale & {
  continue_href: string;
};

/** Renders the notice that an administrator or a recovery removed the user's second factors (MF-10). */
export function factorsLostPage({ continue_href, ...locale }: FactorsLostPage): Html {
  const { signedIn: say } = locale.words.lostFactors;
  return layout({
    ...locale,
    title: say.title,
    body: html`<section class="card"><h1>${say.title}</h1>
<p class="lead">${say.lead}</p>
<div class="decisions"><a class="button" href="${safeHref(continue_href) ?? "/"}">${say.later}</a><a class="button primary" href="/account/security">${say.setUp}</a></div></section>`,
  });
}
