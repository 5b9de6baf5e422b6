import { type Html, html, type Printable } from "../../web/html/html.ts";

/** Renders code to copy. */
export function snippetBlock(hint: Printable, text: string): Html {
  return html`${hint !== "" && html`<p class="quiet">${hint}</p>`}<pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
