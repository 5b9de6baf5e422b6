import { type Html, html } from "../html/html.ts";
import { safeHref } from "../html/safe_href.ts";
import { layout } from "../layout.ts";
import type { ManagementLocale } from "../words/page_locale.ts";

type OutboxPage = ManagementLocale & {
  mails: readonly { to: string; subject: string; text: string; kept_at: Date }[];
};

function linked(text: string): Html {
  return html`${text.split(/(https?:\/\/[!-~]+)/).map((part, index) => {
    const href = index % 2 === 1 ? safeHref(part) : undefined;
    return href === undefined ? html`${part}` : html`<a href="${href}">${part}</a>`;
  })}`;
}

/** Renders the emails that `postern dev` stored instead of sending. */
export function outboxPage({ mails, ...locale }: OutboxPage): Html {
  const words = locale.words.outbox;
  return layout({
    ...locale,
    title: words.title,
    width: "wide",
    body: html`<div class="intro">
<p class="eyebrow">${words.eyebrow}</p>
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<div class="actions"><a class="button" href="/forgot-password">${words.askForOne}</a><a class="button" href="/dev">${words.backToWalk}</a></div>
</div>
${
  mails.length === 0
    ? html`<p class="card quiet">${words.empty}</p>`
    : mails.map(
        (mail) => html`<article class="card">
<h2><bdi>${mail.subject}</bdi></h2>
<p class="quiet">${words.to} <bdi>${mail.to}</bdi> · <time datetime="${mail.kept_at.toISOString()}">${mail.kept_at.toISOString().replace("T", " ").slice(0, 19)} UTC</time></p>
<pre>${linked(mail.text)}</pre>
</article>`,
      )
}`,
  });
}
