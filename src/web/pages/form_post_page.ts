import type { Brand } from "../html/brand.ts";
import { hiddenFields } from "../html/hidden_fields.ts";
import { type Html, html } from "../html/html.ts";
import { safeHref } from "../html/safe_href.ts";
import { layout } from "../layout.ts";
import type { PageLocale } from "../words/page_locale.ts";

type FormPostPage = Omit<PageLocale, "return_to"> & {
  redirect_uri: string;
  redirect_to: string;
  fields: Readonly<Record<string, string>>;
  brand?: Brand | undefined;
};

export const submitScript = "document.forms[0].submit()";

/**
 * With this hash, the content security policy of the page allows exactly this script (CSP3, section 2.3.1).
 */
export const submitScriptHash = "sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE=";

/**
 * Renders the page that posts the authorization response to the client (OAuth 2.0 Form Post Response Mode,
 * section 2). It has no language form, because its content security policy lets forms post only to the
 * client.
 */
export function formPostPage({ redirect_uri, redirect_to, fields, brand, ...locale }: FormPostPage): Html {
  const words = locale.words.formPost;
  return layout({
    ...locale,
    return_to: undefined,
    title: words.title,
    brand,
    has_own_script: true,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${words.lead(html`<code>${redirect_to}</code>`)}</p>
<form method="post" action="${safeHref(redirect_uri) ?? "/"}">
${hiddenFields(fields)}
<button class="button primary" type="submit">${words.goOn}</button>
</form>
<script>${submitScript}</script>
</section>`,
  });
}
