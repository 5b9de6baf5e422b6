import { type Exchange, exchangeList } from "../exchange.ts";
import { hiddenFields } from "../html/hidden_fields.ts";
import { type Html, html } from "../html/html.ts";
import { safeHref } from "../html/safe_href.ts";
import { layout } from "../layout.ts";
import type { DevWords } from "../words/en/dev.ts";
import type { ManagementLocale } from "../words/page_locale.ts";

export type DevAction = {
  label: string;
  href?: string | undefined;
  post?: { action: string; fields: Readonly<Record<string, string>> } | undefined;
};

type DevPage = ManagementLocale & {
  steps: readonly Exchange[];
  clients: readonly { client_id: string; name: string; kind: keyof DevWords["kinds"] }[];
  users: readonly { email: string; password: string }[];
  actions: readonly DevAction[];
  outbox_href?: string | undefined;
};

function actionItem({ label, href, post }: DevAction, index: number): Html | undefined {
  const style = index === 0 ? "button primary" : "button";
  if (post) {
    return html`<form method="post" action="${safeHref(post.action) ?? "/dev"}">${hiddenFields(post.fields)}<button class="${style}" type="submit">${label}</button></form>`;
  }
  const link = safeHref(href);
  return link === undefined ? undefined : html`<a class="${style}" href="${link}">${label}</a>`;
}

/** Renders the page of `postern dev`, which shows every request and response of the code flow. */
export function devPage({ steps, clients, users, actions, outbox_href, ...locale }: DevPage): Html {
  const { dev: words, flow } = locale.words;
  const next = html`<div class="actions">${actions.map(actionItem)}</div>`;
  return layout({
    ...locale,
    title: words.title,
    width: "wide",
    body: html`<div class="intro">
<p class="eyebrow">${words.eyebrow}</p>
<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
${steps.length === 0 && next}
</div>
<div class="dev">
<aside class="dev-side" aria-label="${words.demoData}">
<section class="card">
<h2>${words.signInAs}</h2>
<ul class="facts">${users.map((user) => html`<li><code>${user.email}</code><code class="quiet">${user.password}</code></li>`)}</ul>
</section>
<section class="card">
<h2>${words.clients}</h2>
<ul class="facts">${clients.map((client) => html`<li><span><span class="name">${client.name}</span> <span class="badge">${words.kinds[client.kind]}</span></span><code class="quiet">${client.client_id}</code></li>`)}</ul>
</section>
${
  outbox_href &&
  html`<section class="card">
<h2>${locale.words.outbox.title}</h2>
<p><a href="${safeHref(outbox_href) ?? "/dev/outbox"}">${locale.words.outbox.open}</a></p>
</section>`
}
</aside>
<section class="dev-steps" aria-label="${flow.stepsLabel}">
${
  steps.length > 0
    ? html`${exchangeList(steps, flow)}
<section class="card" aria-label="${flow.next}"><h2>${flow.next}</h2>${next}</section>`
    : html`<p class="card quiet">${words.nothingSent}</p>`
}
</section>
</div>`,
  });
}
