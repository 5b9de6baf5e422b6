import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { layout } from "../../web/layout.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";

type LogoutPage = PageLocale & {
  csrf_token: string;
  client_name?: string | undefined;
  fields: Readonly<Record<string, string>>;
  action: "/logout" | "/oauth/logout";
  /** The apps that keep access after the sign-out; undefined for an app without a verified name. */
  keeping: readonly (string | undefined)[];
  brand?: Brand | undefined;
};

/**
 * Renders the page that asks whether to sign out (OpenID Connect RP-Initiated Logout 1.0, sections 2 and 6).
 */
export function logoutPage(page: LogoutPage): Html {
  const { csrf_token, client_name, fields, action, keeping, brand, ...locale } = page;
  const words = locale.words.logout;
  const { unknown } = locale.words.openConsent;
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${client_name ? words.asks(html`<bdi class="name">${client_name}</bdi>`) : words.signsOut} ${words.offline}</p>${
      keeping.length > 0 &&
      html`
<p>${words.keeping}</p>
<ul>${keeping.map((name) => html`<li><bdi>${name ?? unknown}</bdi></li>`)}</ul>`
    }
<form method="post" action="${action}">
${
  // None of the request parameters may replace the form's own token.
  hiddenFields({ ...fields, csrf_token })
}
<div class="decisions">
<a class="button" href="/">${words.stay}</a>
<button class="button primary" type="submit">${words.submit}</button>${
      keeping.length > 0 &&
      html`
<button class="button danger" type="submit" name="everything" value="yes">${words.submitEverything}</button>`
    }
</div>
</form>
</section>`,
  });
}
