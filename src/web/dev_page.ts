import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { safeHref } from "./safe_href.ts";

type Headers = Readonly<Record<string, string>>;

/** One exchange of the walk through the code flow, as it went over the wire. */
export type DevStep = {
  title: string;
  explanation: string;
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

export type DevPage = {
  steps: readonly DevStep[];
  clients: readonly { client_id: string; name: string; kind: string }[];
  users: readonly { email: string; password: string }[];
  actions: readonly DevAction[];
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

function stepItem({ title, explanation, request, response, decoded }: DevStep, last: boolean): Html {
  return html`<li class="step"${last && html` id="last"`}>
<div class="step-words"><h2>${title}</h2><p>${explanation}</p></div>
<div class="wire">
${
  request &&
  html`<figure class="message message-request"><figcaption>Request</figcaption><pre><b>${request.method}</b> ${readableAddress(request.url)}${headerLines(request.headers)}${body(request.body)}</pre></figure>`
}
${
  response &&
  html`<figure class="message message-answer"><figcaption>Answer <span class="status status-${Math.floor(response.status / 100)}">${response.status}</span></figcaption><pre><b>HTTP</b> ${response.status}${headerLines(response.headers)}${body(response.body)}</pre></figure>`
}
${decoded && html`<figure class="message message-decoded"><figcaption>What the token says</figcaption><pre>${readable(decoded)}</pre></figure>`}
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
export function devPage({ steps, clients, users, actions }: DevPage): Html {
  const next = html`<div class="actions">${actions.map(actionItem)}</div>`;
  return layout({
    title: "Walk through the code flow",
    width: "wide",
    body: html`<div class="intro">
<p class="eyebrow">Demo data, on this machine only</p>
<h1>The authorization code flow, one step at a time</h1>
<p class="lead">Every request that passes between the application, your browser and this server, with its answer, as it went over the wire.</p>
${steps.length === 0 && next}
</div>
<div class="dev">
<aside class="dev-side" aria-label="Demo data">
<section class="card">
<h2>Sign in as</h2>
<ul class="facts">${users.map((user) => html`<li><code>${user.email}</code><code class="quiet">${user.password}</code></li>`)}</ul>
</section>
<section class="card">
<h2>Clients</h2>
<ul class="facts">${clients.map((client) => html`<li><span><span class="name">${client.name}</span> <span class="badge">${client.kind}</span></span><code class="quiet">${client.client_id}</code></li>`)}</ul>
</section>
</aside>
<section class="dev-steps" aria-label="Steps">
${
  steps.length > 0
    ? html`<ol class="steps">${steps.map((step, index) => stepItem(step, index === steps.length - 1))}</ol>
<section class="card" aria-label="What next"><h2>What next?</h2>${next}</section>`
    : html`<p class="card quiet">Nothing has been sent yet. Start the flow, and its first request appears here.</p>`
}
</section>
</div>`,
  });
}
