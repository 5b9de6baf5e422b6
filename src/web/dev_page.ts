import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { safeHref } from "./safe_href.ts";
import type { DevWords } from "./words/dev.ts";
import type { Reader } from "./words/reader.ts";

type Headers = Readonly<Record<string, string>>;

/** One exchange of the walk through the code flow, as it went over the wire. */
export type DevStep = {
  kind: keyof DevWords["steps"];
  request?:
    | { method: string; url: string; headers?: Headers | undefined; body?: string | undefined }
    | undefined;
  response?: { status: number; headers?: Headers | undefined; body?: string | undefined } | undefined;
  /** The claims of a token in the answer, as readable JSON. */
  decoded?: string | undefined;
};

export type DevAction = {
  label: string;
  href?: string | undefined;
  /** Taken instead of `href` where both are given. */
  post?: { action: string; fields: Readonly<Record<string, string>> } | undefined;
};

export type DevPage = Reader & {
  steps: readonly DevStep[];
  clients: readonly { client_id: string; name: string; kind: keyof DevWords["kinds"] }[];
  users: readonly { email: string; password: string }[];
  actions: readonly DevAction[];
  /** Where the mails are that were kept instead of sent. */
  outbox_href?: string | undefined;
};

/** One parameter to a line, so that a query or a form can be read; JSON is indented; anything else stays as it is. */
function readable(text: string): string {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.stringify(JSON.parse(text), undefined, 2);
    } catch {
      return text;
    }
  }
  return /^[^\s=&]+=\S*$/.test(text) ? text.replaceAll("&", "\n&") : text;
}

function readableAddress(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? url : `${url.slice(0, start)}\n?${readable(url.slice(start + 1))}`;
}

function headerLines(headers: Headers | undefined): Html {
  return html`${Object.entries(headers ?? {}).map(([name, value]) => html`\n<span class="wire-header">${name}:</span> ${/^https?:/.test(value) ? readableAddress(value) : value}`)}`;
}

function body(text: string | undefined): Html | undefined {
  return text ? html`\n\n${readable(text)}` : undefined;
}

function stepItem(step: DevStep, last: boolean, words: DevWords): Html {
  const { kind, request, response, decoded } = step;
  const { title, explanation } = words.steps[kind];
  return html`<li class="step"${last && html` id="last"`}>
<div class="step-words"><h2>${title}</h2><p>${explanation}</p></div>
<div class="wire">
${
  request &&
  html`<figure class="message message-request"><figcaption>${words.request}</figcaption><pre><b>${request.method}</b> ${readableAddress(request.url)}${headerLines(request.headers)}${body(request.body)}</pre></figure>`
}
${
  response &&
  html`<figure class="message message-answer"><figcaption>${words.answer} <span class="status status-${Math.floor(response.status / 100)}">${response.status}</span></figcaption><pre><b>HTTP</b> ${response.status}${headerLines(response.headers)}${body(response.body)}</pre></figure>`
}
${decoded && html`<figure class="message message-decoded"><figcaption>${words.decoded}</figcaption><pre>${readable(decoded)}</pre></figure>`}
</div>
</li>`;
}

function actionItem({ label, href, post }: DevAction, index: number): Html | undefined {
  const style = index === 0 ? "button primary" : "button";
  if (post) {
    return html`<form method="post" action="${safeHref(post.action) ?? "/dev"}">${hiddenFields(post.fields)}<button class="${style}" type="submit">${label}</button></form>`;
  }
  const link = safeHref(href);
  return link === undefined ? undefined : html`<a class="${style}" href="${link}">${label}</a>`;
}

/**
 * The page of `postern dev`: a newcomer clicks through the code flow and sees every request and answer. `#last` is the
 * newest step; what can be done next stands below it, so that nobody scrolls back for it.
 */
export function devPage({ steps, clients, users, actions, outbox_href, ...reader }: DevPage): Html {
  const words = reader.words.dev;
  const next = html`<div class="actions">${actions.map(actionItem)}</div>`;
  return layout({
    ...reader,
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
<h2>${reader.words.outbox.title}</h2>
<p><a href="${safeHref(outbox_href) ?? "/dev/outbox"}">${reader.words.outbox.open}</a></p>
</section>`
}
</aside>
<section class="dev-steps" aria-label="${words.stepsLabel}">
${
  steps.length > 0
    ? html`<ol class="steps">${steps.map((step, index) => stepItem(step, index === steps.length - 1, words))}</ol>
<section class="card" aria-label="${words.next}"><h2>${words.next}</h2>${next}</section>`
    : html`<p class="card quiet">${words.nothingSent}</p>`
}
</section>
</div>`,
  });
}
