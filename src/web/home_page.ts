import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { portrait } from "./portrait.ts";

export type HomePage = {
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

function moment(time: Date, format: Intl.DateTimeFormatOptions): Html {
  return html`<time datetime="${time.toISOString()}">${new Intl.DateTimeFormat("en-GB", format).format(time)}</time>`;
}

/** Where someone who is signed in lands without a request pending (spec 4.1.2: "otherwise to /"). */
export function homePage({ user, csrf_token, server_name, apps }: HomePage): Html {
  return layout({
    title: "Signed in",
    brand: server_name === "Postern" ? undefined : { name: server_name },
    body: html`<section class="card">
<div class="person">${portrait({ name: user.name, kind: "user" })}<div><h1><bdi>${user.name}</bdi></h1>
<p class="quiet"><bdi>${user.email}</bdi></p></div></div>
<p>You are signed in.${user.is_platform_admin && html` <span class="badge">Platform administrator</span>`}</p>
${user.last_login_at && html`<p class="quiet">Last sign-in ${moment(user.last_login_at, minutes)} UTC</p>`}
${
  apps &&
  html`<h2>Applications with access</h2>
${
  apps.length > 0
    ? html`<ul class="rows">${apps.map((app) => html`<li>${portrait({ name: app.name, kind: "client" })}<bdi class="name">${app.name}</bdi><span class="quiet">since ${moment(app.since, days)}</span></li>`)}</ul>`
    : html`<p class="quiet">None yet. Those you allow appear here.</p>`
}`
}
<form method="post" action="/logout">
${hiddenFields({ csrf_token })}
<button class="button" type="submit">Sign out</button>
</form>
</section>`,
  });
}
