import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { portrait } from "./portrait.ts";
import { type Language, languageTags } from "./words/language.ts";
import type { Reader } from "./words/reader.ts";

export type HomePage = Reader & {
  user: {
    name: string;
    email: string;
    is_platform_admin: boolean;
    last_login_at?: Date | null | undefined;
  };
  csrf_token: string;
  server_name: string;
  /** Apps the user has allowed to use the account. */
  apps?: readonly { name: string; since: Date }[] | undefined;
};

// UTC, because the server does not know where the reader is.
const days = { dateStyle: "long", timeZone: "UTC" } as const;
const minutes = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

function moment(time: Date, format: Intl.DateTimeFormatOptions, language: Language): Html {
  const locale = language === "en" ? "en-GB" : languageTags[language];
  return html`<time datetime="${time.toISOString()}">${new Intl.DateTimeFormat(locale, format).format(time)}</time>`;
}

/** Where someone who is signed in lands without a request pending (spec 4.1.2: "otherwise to /"). */
export function homePage({ user, csrf_token, server_name, apps, ...reader }: HomePage): Html {
  const { language } = reader;
  const words = reader.words.home;
  return layout({
    ...reader,
    title: words.title,
    brand: server_name === "Postern" ? undefined : { name: server_name },
    body: html`<section class="card">
<div class="person">${portrait({ name: user.name, kind: "user" })}<div><h1><bdi>${user.name}</bdi></h1>
<p class="quiet"><bdi>${user.email}</bdi></p></div></div>
<p>${words.signedIn}${user.is_platform_admin && html` <span class="badge">${words.platformAdmin}</span>`}</p>
${user.last_login_at && html`<p class="quiet">${words.lastLogin(moment(user.last_login_at, minutes, language))}</p>`}
${
  apps &&
  html`<h2>${words.apps}</h2>
${
  apps.length > 0
    ? html`<ul class="rows">${apps.map((app) => html`<li>${portrait({ name: app.name, kind: "client" })}<bdi class="name">${app.name}</bdi><span class="quiet">${words.since(moment(app.since, days, language))}</span></li>`)}</ul>`
    : html`<p class="quiet">${words.noApps}</p>`
}`
}
<form method="post" action="/logout">
${hiddenFields({ csrf_token })}
<button class="button" type="submit">${words.signOut}</button>
</form>
</section>`,
  });
}
