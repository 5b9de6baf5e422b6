import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import {
  type PasskeyFailure,
  type PasskeyForm,
  type PasskeySignal,
  passkeyForm,
  passkeySignal,
} from "./passkey_form.view.ts";

export interface PasskeySignIn {
  readonly form: PasskeyForm;
  readonly signal?: PasskeySignal | undefined;
}

/**
 * Renders the passkey button of the login page, above the password if `first` (SS-14). After a failure other
 * than `expired`, the email field offers no passkeys, because the browser would submit the same one again
 * (PK-8).
 */
export function signInWithPasskey(
  { form, signal }: PasskeySignIn,
  failure: PasskeyFailure | undefined,
  locale: PageLocale,
  { first }: { readonly first: boolean },
): Html {
  const { passkeys, providers } = locale.words;
  const label = passkeys.signIn;
  const conditional = failure === undefined || failure === "expired";
  const around = first && {
    above: html`<p class="quiet">${providers.lastUsed}</p>`,
    below: html`<p class="divider">${providers.or}</p>`,
  };
  return html`${passkeyForm(form, locale, { label, primary: false, conditional, ...around })}${signal && passkeySignal(signal)}`;
}
