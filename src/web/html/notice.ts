import { type Html, html, type Printable } from "./html.ts";

/** Renders a sentence in a box. Screen readers announce it immediately if `alert` is set. */
export function notice(
  kind: "failure" | "caution",
  content: Printable,
  { alert = kind === "failure" }: { alert?: boolean } = {},
): Html {
  return html`<div class="notice notice-${kind}" id="notice"${alert && html` role="alert"`}>${content}</div>`;
}

/** Renders several cautions in one box; false if there are none. */
export function cautions(sentences: readonly Printable[] = []): Html | false {
  return (
    sentences.length > 0 &&
    html`<div class="notice notice-caution">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`
  );
}
