import type { Brand } from "../../web/html/brand.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

export type MembersOnlyPage = PageLocale & {
  client: { name: string };
  /** The app's own; undefined where members of any may sign in. */
  organization_name: string | undefined;
  /** The client's answer, where a link can carry it. */
  back_href: string | undefined;
  switch_account_href: string;
  brand?: Brand | undefined;
};

/** Refuses a person who is no member, and names whom to ask (OC-8). */
export function membersOnlyPage({
  client,
  organization_name,
  back_href,
  switch_account_href,
  brand,
  ...locale
}: MembersOnlyPage): Html {
  const words = locale.words.selectAccount.membersOnly;
  const app = html`<bdi class="name">${client.name}</bdi>`;
  const back = safeHref(back_href);
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${organization_name === undefined ? words.ofAny(app) : words.of(app, html`<bdi class="name">${organization_name}</bdi>`)}</p>
<p>${words.hint}</p>
<div class="actions"><a class="button" href="${safeHref(switch_account_href) ?? "/login"}">${locale.words.selectAccount.another}</a>${back && html` <a class="button" href="${back}">${words.back}</a>`}</div>
</section>`,
  });
}
