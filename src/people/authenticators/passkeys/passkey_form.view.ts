import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../../web/html/html.ts";
import type { PasskeyWords } from "../../../web/words/en/passkeys.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

export type PasskeyFailure = keyof PasskeyWords["failures"];

export interface PasskeyQuestion {
  readonly ceremony: "create" | "get";
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` (WebAuthn 5.1). */
  readonly options: Readonly<Record<string, unknown>>;
  readonly renew_href?: string | undefined;
}

interface QuestionLook {
  readonly label: string;
  readonly primary?: boolean;
  /** Whether the browser also offers passkeys at the email field (PK-8). */
  readonly conditional?: boolean;
  readonly name?: string;
  /** The form field that the passkey replaces. */
  readonly instead_of?: string;
  /** The script creates the passkey without a click, and opens this URL if that fails (PK-13). */
  readonly unasked_next?: string;
  readonly above?: Printable;
  readonly below?: Printable;
}

/** As a module, the script runs once, however often a page links it. */
const script = html`<script type="module" src="/assets/passkeys.js"></script>`;

/**
 * Renders the part of a form that asks for a passkey. It is hidden until the script detects passkey support.
 */
export function passkeyQuestion(
  { ceremony, options, renew_href }: PasskeyQuestion,
  { words }: Pick<PageLocale, "words">,
  {
    label,
    primary = true,
    conditional = false,
    name = "answer",
    instead_of,
    unasked_next,
    above,
    below,
  }: QuestionLook,
): Html {
  const { cancelled, known } = words.passkeys;
  return html`<div data-passkey="${ceremony}" data-options="${JSON.stringify(options)}"${renew_href !== undefined && html` data-renew="${renew_href}"`} data-cancelled="${cancelled}" data-known="${known}"${conditional && html` data-conditional`}${instead_of !== undefined && html` data-instead="${instead_of}"`}${unasked_next !== undefined && html` data-unasked="${unasked_next}"`} hidden>
<input type="hidden" name="${name}" data-answer>
${above}<button class="button${primary && html` primary`}" type="button">${label}</button>
<p class="quiet" role="status"></p>
${below}</div>
${script}`;
}

export interface PasskeyForm extends PasskeyQuestion {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

export function passkeyForm(
  { action, fields, ...question }: PasskeyForm,
  locale: Pick<PageLocale, "words">,
  { visible, ...look }: QuestionLook & { readonly visible?: Printable },
): Html {
  return html`<form method="post" action="${action}">
${hiddenFields(fields)}
${visible}
${passkeyQuestion(question, locale, look)}
</form>`;
}

export function passkeysUnable({ words }: Pick<PageLocale, "words">): Html {
  return html`<p class="quiet" data-passkey-unable>${words.passkeys.unable}</p>`;
}

/** What the page's script signals to the password manager (PK-10). */
export interface PasskeySignal {
  readonly accepted?:
    | { readonly rpId: string; readonly userId: string; readonly allAcceptedCredentialIds: readonly string[] }
    | undefined;
  readonly user?:
    | { readonly rpId: string; readonly userId: string; readonly name: string; readonly displayName: string }
    | undefined;
  readonly unknown?: { readonly rpId: string; readonly credentialId: string } | undefined;
}

/** Renders a signal for the passkey script. */
export function passkeySignal(signal: PasskeySignal): Html {
  return html`<div data-signal="${JSON.stringify(signal)}" hidden></div>${script}`;
}

type PasskeyFactor = {
  /** `PublicKeyCredentialRequestOptionsJSON`. */
  options: Readonly<Record<string, unknown>>;
  name: string;
  failure?: PasskeyFailure | undefined;
};

/**
 * Renders the part of a form that requests a passkey as second factor, or before a sensitive action (sudo).
 */
export function passkeyFactor({ options, name, failure }: PasskeyFactor, locale: PageLocale): Html {
  const { use, failures } = locale.words.passkeys;
  return html`${failure && html`<p class="field-error">${failures[failure]}</p>`}
${passkeysUnable(locale)}
${passkeyQuestion({ ceremony: "get", options }, locale, { label: use, primary: false, name })}`;
}
