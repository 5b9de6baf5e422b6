import type { Brand } from "../../../web/html/brand.ts";
import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { type PasskeyForm, passkeyForm, passkeysUnable } from "./passkey_form.view.ts";

type PasskeyOfferPage = PageLocale & {
  form: PasskeyForm;
  csrf_token: string;
  redirect: string;
  later_action: string;
  brand?: Brand | undefined;
};

/** Renders the offer of a passkey after a password sign-in (PK-13). */
export function passkeyOfferPage(page: PasskeyOfferPage): Html {
  const { form, csrf_token, redirect, later_action, brand, ...locale } = page;
  const { offer, enrol } = locale.words.passkeys;
  return layout({
    ...locale,
    title: offer.title,
    brand,
    body: html`<section class="card">
<h1>${offer.title}</h1>
<p class="lead">${offer.lead}</p>
${passkeysUnable(locale)}
${passkeyForm(form, locale, { label: enrol.submit })}
<form method="post" action="${later_action}">
${hiddenFields({ csrf_token, redirect })}
<button class="button" type="submit">${offer.later}</button>
</form>
</section>`,
  });
}
