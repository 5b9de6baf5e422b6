import { avatar } from "../../web/html/avatar.ts";
import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

type SelectAccountPage = PageLocale & {
  user: { name: string; email: string };
  continue_href?: string | undefined;
  /** Set if a form was submitted after another window had signed in; `typed` is the email address in it. */
  meanwhile?: { typed: string | undefined } | undefined;
  csrf_token: string;
  request: string;
  brand?: Brand | undefined;
};

/** Renders the account chooser (`prompt=select_account`, OpenID Connect Core 1.0, section 3.1.2.1). */
export function selectAccountPage({
  user,
  continue_href,
  meanwhile,
  csrf_token,
  request,
  brand,
  ...locale
}: SelectAccountPage): Html {
  const words = locale.words.selectAccount;
  const href = safeHref(continue_href);
  const typed = meanwhile?.typed?.trim() || undefined;
  const own = (text: string) => html`<bdi class="name">${text}</bdi>`;
  const lead = meanwhile ? words.meanwhile.lead(own(user.email)) : words.lead;
  const another = typed === undefined ? words.another : words.meanwhile.signInAs(html`<bdi>${typed}</bdi>`);
  const name = html`<bdi class="name">${user.name}</bdi>`;
  const present = html`${avatar({ name: user.name, kind: "user" })}<span class="choice-text">${meanwhile ? html`<span class="name">${words.meanwhile.goOn(html`<bdi>${user.name}</bdi>`)}</span>` : name}<bdi class="quiet">${user.email}</bdi></span>`;
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${lead}</p>
<form method="post" action="/login" class="choices">
${hiddenFields({ redirect: request, csrf_token, ...(typed !== undefined && { email: typed }) })}
${
  href
    ? html`<a class="choice" href="${href}">${present}</a>`
    : html`<button class="choice" type="submit" name="account" value="continue">${present}</button>`
}
<button class="choice" type="submit" name="account" value="another"><span class="portrait portrait-other" aria-hidden="true">+</span><span class="choice-text"><span class="name">${another}</span></span></button>
</form>
</section>`,
  });
}
