import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

export type LogoutPage = {
  csrf_token: string;
  client_name?: string | undefined;
  /** Parameters of the request, carried along unseen. */
  fields: Readonly<Record<string, string>>;
  action: "/logout" | "/oauth/logout";
};

/** Asks before signing out (OpenID Connect RP-Initiated Logout 2 and 6). */
export function logoutPage({ csrf_token, client_name, fields, action }: LogoutPage): Html {
  return layout({
    title: "Sign out?",
    body: html`<section class="card">
<h1>Sign out?</h1>
<p class="lead">${client_name ? html`<bdi class="name">${client_name}</bdi> asks to sign you out here.` : "You will be signed out in this browser."} Applications you let keep access while you are away will keep it.</p>
<form method="post" action="${action}">
${
  // Spread first: a parameter of the request may not stand in for our own token.
  hiddenFields({ ...fields, csrf_token })
}
<div class="decisions">
<a class="button" href="/">Stay signed in</a>
<button class="button primary" type="submit">Sign out</button>
</div>
</form>
</section>`,
  });
}
