import { type Html, html } from "../../../web/html/html.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

/** Renders advice for an account that another person may have used (SS-8). */
export function secureAccountPage(locale: PageLocale): Html {
  const words = locale.words.notices.secure;
  const step = (href: string, label: string, hint: string) =>
    html`<li><a href="${href}">${label}</a><br><span class="quiet">${hint}</span></li>\n`;
  return layout({
    ...locale,
    title: words.title,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<ol>
${step("/forgot-password", words.password, words.passwordHint)}${step("/account/sessions", words.sessions, words.sessionsHint)}${step("/account/security", words.factors, words.factorsHint)}${step("/account/linked-accounts", words.links, words.linksHint)}${step("/account/api-keys", words.keys, words.keysHint)}</ol>
<p>${words.ask}</p>
</section>`,
  });
}
