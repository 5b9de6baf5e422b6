import { type Html, html } from "../html.ts";
import type { PageLocale } from "../words/page_locale.ts";

/** The password, and the way to change it. */
export function passwordCard({ words, has_password }: PageLocale & { has_password: boolean }): Html {
  const say = words.security.password;
  return html`<section class="card" aria-labelledby="own-password"><h2 id="own-password">${words.account.places.password}</h2>
<p class="quiet">${has_password ? say.have : words.account.password.none}</p>
${has_password && html`<div class="actions"><a class="button" href="/account/password">${words.account.password.submit}</a></div>`}</section>`;
}
