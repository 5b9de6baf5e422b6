import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import {
  type PasskeyFailure,
  type PasskeyForm,
  type PasskeySignal,
  passkeyForm,
  passkeySignal,
} from "./passkey_form.view.ts";

/** The question to a passkey on the login page. */
export interface PasskeySignIn {
  readonly form: PasskeyForm;
  readonly signal?: PasskeySignal | undefined;
}

/**
 * The button on the login page, before the password if a passkey was used last (SS-14). The browser also
 * offers passkeys at the email field (PK-8), but not after a refusal: it would answer with the same passkey
 * again and again.
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
