import { type Html, html, type Printable } from "../../web/html/html.ts";

/** Code to copy, under a sentence on its purpose, or the path of its file; nothing if empty. */
export function snippetBlock(hint: Printable, text: string): Html {
  return html`${hint !== "" && html`<p class="quiet">${hint}</p>`}<pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
