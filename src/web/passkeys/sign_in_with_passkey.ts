import { type Html, html } from "../html.ts";
import type { PageLocale } from "../words/page_locale.ts";
import {
  type PasskeyFailure,
  type PasskeyForm,
  type PasskeySignal,
  passkeyForm,
  passkeySignal,
} from "./passkey_form.ts";

/** The question to a passkey on the login page. */
export interface PasskeySignIn {
  readonly form: PasskeyForm;
  readonly signal?: PasskeySignal | undefined;
}

/**
 * The button on the login page; the browser offers passkeys at the field of the e-mail as well (PK-8). After
 * a refusal the button alone, so that no browser answers by itself with the same passkey again and again.
 */
export function signInWithPasskey(
  { form, signal }: PasskeySignIn,
  failure: PasskeyFailure | undefined,
  locale: PageLocale,
): Html {
  const label = locale.words.passkeys.signIn;
  const conditional = failure === undefined || failure === "expired";
  return html`${passkeyForm(form, locale, { label, primary: false, conditional })}${signal && passkeySignal(signal)}`;
}
