import { avatar } from "../../web/html/avatar.ts";
import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { layout } from "../../web/layout.ts";
import { accountFact } from "../../web/pages/consent_page.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

type SelectOrganizationPage = PageLocale & {
  client: { name: string };
  user: { name: string; email: string };
  switch_account_href: string;
  organizations: readonly { id: string; name: string; slug: string; logo_url: string | null }[];
  more: boolean;
  last: string | undefined;
  search: string;
  csrf_token: string;
  request: string;
  brand?: Brand | undefined;
};

/** Renders the page on which the user selects an organization for the application (OC-1). */
export function selectOrganizationPage({
  client,
  user,
  switch_account_href,
  organizations,
  more,
  last,
  search,
  csrf_token,
  request,
  brand,
  ...locale
}: SelectOrganizationPage): Html {
  const words = locale.words.selectAccount.organization;
  const fields = hiddenFields({ redirect: request, csrf_token });
  const choice = ({ id, name, slug, logo_url }: SelectOrganizationPage["organizations"][number]) =>
    html`<button class="choice" type="submit" name="organization" value="${id}">${avatar({ name, kind: "client", logo_url })}<span class="choice-text"><bdi class="name">${name}</bdi><span class="quiet"><bdi>${slug}</bdi>${id === last && ` · ${words.last}`}</span></span></button>`;
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${words.lead(html`<bdi class="name">${client.name}</bdi>`)}</p>
${
  (more || search !== "") &&
  html`<form method="post" action="/organization">
${fields}
<div class="field"><label for="search">${words.find}</label><input id="search" type="search" name="search" value="${search}" maxlength="64" autocomplete="off"></div>
<button class="button" type="submit">${words.search}</button>
</form>`
}
${
  organizations.length > 0
    ? html`<form method="post" action="/organization" class="choices">
${fields}
${organizations.map(choice)}
</form>`
    : html`<p>${words.none}</p>`
}
${more && html`<p class="quiet">${words.more}</p>`}
<dl class="facts">${accountFact(user, switch_account_href, locale)}</dl>
<form method="post" action="/organization" class="actions">
${fields}
<button class="button" type="submit" name="decision" value="deny">${words.cancel}</button>
</form>
</section>`,
  });
}
