import { hiddenFields } from "./hidden_fields.ts";
import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";
import { notice } from "./notice.ts";

export type LoginPage = {
  /** Where to go afterwards, carried through the form as it came (spec 4.1.1). */
  redirect: string;
  csrf_token: string;
  email?: string | undefined;
  /** Why the last attempt failed; the same words for every cause (requirements L-9). */
  message?: string | undefined;
  client_name?: string | undefined;
  /** Seconds until another attempt is looked at. */
  retry_after?: number | undefined;
};

function waitingTime(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** The sign-in form: a plain POST that needs no JavaScript (spec 4.1, requirements L-1). */
export function loginPage({
  redirect,
  csrf_token,
  email,
  message,
  client_name,
  retry_after,
}: LoginPage): Html {
  const failed = message !== undefined || retry_after !== undefined;
  const described = failed && html` aria-describedby="notice"`;
  return layout({
    title: "Sign in",
    body: html`<section class="card">
<h1>Sign in</h1>
<p class="lead">${client_name ? html`to continue to <bdi class="name">${client_name}</bdi>` : "with your e-mail address and password"}</p>
${
  failed &&
  notice(
    "failure",
    html`<p>${message}${retry_after !== undefined && html` You can try again in ${waitingTime(retry_after)}.`}</p>`,
  )
}
<form method="post" action="/login">
${hiddenFields({ redirect, csrf_token })}
<div class="field">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" required${described}${!email && html` autofocus`}>
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described}${email && html` autofocus`}>
</div>
<button class="button primary" type="submit">Sign in</button>
</form>
</section>`,
  });
}
