/** The option to stay signed in after the browser closes (OR-16). */
import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

const name = "keep_signed_in";

export interface KeepSignedIn {
  readonly days: number;
  readonly chosen: boolean;
}

/** Renders the check box of the password form. */
export function keepSignedInField({ days, chosen }: KeepSignedIn, { words }: PageLocale): Html {
  const { label, help } = words.login.keepSignedIn;
  return html`<div class="field"><label class="check"><input type="checkbox" name="${name}" value="yes" data-all aria-describedby="keep-help"${chosen && html` checked`}><span>${label(days)}</span></label><p class="help" id="keep-help">${help}</p></div>
`;
}

/** Returns whether the user chose to stay signed in. */
export function keepsSignedIn(params: { get(name: string): string | undefined }): boolean {
  return params.get(name) === "yes";
}
