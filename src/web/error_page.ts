import { type Html, html } from "./html.ts";
import { layout, mark } from "./layout.ts";

export type ErrorPage = {
  title: string;
  message: string;
  /** The OAuth error code, for whoever built the client. */
  error?: string | undefined;
  hint?: string | undefined;
  request_id: string;
};

/** Tells the person what went wrong, where there is nowhere safe to redirect (RFC 6749 4.1.2.1). */
export function errorPage({ title, message, error, hint, request_id }: ErrorPage): Html {
  return layout({
    title,
    body: html`<section class="card">
<span class="emblem">${mark}</span>
<h1>${title}</h1>
<p>${message}</p>
${hint && html`<p class="quiet">${hint}</p>`}
<dl class="facts">
${error && html`<div><dt>Error</dt><dd><code>${error}</code></dd></div>`}
<div><dt>Request</dt><dd><code>${request_id}</code></dd></div>
</dl>
</section>`,
  });
}
