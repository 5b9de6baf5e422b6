import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import type { Words } from "../../web/words/words.ts";
import { snippetBlock } from "./snippet_block.view.ts";
import { curlIntrospect, joseVerify, type SnippetApi, verifyPrograms } from "./verify_snippets.view.ts";

export function verifyCard(api: SnippetApi, { verify: words }: Words): Html {
  const { bound, client_id } = api;
  const introspection =
    client_id === undefined
      ? html`<p class="quiet">${words.noApp}</p>`
      : snippetBlock(words.hints.introspection, curlIntrospect(api, client_id, words.comments));
  return html`<section class="card" aria-labelledby="verify"><div><h2 id="verify">${words.title}</h2><p class="quiet">${words.lead}</p></div>
${bound && notice("caution", words.bound)}
<details open><summary><h3>${words.kinds.jose}</h3></summary>${snippetBlock(words.hints.jose, joseVerify(api, words.comments))}</details>
${verifyPrograms(api).map(({ stack, text }) => html`<details><summary><h3>${words.kinds[stack]}</h3></summary>${snippetBlock(words.hints.program, text)}</details>`)}
<details><summary><h3>${words.kinds.introspection}</h3></summary>${introspection}</details></section>`;
}
