import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { portrait } from "./portrait.ts";
import { safeHref } from "./safe_href.ts";

export type SelectAccountPage = {
  user: { name: string; email: string };
  /** Where going on needs no form: the present account is then a link there. */
  continue_href?: string | undefined;
  csrf_token: string;
  /** The pending request, sent back as `redirect`. */
  request: string;
};

/** Asks which account to go on with (`prompt=select_account`, OpenID Connect Core 3.1.2.1). */
export function selectAccountPage({ user, continue_href, csrf_token, request }: SelectAccountPage): Html {
  const href = safeHref(continue_href);
  const present = html`${portrait({ name: user.name, kind: "user" })}<span class="choice-text"><bdi class="name">${user.name}</bdi><bdi class="quiet">${user.email}</bdi></span>`;
  return layout({
    title: "Choose an account",
    body: html`<section class="card">
<h1>Choose an account</h1>
<p class="lead">Which one do you want to go on with?</p>
<form method="post" action="/login" class="choices">
${hiddenFields({ redirect: request, csrf_token })}
${
  href
    ? html`<a class="choice" href="${href}">${present}</a>`
    : html`<button class="choice" type="submit" name="account" value="continue">${present}</button>`
}
<button class="choice" type="submit" name="account" value="another"><span class="portrait portrait-other" aria-hidden="true">+</span><span class="choice-text"><span class="name">Use another account</span></span></button>
</form>
</section>`,
  });
}
