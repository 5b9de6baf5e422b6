import { type Html, html } from "../web/html/html.ts";
import { layout } from "../web/layout.ts";
import type { PageLocale } from "../web/words/page_locale.ts";

export type ApiMember = {
  name: string;
  type: string;
  description: string;
  required?: boolean | undefined;
};

export type ApiOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: readonly (ApiMember & { where: string })[];
  body?:
    | { types: readonly string[]; members: readonly ApiMember[]; example?: string | undefined }
    | undefined;
  answers: readonly { status: string; description: string }[];
  refusals: readonly string[];
  is_tried: boolean;
  curl: string;
  example?: string | undefined;
};

export type ApiGroup = {
  id: string;
  name: string;
  description: string;
  members: readonly ApiMember[];
  operations: readonly ApiOperation[];
};

/** The texts are always in English, like the OpenAPI document from which they come. */
export type ApiDocsPage = Pick<PageLocale, "words" | "server"> & {
  title: string;
  description: string;
  base_url: string;
  document_href: string;
  search?: string;
  more?: number;
  credentials: readonly { name: string; description: string }[];
  groups: readonly ApiGroup[];
  problems: readonly { code: string; status: number; title: string; meaning: string }[];
};

function memberList(members: readonly (ApiMember & { where?: string })[]): Html {
  return html`<dl class="api-members">${members.map(
    ({ name, type, description, required, where }) =>
      html`<div><dt><code>${name}</code> <span class="quiet">${type}${where && ` · ${where}`}</span>${required && html` <span class="badge">required</span>`}</dt><dd>${description}</dd></div>`,
  )}</dl>`;
}

function example(caption: string, text: string | undefined): Html | undefined {
  return text
    ? html`<figure class="message"><figcaption>${caption}</figcaption><pre>${text}</pre></figure>`
    : undefined;
}

function operationItem({
  id,
  method,
  path,
  summary,
  description,
  parameters,
  body,
  answers,
  refusals,
  is_tried,
  curl,
  example: answer,
}: ApiOperation): Html {
  return html`<details class="api-operation" id="${id}">
<summary><span class="api-method api-method-${method.toLowerCase()}">${method}</span> <code>${path}</code> <span class="quiet">${summary}</span></summary>
<div class="api-details">
<p>${description}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${memberList(parameters)}`}
${body && html`<h3>Body</h3><p class="quiet">${body.types.join(" or ")}</p>${memberList(body.members)}${example("Request", body.example)}`}
<h3>Responses</h3>
<dl class="api-answers">${answers.map(({ status, description: meaning }) => html`<div><dt><span class="status status-${status.charAt(0)}">${status}</span></dt><dd>${meaning}</dd></div>`)}</dl>
<p class="quiet">Statuses of <a href="#errors">errors</a>: ${refusals.join(", ")}</p>
${example("Response", answer)}
${example("curl", curl)}
${is_tried && html`<p><a class="button small" href="/api/docs/try/${id}">Try it</a></p>`}
</div>
</details>`;
}

function groupSection({ id, name, description, members, operations }: ApiGroup): Html {
  return html`<section class="api-group" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${name}</h2>
<p class="lead">${description}</p>
${operations.map(operationItem)}
${members.length > 0 && html`<details class="api-operation"><summary><span>Fields of a record</span></summary><div class="api-details">${memberList(members)}</div></details>`}
</section>`;
}

export function apiDocsPage(page: ApiDocsPage): Html {
  const {
    title,
    description,
    base_url,
    document_href,
    credentials,
    groups,
    problems,
    search = "",
    more = 0,
  } = page;
  return layout({
    words: page.words,
    server: page.server,
    language: "en",
    title,
    width: "wide",
    body: html`<div class="intro">
<p class="eyebrow">Reference</p>
<h1>${title}</h1>
<p class="lead">${description}</p>
<form class="filters" role="search" method="get" action="/api/docs"><div class="field"><label for="q">Search operations</label>
<input id="q" name="q" type="search" value="${search}" autocomplete="off" data-filters=".api-operation" placeholder="create user"></div>
<button class="button" type="submit">Search</button>${search !== "" && html` <a class="button" href="/api/docs">Show all</a>`}</form>
${search !== "" && html`<ul>${groups.flatMap(({ operations }) => operations.map(({ id, method, path }) => html`<li><a href="#${id}">${method} ${path}</a></li>`))}</ul>${groups.length === 0 && html`<p role="status">No operation matches.</p>`}${more > 0 && html`<p role="status">${more} more operations match. Add a word to narrow the search.</p>`}`}
<p>Paths are relative to <code>${base_url}</code>. For programs: <a href="${document_href}">OpenAPI 3.1</a>.</p>
</div>
<div class="api">
<nav class="api-side" aria-label="Contents"><ul>
<li><a href="#calling">Basics</a></li>
${groups.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}
<li><a href="#errors">Errors</a></li>
</ul></nav>
<div class="api-body">
<section class="api-group" id="calling" aria-labelledby="calling-title">
<h2 id="calling-title">Basics</h2>
<dl class="api-members">
${credentials.map((credential) => html`<div><dt>${credential.name}</dt><dd>${credential.description}</dd></div>`)}
<div><dt>Lists</dt><dd>A response has <code>data</code> and <code>next_cursor</code>. Send <code>next_cursor</code> as <code>cursor</code> to get the next page, until it is null. A page may have fewer records than <code>limit</code>. Records that are created or deleted in the meantime do not shift the pages. Text is sorted regardless of case, and null comes before any time.</dd></div>
<div><dt>Changes</dt><dd><code>PATCH</code> merges (RFC 7396): fields that you omit keep their values, and null clears a field. Send the <code>ETag</code> of the version that you read as <code>If-Match</code>: the record then changes only if that version is still current.</dd></div>
<div><dt>Idempotency</dt><dd>Send an <code>Idempotency-Key</code> with a value that you choose, so you can repeat a <code>POST</code> safely if its response is lost. For 24 hours, a request with the same key returns the first response and changes nothing.</dd></div>
<div><dt>Secrets</dt><dd>A secret appears once, in the response that creates it.</dd></div>
</dl>
</section>
${groups.map(groupSection)}
<section class="api-group" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p class="lead">Every error is a problem document (RFC 9457). Programs compare <code>code</code>; <code>errors</code> lists each invalid field with its path.</p>
<dl class="api-members">${problems.map((problem) => html`<div id="${problem.code}"><dt><code>${problem.code}</code> <span class="status status-${Math.floor(problem.status / 100)}">${problem.status}</span></dt><dd>${problem.title}. ${problem.meaning}</dd></div>`)}</dl>
</section>
</div>
</div>`,
  });
}
