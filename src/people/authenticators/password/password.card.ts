import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

type PasswordCard = PageLocale & {
  has_password: boolean;
  is_only_method: boolean;
};

export function passwordCard({ words, has_password, is_only_method }: PasswordCard): Html {
  const say = words.security.password;
  const label = has_password ? words.account.password.submit : say.set;
  return html`<section class="card" aria-labelledby="own-password"><h2 id="own-password">${words.account.places.password}</h2>
<p class="quiet">${has_password ? say.have : words.account.password.none}</p>
${is_only_method && notice("caution", html`<p>${say.single}</p>`)}
<div class="actions"><a class="button" href="/account/password">${label}</a></div></section>`;
}

export function passwordField(
  { email }: { readonly email: string },
  wrong: boolean,
  { words }: PageLocale,
): Html {
  return html`<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>
${textField({
  name: "sudo_password",
  label: words.sudo.password,
  type: "password",
  autocomplete: "current-password",
  error: wrong ? words.sudo.wrongPassword : undefined,
  autofocus: true,
})}`;
}
