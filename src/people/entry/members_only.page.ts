import type { Brand } from "../../web/html/brand.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

type MembersOnlyPage = PageLocale & {
  client: { name: string };
  for_members: boolean;
  organization_name: string | undefined;
  /** The redirect URI with the error response; undefined if a redirect cannot carry the response. */
  back_href: string | undefined;
  switch_account_href: string;
  brand?: Brand | undefined;
};

/** Renders the refusal of a user who lacks a membership, role or group (OC-8). */
export function membersOnlyPage({
  client,
  for_members,
  organization_name,
  back_href,
  switch_account_href,
  brand,
  ...locale
}: MembersOnlyPage): Html {
  const words = locale.words.selectAccount.membersOnly;
  const { of, ofAny, hint } = for_members ? words : words.byRole;
  const app = html`<bdi class="name">${client.name}</bdi>`;
  const back = safeHref(back_href);
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${organization_name === undefined ? ofAny(app) : of(app, html`<bdi class="name">${organization_name}</bdi>`)}</p>
<p>${hint}</p>
<div class="actions"><a class="button" href="${safeHref(switch_account_href) ?? "/login"}">${locale.words.selectAccount.another}</a>${back && html` <a class="button" href="${back}">${words.back}</a>`}</div>
</section>`,
  });
}
