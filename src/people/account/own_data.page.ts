import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";

export function ownDataPage({ csrf_token, ...frame }: AccountLocale & { csrf_token: string }): Html {
  const words = frame.words.ownAccount.data;
  return accountFrame({
    ...frame,
    here: "profile",
    title: words.title,
    lead: words.lead,
    body: html`<section class="card">
<p>${words.without}</p>
<form class="actions" method="post" action="/account/data">${hiddenFields({ csrf_token })}<button class="button primary" type="submit">${words.download}</button></form>
<p class="quiet"><a href="/account/data/schema.json">${words.schema}</a></p>
</section>`,
  });
}
