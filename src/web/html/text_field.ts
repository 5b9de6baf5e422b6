import { type Html, html } from "./html.ts";

/**
 * Not `type="email"`: browsers would send a Unicode domain as A-labels, and reject a non-ASCII local part
 * (WHATWG HTML, section 4.10.5.1.5).
 */
export const emailInput = html`type="text" inputmode="email" autocapitalize="none" spellcheck="false"`;

type TextField = {
  name: string;
  label: string;
  type: "text" | "email" | "url" | "password" | "number" | "date";
  /** See WHATWG HTML, section 4.10.18.7. */
  autocomplete: string;
  value?: string | undefined;
  /** The keyboard on a phone (WHATWG HTML, section 6.8.9). */
  inputmode?: "numeric" | undefined;
  help?: string | undefined;
  error?: string | undefined;
  max_length?: number | undefined;
  required?: boolean | undefined;
  autofocus?: boolean | undefined;
};

export function textField(field: TextField): Html {
  const { name, label, type, autocomplete, value, inputmode, help, error } = field;
  const { max_length, required, autofocus } = field;
  const described = [error && `${name}-error`, help && `${name}-help`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${type === "email" ? emailInput : html`type="${type}"`}${value !== undefined && html` value="${value}"`}${type === "number" && html` step="any"`} autocomplete="${autocomplete}"${inputmode && html` inputmode="${inputmode}" autocapitalize="none" spellcheck="false"`}${type === "url" && html` autocapitalize="none" spellcheck="false"`}${max_length !== undefined && html` maxlength="${max_length}"`}${required && html` required`}${error !== undefined && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}${autofocus && html` autofocus`}>
${error !== undefined && html`<p class="field-error" id="${name}-error">${error}</p>`}
${help !== undefined && html`<p class="help" id="${name}-help">${help}</p>`}
</div>`;
}
