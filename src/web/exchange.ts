import { type Html, html } from "./html/html.ts";
import type { FlowWords } from "./words/en/flow.ts";

type Headers = Readonly<Record<string, string>>;

export type Exchange = {
  kind: keyof FlowWords["steps"];
  request?:
    | { method: string; url: string; headers?: Headers | undefined; body?: string | undefined }
    | undefined;
  response?: { status: number; headers?: Headers | undefined; body?: string | undefined } | undefined;
  decoded?: Readonly<Partial<Record<keyof FlowWords["decoded"], string>>> | undefined;
  explained?: readonly (keyof FlowWords["parameters"])[] | undefined;
};

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

function exchangeItem(exchange: Exchange, last: boolean, words: FlowWords): Html {
  const { kind, request, response, decoded = {}, explained = [] } = exchange;
  const { title, explanation } = words.steps[kind];
  const claims = (["id_token", "access_token"] as const).flatMap((token) => {
    const said = decoded[token];
    return said === undefined ? [] : [{ label: words.decoded[token], said }];
  });
  return html`<li class="step"${last && html` id="last"`}>
<div class="step-words"><h2>${title}</h2><p>${explanation}</p></div>
<div class="wire">
${
  request &&
  html`<figure class="message message-request"><figcaption>${words.request}</figcaption><pre><b>${request.method}</b> ${readableAddress(request.url)}${headerLines(request.headers)}${body(request.body)}</pre></figure>`
}
${
  explained.length > 0 &&
  html`<details open><summary>${words.meanings}</summary><dl class="facts meanings">${explained.map((name) => html`<div><dt><code>${name}</code></dt><dd>${words.parameters[name]}</dd></div>`)}</dl></details>`
}
${
  response &&
  html`<figure class="message message-answer"><figcaption>${words.answer} <span class="status status-${Math.floor(response.status / 100)}">${response.status}</span></figcaption><pre><b>HTTP</b> ${response.status}${headerLines(response.headers)}${body(response.body)}</pre></figure>`
}
${claims.map(({ label, said }) => html`<figure class="message message-decoded"><figcaption>${label}</figcaption><pre>${readable(said)}</pre></figure>`)}
</div>
</li>`;
}

/**
 * Renders requests and responses in order. A URL with `#last` saves users from scrolling to the newest one.
 */
export function exchangeList(exchanges: readonly Exchange[], words: FlowWords): Html {
  const last = exchanges.length - 1;
  return html`<ol class="steps">${exchanges.map((exchange, index) => exchangeItem(exchange, index === last, words))}</ol>`;
}
