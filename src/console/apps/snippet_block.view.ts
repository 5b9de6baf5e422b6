import { type Html, html, type Printable } from "../../web/html/html.ts";

/** Renders code to copy. `hint` is a sentence on its purpose or the path of its file; it may be empty. */
export function snippetBlock(hint: Printable, text: string): Html {
  return html`${hint !== "" && html`<p class="quiet">${hint}</p>`}<pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
