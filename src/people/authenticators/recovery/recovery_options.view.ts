import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { loginHref } from "../../core/pages/login_href.view.ts";

/** How a person gets in whose account has no password: no link for a new one is mailed there. */
export type RecoveryOptions = { passkey: boolean; providers: readonly string[] };

/** Says with what the person signs in, and leads on to the page of all that they sign in with. */
export function recoveryOptions({ passkey, providers }: RecoveryOptions, { words }: PageLocale): Html {
  const { signInOtherwise: say, signIn } = words.password;
  return html`<p>${say.lead}</p>
<ul>${passkey && html`<li>${say.passkey}</li>`}${providers.map((provider) => html`<li>${say.provider(provider)}</li>`)}</ul>
<a class="button primary" href="${loginHref("/account/security")}">${signIn}</a>`;
}
