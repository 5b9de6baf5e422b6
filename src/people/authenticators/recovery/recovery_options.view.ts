import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { loginHref } from "../../core/pages/login_href.view.ts";

/** No password link is mailed for an account that has these methods. */
export type RecoveryOptions = { passkey: boolean; providers: readonly string[] };

export function recoveryOptions({ passkey, providers }: RecoveryOptions, { words }: PageLocale): Html {
  const { signInOtherwise: say, signIn } = words.password;
  return html`<p>${say.lead}</p>
<ul>${passkey && html`<li>${say.passkey}</li>`}${providers.map((provider) => html`<li>${say.provider(provider)}</li>`)}</ul>
<a class="button primary" href="${loginHref("/account/security")}">${signIn}</a>`;
}
