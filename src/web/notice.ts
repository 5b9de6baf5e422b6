import { type Html, html, type Printable } from "./html.ts";

/** A boxed sentence. A `failure` is read out at once by screen readers. */
export function notice(kind: "failure" | "caution", content: Printable): Html {
  return html`<div class="notice notice-${kind}" id="notice"${kind === "failure" && html` role="alert"`}>${content}</div>`;
}
