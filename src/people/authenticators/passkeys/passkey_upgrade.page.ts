import { type Html, html } from "../../../web/html/html.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { type PasskeyForm, passkeyForm } from "./passkey_form.view.ts";

type PasskeyUpgradePage = PageLocale & {
  form: PasskeyForm;
  continue_href: string;
};

/** Renders the page on which the browser creates a passkey automatically and then continues (PK-13). */
export function passkeyUpgradePage({ form, continue_href, ...locale }: PasskeyUpgradePage): Html {
  const { upgrade, enrol } = locale.words.passkeys;
  const href = safeHref(continue_href) ?? "/account";
  return layout({
    ...locale,
    title: upgrade.title,
    body: html`<section class="card">
<h1>${upgrade.title}</h1>
<p class="lead">${upgrade.lead}</p>
${passkeyForm(form, locale, { label: enrol.submit, unasked_next: href })}
<p><a class="button" href="${href}">${upgrade.goOn}</a></p>
</section>`,
  });
}
