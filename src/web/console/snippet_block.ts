import { type Html, html } from "../html.ts";

/** Code to copy, under the sentence that says what it is for. */
export function snippetBlock(hint: string, text: string): Html {
  return html`<p class="quiet">${hint}</p><pre class="snippet" data-copy tabindex="0">${text}</pre>`;
}
