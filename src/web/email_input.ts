import { html } from "./html.ts";

/**
 * The type of a control for an e-mail address. By HTML's type `email` a browser would send a domain in
 * letters as A-labels, those of another domain for some (`strasse` for `straße`), and take no address whose
 * first part is beyond ASCII (WHATWG HTML 4.10.5.1.5).
 */
export const emailInput = html`type="text" inputmode="email" autocapitalize="none" spellcheck="false"`;
