import { type Html, html } from "../html.ts";
import { loginHref } from "../login_href.ts";
import type { PageLocale } from "../words/page_locale.ts";

/** How a person gets in whose account has no password: no link for a new one is mailed there. */
export type WaysBack = { passkey: boolean; providers: readonly string[] };

/** Says with what the person signs in, and leads on to the page of all that they sign in with. */
export function waysBack({ passkey, providers }: WaysBack, { words }: PageLocale): Html {
  const { signInOtherwise: say, signIn } = words.password;
  return html`<p>${say.lead}</p>
<ul>${passkey && html`<li>${say.passkey}</li>`}${providers.map((provider) => html`<li>${say.provider(provider)}</li>`)}</ul>
<a class="button primary" href="${loginHref("/account/security")}">${signIn}</a>`;
}
