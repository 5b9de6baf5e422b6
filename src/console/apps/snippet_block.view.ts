import { type Html, html, type Printable } from "../../web/html/html.ts";

/**
 * Renders code to copy, under a sentence on its purpose or the path of its file. The sentence is omitted if
 * `hint` is empty.
 */
export function snippetBlock(hint: Printable, text: string): Html {
  return html`${hint !== "" && html`<p class="quiet">${hint}</p>`}<pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
