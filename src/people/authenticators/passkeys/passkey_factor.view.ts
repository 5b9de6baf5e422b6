import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { type PasskeyFailure, passkeyQuestion, passkeysUnable } from "./passkey_form.view.ts";

export type PasskeyFactor = {
  /** `PublicKeyCredentialRequestOptionsJSON`. */
  options: Readonly<Record<string, unknown>>;
  name: string;
  failure?: PasskeyFailure | undefined;
};

/** Renders the part of a form in which the user reauthenticates with a passkey. */
export function passkeyFactor({ options, name, failure }: PasskeyFactor, locale: PageLocale): Html {
  const { use, failures } = locale.words.passkeys;
  return html`${failure && html`<p class="field-error">${failures[failure]}</p>`}
${passkeysUnable(locale)}
${passkeyQuestion({ ceremony: "get", options }, locale, { label: use, primary: false, name })}`;
}
