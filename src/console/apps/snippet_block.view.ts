import { type Html, html, type Printable } from "../../web/html/html.ts";

/** Code to copy, under the sentence that says what it is for, or the path of its file; none where empty. */
export function snippetBlock(hint: Printable, text: string): Html {
  return html`${hint !== "" && html`<p class="quiet">${hint}</p>`}<pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
