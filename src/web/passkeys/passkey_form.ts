import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html, type Printable } from "../html.ts";
import type { PageLocale } from "../words/page_locale.ts";

/** A question to the authenticator, and the form that brings its answer. */
export interface PasskeyForm {
  readonly ceremony: "create" | "get";
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` (WebAuthn 5.1). */
  readonly options: { readonly challenge: string };
  readonly action: string;
  /** Further hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** The page with a new challenge. */
  readonly renew_href: string;
}

/** Only pages that need it link it. A module, so that it runs once however often a page links it. */
const script = html`<script type="module" src="/assets/passkeys.js"></script>`;

/**
 * A form that the script of passkeys shows where the browser has passkeys, since it does nothing without.
 * `conditional`: the browser offers passkeys at the field with `autocomplete="… webauthn"` as well (PK-8).
 */
export function passkeyForm(
  { ceremony, options, action, fields, renew_href }: PasskeyForm,
  { words }: Pick<PageLocale, "words">,
  {
    label,
    primary = true,
    conditional = false,
    visible,
  }: { label: string; primary?: boolean; conditional?: boolean; visible?: Printable },
): Html {
  const { cancelled, known } = words.passkeys;
  return html`<form class="passkey" method="post" action="${action}" data-passkey="${ceremony}" data-options="${JSON.stringify(options)}" data-renew="${renew_href}" data-cancelled="${cancelled}" data-known="${known}"${conditional && html` data-conditional`} hidden>
${hiddenFields({ ...fields, challenge: options.challenge, answer: "" })}
${visible}
<button class="button${primary && " primary"}" type="button">${label}</button>
<p class="quiet" role="status"></p>
</form>
${script}`;
}

/** Said in the place of the form, until the script finds that the browser can. */
export function passkeysUnable({ words }: Pick<PageLocale, "words">): Html {
  return html`<p class="quiet" data-passkey-unable>${words.passkeys.unable}</p>`;
}

/** What this server tells a password manager of the passkeys that it knows (PK-10). */
export interface PasskeySignal {
  readonly accepted?:
    | { readonly rpId: string; readonly userId: string; readonly allAcceptedCredentialIds: readonly string[] }
    | undefined;
  readonly user?:
    | { readonly rpId: string; readonly userId: string; readonly name: string; readonly displayName: string }
    | undefined;
  readonly unknown?: { readonly rpId: string; readonly credentialId: string } | undefined;
}

/** A signal for the script of passkeys, which it links. */
export function passkeySignal(signal: PasskeySignal): Html {
  return html`<div data-signal="${JSON.stringify(signal)}" hidden></div>${script}`;
}
