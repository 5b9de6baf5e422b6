import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { safeHref } from "./safe_href.ts";

export type SignedOutPage = { return_href?: string | undefined; client_name?: string | undefined };

/** Confirms the end of the session, with the way back where one was registered. */
export function signedOutPage({ return_href, client_name }: SignedOutPage): Html {
  const href = safeHref(return_href);
  return layout({
    title: "Signed out",
    body: html`<section class="card">
<h1>You are signed out</h1>
<p class="lead">It is safe to close this window.</p>
<div class="stack">
${href && html`<a class="button primary" href="${href}"><span>Return to ${client_name ? html`<bdi>${client_name}</bdi>` : "the application"}</span></a>`}
<a class="button" href="/login">Sign in again</a>
</div>
</section>`,
  });
}
