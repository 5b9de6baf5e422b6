import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { loginHref } from "../../core/pages/login_href.view.ts";

/**
 * The sign-in methods of an account without a password. An account with any of them gets no password link by
 * email (SS-13).
 */
export type RecoveryOptions = { passkey: boolean; providers: readonly string[] };

export function recoveryOptions({ passkey, providers }: RecoveryOptions, { words }: PageLocale): Html {
  const { signInOtherwise: say, signIn } = words.password;
  return html`<p>${say.lead}</p>
<ul>${passkey && html`<li>${say.passkey}</li>`}${providers.map((provider) => html`<li>${say.provider(provider)}</li>`)}</ul>
<a class="button primary" href="${loginHref("/account/security")}">${signIn}</a>`;
}
