import { avatar } from "./html/avatar.ts";
import { type Html, html } from "./html/html.ts";
import { safeHref } from "./html/safe_href.ts";
import { aboutLanguage } from "./words/language.ts";
import type { PageLocale } from "./words/page_locale.ts";

export type SignedInPerson = {
  readonly name: string;
  readonly email: string;
};

export function personMenu(
  { name, email }: SignedInPerson,
  { words, language, return_to, docs_url }: PageLocale,
): Html {
  const { frame, account } = words;
  const docs = safeHref(docs_url);
  const link = (href: string, label: string) => html`<li><a href="${href}">${label}</a></li>`;
  return html`<details class="menu" name="menu"><summary>${avatar({ name, kind: "user" })}<span class="menu-name"><span class="unseen">${frame.signedIn} </span><bdi>${name}</bdi></span></summary>
<div><p class="quiet"><bdi>${email}</bdi></p><ul>${link("/account", frame.account)}${link("/account/security", account.places.security)}${docs !== undefined && link(docs, frame.documents)}${return_to !== undefined && link("#languages", `${frame.language}: ${aboutLanguage(language).name}`)}${link("/logout", frame.signOut)}</ul></div></details>`;
}
