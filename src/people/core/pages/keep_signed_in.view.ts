/** The choice to stay signed in when the browser closes (OR-16). */
import { type Html, html } from "../../../web/html/html.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

const name = "keep_signed_in";

/** What the login page offers, and whether the person chose it before. */
export interface KeepSignedIn {
  readonly days: number;
  readonly chosen: boolean;
}

/** The box of the password form. With scripts, it counts for passkeys and providers of the page, too. */
export function keepSignedInField({ days, chosen }: KeepSignedIn, { words }: PageLocale): Html {
  const { label, help } = words.login.keepSignedIn;
  return html`<div class="field"><label class="check"><input type="checkbox" name="${name}" value="yes" data-all aria-describedby="keep-help"${chosen && html` checked`}><span>${label(days)}</span></label><p class="help" id="keep-help">${help}</p></div>
`;
}

/** Whether a form of the login page asks for it. */
export function keepsSignedIn(params: { get(name: string): string | undefined }): boolean {
  return params.get(name) === "yes";
}
