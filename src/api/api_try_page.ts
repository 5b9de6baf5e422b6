import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html } from "../web/html/html.ts";
import { textField } from "../web/html/text_field.ts";
import { layout } from "../web/layout.ts";
import type { PageLocale } from "../web/words/page_locale.ts";

export type ApiTryPage = Pick<PageLocale, "words" | "server"> & {
  id: string;
  method: string;
  path: string;
  summary: string;
  csrf_token: string;
  parameters: readonly { name: string; description: string; required: boolean; value: string }[];
  body: string | undefined;
  waiting?: { url: string } | undefined;
  answer?:
    | { url: string; status: number; headers: readonly (readonly [string, string])[]; body: string }
    | undefined;
};

const fieldName = (name: string) => `p_${name}`;

function input({ csrf_token, parameters, body }: ApiTryPage): Record<string, string> {
  const values = parameters.map(({ name, value }) => [fieldName(name), value]);
  return { csrf_token, ...Object.fromEntries(values), ...(body !== undefined && { body }) };
}

function confirmation(page: ApiTryPage, url: string): Html {
  return html`<div class="notice" role="status"><p><strong>${page.method}</strong> <code>${url}</code> changes this server with your permissions.</p></div>
${page.body !== undefined && html`<figure class="message"><figcaption>Body</figcaption><pre>${page.body}</pre></figure>`}
<form method="post" action="/api/docs/try/${page.id}">${hiddenFields({ ...input(page), confirmed: "yes" })}
<button class="button primary" type="submit">Send ${page.method}</button> <a class="button" href="/api/docs/try/${page.id}">Cancel</a></form>`;
}

function requestForm(page: ApiTryPage): Html {
  const { id, method, parameters, body, csrf_token } = page;
  const reads = method === "GET";
  const fields = parameters.map(({ name, description, required, value }) =>
    textField({
      ...{ name: fieldName(name), label: name, type: "text", autocomplete: "off", help: description },
      ...{ value, required },
    }),
  );
  return html`<form method="${reads ? "get" : "post"}" action="/api/docs/try/${id}">
${reads ? hiddenFields({ send: "1" }) : hiddenFields({ csrf_token })}
${fields}
${body !== undefined && html`<div class="field"><label for="body">Body</label><textarea id="body" name="body" rows="12" class="code" spellcheck="false">${body}</textarea></div>`}
<button class="button primary" type="submit">${reads ? "Send GET" : `Check ${method}`}</button>
</form>`;
}

function answered({ url, status, headers, body }: NonNullable<ApiTryPage["answer"]>): Html {
  return html`<section aria-labelledby="answer"><h2 id="answer">Response <span class="status status-${Math.floor(status / 100)}">${status}</span></h2>
<p><code>${url}</code></p>
<figure class="message"><figcaption>Headers</figcaption><pre>${headers.map(([name, value]) => `${name}: ${value}\n`)}</pre></figure>
${body !== "" && html`<figure class="message"><figcaption>Body</figcaption><pre data-copy>${body}</pre></figure>`}</section>`;
}

/** Renders the page that sends a request to the management API, in English like the API reference. */
export function apiTryPage(page: ApiTryPage): Html {
  const { id, method, path, summary, waiting, answer } = page;
  return layout({
    words: page.words,
    server: page.server,
    language: "en",
    title: summary,
    width: "wide",
    body: html`<div class="intro">
<p class="eyebrow"><a href="/api/docs#${id}">Reference</a></p>
<h1>${summary}</h1>
<p><span class="api-method api-method-${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<p class="lead">The request is sent with your session and has all your permissions.</p>
</div>
${answer && answered(answer)}
${waiting === undefined ? requestForm(page) : confirmation(page, waiting.url)}`,
  });
}
